// What a course stands on besides the grader: what is handed in, the roster, the seeds, the formats.
#include <filesystem>
#include <map>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>

#include "csv.hpp"
#include "diagnosis.hpp"
#include "exports.hpp"
#include "library_text.hpp"
#include "submission.hpp"
#include "support/catch.hpp"
#ifdef GRADUAL_COURSE
#include "course/archive.hpp"
#include "course/autograder.hpp"
#include "course/collect.hpp"
#include "course/grading.hpp"
#include "course/keyed_hash.hpp"
#include "course/roster.hpp"
#endif

using namespace gradual;
namespace fs = std::filesystem;

namespace {

const Workshop& the_workshop() {
  static const Workshop the_one = read_workshop(GRADUAL_WORKSHOP);
  return the_one;
}
const std::vector<Assignment>& all_assignments() {
  static const std::vector<Assignment> all = read_assignments(the_workshop().assignments);
  return all;
}
Part part_named(const std::string& name) { return find_parts(all_assignments(), name).front(); }

Submission submission_of(const std::string& part) {
  Submission s;
  s.assignment = part.substr(0, 2);
  s.course = "ml26";
  s.student = "ada";
  s.made = "2026-11-22T14:00:00Z";
  const Part of = part_named(part);
  s.parts = {{part, "int Größe;\n", fingerprint(starter(of, library_source(the_workshop(), of)))}};
  return s;
}

void check_version_of(const Submission& s) { check_version(s, the_workshop(), all_assignments(), "x.json"); }

std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const auto at = text.find(before);
  REQUIRE(at != std::string::npos);
  return text.replace(at, before.size(), after);
}

Mark mark(const std::string& state, const std::string& text) {
  Mark m;
  m.part = "02.3";
  m.title = "its slope";
  m.file = "3_softmax_slope.cpp";
  m.state = state;
  m.text = text;
  m.points = state == "right" ? 5 : 0;
  m.of = 5;
  return m;
}

}  // namespace

TEST_CASE("submission: it is read back as it was written") {
  const Submission s = submission_of("02.3");
  const Submission read = parse_submission(submission_text(s), "x.json");
  CHECK(read.assignment == "02");
  CHECK(read.student == "ada");
  CHECK(read.made == s.made);
  REQUIRE(read.parts.size() == 1);
  CHECK(read.parts[0].text == "int Größe;\n");
  CHECK_NOTHROW(check_version_of(read));
}

TEST_CASE("submission: one that was changed afterwards is refused, in its report too") {
  Submission s = submission_of("02.3");
  s.report = "02 softmax 0 / 19";
  const std::string text = submission_text(s);
  CHECK_THROWS_WITH(parse_submission(replaced(text, "0 / 19", "19 / 19"), "x.json"),
                    Contains("x.json: was changed after ./run submit wrote it"));
  CHECK_THROWS_WITH(parse_submission(replaced(text, "int Gr", "long Gr"), "x.json"), Contains("was changed"));
  CHECK_NOTHROW(parse_submission(text, "x.json"));
}

TEST_CASE("submission: what is none is named as what it is") {
  CHECK_THROWS_WITH(parse_submission("", "x.json"), Contains("is no submission"));
  CHECK_THROWS_WITH(parse_submission("[]", "x.json"), Contains("is no submission"));
  CHECK_THROWS_WITH(parse_submission("{\"a\": 1}", "x.json"), Contains("is no submission"));
  const std::string deep(500000, '['), end(500000, ']');
  CHECK_THROWS_WITH(parse_submission("{\"gradual_submission\": 1, \"a\": " + deep + end + "}", "x.json"),
                    Contains("is no submission"));
  CHECK_THROWS_WITH(parse_submission("{\"gradual_submission\": 2}", "x.json"),
                    Contains("of another kind: it says 2"));
  CHECK_THROWS_WITH(parse_submission("{\"gradual_submission\": 1}", "x.json"), Contains("was changed"));
  CHECK_THROWS_WITH(parse_submission(std::string(2 << 20, ' '), "x.json"), Contains("is too large"));
  CHECK_THROWS_WITH(parse_submission(std::string(1 << 19, '['), "x.json"), Contains("is no submission"));
  Submission s = submission_of("02.3");
  s.parts[0].text = "\xFF";
  CHECK_THROWS_WITH(submission_text(s), Contains("must be text in UTF-8: part is 02.3"));
  s.parts[0].text = std::string(1 << 20, 'x');
  CHECK_THROWS_WITH(submission_text(s), Contains("must fit into 1048576 bytes: they have 1048"));
}

TEST_CASE("submission: another version, another assignment and a part twice are refused by name") {
  Submission s = submission_of("02.3");
  s.parts[0].starter = "0123456789abcdef";
  CHECK_THROWS_WITH(check_version_of(s),
                    Contains("another version of the assignment: the starter of 02.3 was 0123456789abcdef"));
  s = submission_of("02.3");
  s.assignment = "77";
  CHECK_THROWS_WITH(check_version_of(s), Contains("is of assignment 77, which there is not here"));
  s = submission_of("02.3");
  s.assignment = "01";
  CHECK_THROWS_WITH(check_version_of(s), Contains("has a part that assignment 01 has not: 02.3"));
  s = submission_of("02.3");
  s.parts.push_back(s.parts[0]);
  CHECK_THROWS_WITH(check_version_of(s), Contains("has a part twice: 02.3"));
}

TEST_CASE("exports: any text of a student's gives a valid file") {
  const std::string text = "]]> <b>&\"\x01\xFF\n";
  const std::vector<Mark> marks = {mark("right", ""), mark("wrong", text), mark("undone", "")};
  const std::string xml = junit_xml("assignment 02", marks);
  CHECK(xml.find("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"") != std::string::npos);
  CHECK(xml.find("]]&gt; &lt;b&gt;&amp;&quot;?\xEF\xBF\xBD\n") != std::string::npos);
  CHECK(gradescope_results(marks, "").find("\"score\": 5,") != std::string::npos);
  CHECK(classroom_results(marks).find("\"max_score\": 15,") != std::string::npos);
  const std::vector<Mark> read = parse_marks(marks_json(marks), "x");
  REQUIRE(read.size() == 3);
  CHECK(read[0].points == 5);
  CHECK(read[1].state == "wrong");
  CHECK_THROWS_AS(parse_marks("[{}]", "x"), FileError);
}

TEST_CASE("exports: a table holds commas, quotes and line breaks, and no formulas") {
  const std::vector<std::string> fields = {"", "a,b", "say \"hi\"", "two\nlines", "x; y", " "};
  const std::vector<CsvRow> rows = read_csv(csv_line(fields), ',', "x");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].fields == fields);
  CHECK(spreadsheet_line({"=1+1", "-3"}) == "'=1+1,'-3\r\n");
  CHECK_THROWS_WITH(read_csv("a,\"b\nc\n", ',', "x.csv"),
                    Contains("x.csv:1: a quotation mark is opened and never closed"));
}

TEST_CASE("marks: a copy with other names, comments and lines has the same shape") {
  const std::string one = "int f(int a) {\n  return a + 1;  // one more\n}\n";
  CHECK(shape_of(one) == shape_of("int g(int other) { return other + 1; }"));
  CHECK(shape_of(one) != shape_of("int g(int other) { return other + 2; }"));
  CHECK(shape_of(one) != shape_of("int g(int other) { return g + 1; }"));
}

TEST_CASE("marks: different solutions have different shapes, with the line ends of Windows, too") {
  const Part part = find_parts(all_assignments(), "02.3").front();
  Verdict verdict;
  verdict.part = part;
  const auto shape = [&](const std::string& body, const std::string& end) {
    return mark_of(verdict, part.signature + " {" + end + "  return " + body + ";" + end + "}" + end).shape;
  };
  CHECK(shape("dy", "\n") == shape("dy", "\r\n"));
  CHECK(shape("dy", "\r\n") != shape("dy + 1", "\r\n"));
  CHECK(shape("dy", "  // so\n") != shape("dy + 1", "  // so\n"));
}

TEST_CASE("marks: a copy of the library's function has its shape, whatever stands around it") {
  const Part part = find_parts(all_assignments(), "02.3").front();
  const std::string definition =
      definition_of(readable_source(the_workshop(), part), part.signature, "library");
  Verdict verdict;
  verdict.part = part;
  const std::string copy =
      "#include <cmath>\nnamespace gradual {\nint own() { return 1; }\n\n" + definition + "}\n";
  CHECK(mark_of(verdict, copy).shape == shape_of(definition));
  CHECK(mark_of(verdict, "int other() { return 2; }\n").shape != shape_of(definition));
}

TEST_CASE(
    "marks: a copy has the same shape with other arguments, braces elsewhere and comments behind them") {
  Verdict verdict;
  verdict.part = part_named("02.3");
  const auto shape = [&](const std::string& text) { return mark_of(verdict, text).shape; };
  const std::string one =
      "namespace gradual {\nTensor softmax_backward(const Tensor& y, const Tensor& dy) {\n  return y + "
      "dy;\n}\n}\n";
  CHECK(shape(one) == shape(replaced(one, "y, const Tensor& dy) {\n  return y + dy",
                                     "a, const Tensor& b) {\n  return a + b")));
  CHECK(shape(one) == shape(replaced(one, ") {", ")\n{")));
  CHECK(shape(one) == shape(replaced(one, "}\n}", "}  // softmax_backward\n}")));
  CHECK(shape(one) == shape("int own(char c) { return c == '{' || c == '\"' ? 1'000 : 0; }\n" + one));
  CHECK(shape(one) == shape("const char* text = \"} \\\" {\";\n" + one));
  CHECK(shape(one) == shape("Tensor softmax_backward(const Tensor&, const Tensor&);\n"
                            "Tensor twice(Tensor y) { if (true) { return softmax_backward(y, y); } }\n" +
                            one));
  CHECK(shape(one) != shape(replaced(one, "y + dy", "y * dy")));
  CHECK(shape("int f() { return 1; }") !=
        shape("int f() { return 2; }"));  // of all, where there is no such function
  const std::string open(1 << 20, '(');   // read once, not once for each name
  CHECK(shape("softmax_backward" + open) == shape("softmax_backward" + open + " // so"));
  std::string many;
  while (many.size() < (1u << 20)) many += "softmax_backward(";
  CHECK(shape(many) == shape(many + " // so"));
  for (const Assignment& assignment : all_assignments()) {
    for (const Part& part : assignment.parts) {
      if (part.goal) continue;
      const std::string library =
          definition_of(readable_source(the_workshop(), part), part.signature, part.file());
      INFO(part.number());
      verdict.part = part;
      CHECK(shape("int own() { return 1; }\n" + library) == shape_of(library));
    }
  }
}

TEST_CASE("assignments: points that are no number are told with their place") {
  const ScratchFolder scratch;
  make_folder(scratch.path() + "/50-x");
  for (const char* points : {"two", "2 of 3", "0", "-1", "99999999999"}) {
    write_file_atomically(scratch.path() + "/50-x/parts.ini",
                          "title = x\n1.points = " + std::string(points) + "\n");
    CHECK_THROWS_WITH(
        read_assignments(scratch.path()),
        Contains("50-x/parts.ini: points are a whole number from 1 on: 1.points is " + std::string(points)));
  }
}

TEST_CASE("assignments: a list of mistakes that is out of order costs no verdict") {
  const ScratchFolder scratch;
  Workshop workshop = the_workshop();
  workshop.cache = scratch.path() + "/cache";
  const Part part = part_named("02.3");
  std::vector<Assignment> changed = all_assignments();
  for (Assignment& assignment : changed) {
    if (assignment.number != "02") continue;
    write_file_atomically(scratch.path() + "/mistakes.md",
                          replaced(read_text(assignment.folder + "/mistakes.md"),
                                   "weights[i] * (1 - weights[i]) * rows[i];", "this is no C++;"));
    assignment.folder = scratch.path();
  }
  const std::string text = replaced(starter(part, library_source(workshop, part)), "undone();",
                                    "return Tensor::zeros(dy.shape());");
  const Verdict verdict = judge(workshop, changed, part, text, 1, 2);
  CHECK(verdict.state == Verdict::State::wrong);
  CHECK(verdict.diagnosis == "All numbers are 0.");
  CHECK(verdict.evidence.find("could not be looked up: the mistakes of part 02.3 must compile:") !=
        std::string::npos);
}

namespace {
// The first block of docs/teaching.md after `start`, from its first line on.
std::string block_of_page(const std::string& start) {
  const std::string page = read_text(GRADUAL_SOURCES "/docs/teaching.md");
  const auto first = page.find("\n" + start);
  REQUIRE(first != std::string::npos);
  return page.substr(first + 1, page.find("\n```\n", first) - first);
}
}  // namespace

TEST_CASE("teaching: the assignment that the page writes grades itself") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path() + "/99-first";
  fs::create_directory(folder);
  write_file_atomically(folder + "/parts.ini", block_of_page("title = a first assignment"));
  write_file_atomically(folder + "/mistakes.md", block_of_page("## 1\n\n### the value for the slope") +
                                                     "\n```diff\n" +
                                                     block_of_page("-[](Real y) { return y > 0") + "```\n");
  write_file_atomically(folder + "/hints.md", block_of_page("## 1\n\n1. Draw max"));
  Workshop workshop = the_workshop();
  workshop.cache = scratch.path() + "/cache";
  workshop.probe_objects["99"] = list_of(GRADUAL_PROBE_99, '|');
  const std::vector<Assignment> own = read_assignments(scratch.path());
  REQUIRE(own.size() == 1);
  const Part part = find_parts(own, "99.1").front();
  CHECK(read_hints(own[0], part).size() == 3);
  const std::string begun = starter(part, library_source(workshop, part));
  const auto judged = [&](const std::string& body) {
    return judge(workshop, own, part, replaced(begun, "undone();", body), 1, 2);
  };
  CHECK(judged("undone();").state == Verdict::State::undone);
  const std::string value =
      "Tensor y = x; for (Index i = 0; i < y.size(); ++i) if (y.data()[i] < 0) "
      "y.mutable_data()[i] = 0; return {\"relu\", y, [x](const Tensor& dy) { Tensor dx = dy; "
      "for (Index i = 0; i < dx.size(); ++i) ";
  const Verdict right = judged(value + "if (x.data()[i] <= 0) dx.mutable_data()[i] = 0; return dx; }};");
  INFO(right.problem << right.diagnosis);
  CHECK(right.points() == 2);
  const Verdict wrong =
      judged(value + "dx.mutable_data()[i] *= x.data()[i] > 0 ? x.data()[i] : 0; return dx; }};");
  CHECK(wrong.state == Verdict::State::wrong);
  CHECK(wrong.diagnosis.rfind("The slope of a ReLU is 0 or 1, not x", 0) == 0);
}

#ifdef GRADUAL_COURSE

TEST_CASE("course: keyed hashes are those of RFC 4231") {
  CHECK(to_hex(keyed_hash(std::string(20, '\x0b'), "Hi There")) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(to_hex(keyed_hash("Jefe", "what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(keyed_seed("Jefe", "what do ya want for nothing?") == 0x5bdcc146bf60754eULL);
  CHECK(from_hex(to_hex("\x01\xFE")) == "\x01\xFE");
  CHECK_THROWS_AS(from_hex("0g"), std::invalid_argument);
  CHECK_THROWS_AS(from_hex("012"), std::invalid_argument);
  CHECK(new_key().size() == 32);
  CHECK(new_key() != new_key());
}

namespace {
std::vector<Enrolled> roster_from(const std::string& text) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() + "/r.csv", text);
  return read_roster(scratch.path() + "/r.csv");
}
}  // namespace

TEST_CASE("course: before several processes train, one makes the translator") {
  const ScratchFolder scratch;
  Desk desk;
  desk.assignments = all_assignments();
  desk.workshop = the_workshop();
  desk.workshop.build = scratch.path();
  desk.workshop.cmake = scratch.path() + "/cmake";  // says that all is well, and makes nothing
  write_file_atomically(desk.workshop.cmake, "#!/bin/sh\necho made >> " + scratch.path() + "/calls\n");
  fs::permissions(desk.workshop.cmake, fs::perms::owner_all);
  Course course{scratch.path() + "/ml26", "ml26", "key", {"09"}, {{"ada", "", ""}, {"han", "", ""}}};
  Submission submission = submission_of("09.1");
  submission.parts[0].text = "steps = 20\nbatch-tokens = 256\n";
  for (const Enrolled& person : course.roster) {
    const std::string path = collected_path(course, person.id, "09");
    make_folder(fs::path(path).parent_path().string());
    write_file_atomically(path, submission_text(submission));
  }
  const std::vector<Result> results = grade_course(course, desk, "", 2);
  CHECK(read_text(scratch.path() + "/calls") == "made\n");
  REQUIRE(results.size() == 2);
  for (const Result& each : results) CHECK_FALSE(each.is_graded);  // there was no program to train with
}

TEST_CASE("course: one whose key students could read is not graded") {
  const ScratchFolder scratch;
  Workshop workshop = the_workshop();
  workshop.compiler = scratch.path() + "/bin/c++";
  for (const char* folder : {"/lib", "/courses"}) {
    make_folder(scratch.path() + folder);
    write_file_atomically(scratch.path() + folder + "/key", "0123");
  }
  CHECK_THROWS_WITH(require_secrecy(workshop, scratch.path() + "/lib/key"),
                    Contains("no student's program may read the course"));
  try {
    require_isolation();
  } catch (const std::runtime_error&) {
    return;  // nothing is kept from anybody here
  }
  CHECK_NOTHROW(require_secrecy(workshop, scratch.path() + "/courses/key"));
}

TEST_CASE("roster: names may be anything that people are called, in the tables of any platform") {
  auto roster = roster_from(
      "\xEF\xBB\xBFID;Name;Email\r\nada;\"Lovelace; Ada \"\"Countess\"\"\";a@x.org\r\n\r\nhan;韩/梅梅;\r\n");
  REQUIRE(roster.size() == 2);
  CHECK(roster[0].name == "Lovelace; Ada \"Countess\"");
  CHECK(roster[1].name == "韩/梅梅");
  roster = roster_from("First name,Last name,Email address\nÉmile,Zola,e@x.org\n");
  CHECK(roster[0].id == "e@x.org");
  CHECK(roster[0].name == "Émile Zola");
  const auto again = roster_from(roster_csv(roster_from("id,name\nx,\"a, \"\"b\"\"\"\n")));
  CHECK(again[0].name == "a, \"b\"");
}

TEST_CASE("roster: what cannot be is refused with its line") {
  CHECK_THROWS_WITH(roster_from("name\nAda\n"), Contains("r.csv:1: the first line must name the columns"));
  CHECK_THROWS_WITH(roster_from("id,name\n"), Contains("the roster names nobody"));
  CHECK_THROWS_WITH(roster_from("id,name\n../x,A\n"), Contains("r.csv:2: an id names a folder"));
  CHECK_THROWS_WITH(roster_from("id,name\na/b,A\n"), Contains("got \"a/b\""));
  CHECK_THROWS_WITH(roster_from("id,name\n,A\n"), Contains("got \"\""));
  CHECK_THROWS_WITH(roster_from("id,name\nada,A\nbob,B\nAda,C\n"),
                    Contains("r.csv:4: an id must occur once: Ada is in line 2 too"));
  CHECK_THROWS_WITH(roster_from("id,name\nada\n"),
                    Contains("r.csv:2: a row must have as many fields as the first line has: it has 1 of 2"));
  CHECK_THROWS_WITH(roster_from("id,name\nada,\"A\n"), Contains("r.csv:2: a quotation mark"));
  CHECK_THROWS_WITH(roster_from("id,name\nada,\"A\nB\"\n"),
                    Contains("r.csv:2: an id, a name or an address has no line breaks"));
  CHECK_THROWS_WITH(roster_from("id,name\nada,\xFF\n"), Contains("r.csv:2: the roster must be UTF-8"));
}

TEST_CASE("roster: people are found by the names that platforms give folders and files") {
  const std::vector<Enrolled> roster = {{"al815", "Ada Lovelace", "ada@x.org"},
                                        {"ez1", "Émile Zola", "emile@x.org"},
                                        {"ada2", "Ada Love", "love@x.org"}};
  const auto found = [&](const std::string& path) {
    const auto people = people_named_by(path, roster).people;
    return people.empty() ? "" : people.front()->id;
  };
  CHECK(found("Ada Lovelace_1234_assignsubmission_file_/02.submission.json") == "al815");
  CHECK(found("lovelaceada_99_1234_02.submission-1.json") == "al815");
  CHECK(found("Lovelace, Ada/x.json") == "al815");
  CHECK(found("ada@x.org/x.json") == "al815");
  CHECK(found("al815.json") == "al815");
  CHECK(found("Ada Love_5/x.json") == "ada2");
  CHECK(found("E\xCC\x81mile Zola/x.json") == "ez1");  // as macOS writes É
  CHECK(found("somebody/x.json").empty());
  CHECK(found("al815 and ez1 and al815/x.json") == "al815");
  CHECK(found("Ada Lovelace and Lovelace Ada/x.json") == "al815");
}

TEST_CASE("roster: who stands first in a name counts, since what follows may be a student's own") {
  const std::vector<Enrolled> roster = {
      {"eve", "Eve Fox", ""}, {"bart", "Bartholomew Longname", ""}, {"eve2", "Eve Fox", ""}};
  CHECK(people_named_by("foxeve_12_13_bartholomew longname.json", roster).people.front()->id == "eve");
  CHECK(people_named_by("eve_12_Bartholomew Longname.json", roster).people.front()->id == "eve");
  CHECK(people_named_by("Eve Fox_12", roster).people.size() == 2);  // who cannot be told apart
}

TEST_CASE("roster: names of several words are whole in any order, and nobody else's") {
  const auto roster = roster_from(
      "id;First name;Last name\nmgl;Maria;García López\nml;Maria;López\nj;Johann Sebastian;Bach\n");
  const auto found = [&](const std::string& name) {
    const auto people = people_named_by(name, roster).people;
    return people.size() == 1 ? people.front()->id : "";
  };
  CHECK(found("García López Maria_12_assignsubmission_file_") == "mgl");
  CHECK(found("Maria García López_12_assignsubmission_file_") == "mgl");
  CHECK(found("garcíalópezmaria_12_13_x.json") == "mgl");
  CHECK(found("López Maria_12_assignsubmission_file_") == "ml");
  CHECK(found("Bach Johann Sebastian_12_assignsubmission_file_") == "j");
}

TEST_CASE("roster: a column Student is the name where there is an ID, as in a gradebook of Canvas") {
  auto roster = roster_from("Student;ID;Email\nAda Lovelace;al815;a@x.org\n");
  CHECK(roster[0].id == "al815");
  CHECK(roster[0].name == "Ada Lovelace");
  roster = roster_from("Student,Name\nal815,Ada Lovelace\n");
  CHECK(roster[0].id == "al815");
  CHECK(roster[0].name == "Ada Lovelace");
  roster = roster_from(
      "Student,ID,SIS Login ID,Section,02 softmax (7)\n,,,,Manual Posting\n    Points Possible,,,,19.00\n"
      "\"Lovelace, Ada\",815,al815,A,12.00\n");
  REQUIRE(roster.size() == 1);
  CHECK(roster[0].id == "815");
  CHECK(roster[0].name == "Lovelace, Ada");
}

TEST_CASE("archives: what is unpacked has limits, and no path leads out") {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/a.zip";
  const auto contents = [&](ArchiveLimits limits) {
    std::map<std::string, std::string> files;
    read_archive(read_text(path), "a.zip", limits, [&](const ArchivedFile& file) {
      files[file.path] = file.problem.empty() ? file.bytes : "problem: " + file.problem;
    });
    return files;
  };
  write_zip(path, {{"a/b.json", "hello"}, {"../out", "x"}, {"large", std::string(2 << 20, '0')}});
  auto files = contents({});
  CHECK(files["a/b.json"] == "hello");
  CHECK(files["../out"] == "problem: has a path that leads elsewhere");
  CHECK(files["large"] == "problem: is too large for a submission");
  const std::string first = read_text(path);
  write_zip(path, {{"a/b.json", "hello"}, {"../out", "x"}, {"large", std::string(2 << 20, '0')}});
  CHECK(read_text(path) == first);

  std::vector<ZippedFile> many;
  for (int i = 0; i < 40; ++i) many.push_back({std::to_string(i), std::string(1 << 20, '0')});
  write_zip(path, many);  // 40 MB of zeros
  CHECK(fs::file_size(path) < 100000);
  write_zip(path, {{"a.zip", std::string(2 << 20, '0')}, {"b.ZIP", std::string(17 << 20, '0')}});
  files = contents({});
  CHECK(files["a.zip"].size() == 2 << 20);  // an archive may be larger than a submission
  CHECK(files["b.ZIP"] == "problem: is too large for a submission");
  write_zip(path, many);
  CHECK_THROWS_WITH(contents({1 << 20, 8 << 20, 1000}), Contains("a.zip: unpacks to more than is taken"));
  CHECK_THROWS_WITH(contents({1 << 20, 256 << 20, 10}), Contains("a.zip: holds more files than is taken"));
  write_file_atomically(path, first.substr(0, 40));
  CHECK_THROWS_AS(contents({}), FileError);
  write_file_atomically(path, "no archive at all");
  CHECK_THROWS_WITH(contents({}), Contains("a.zip"));
}

TEST_CASE("autograder: what is packed of a checkout is its sources, and never another key") {
  const ScratchFolder scratch;
  const std::string root = scratch.path() + "/checkout";
  Desk desk;
  desk.workshop = the_workshop();
  desk.workshop.root = root;
  desk.assignments = all_assignments();
  for (const char* folder : {"autograd", "cmake", "core", "examples", "nn", "notebooks", "tests", "kurse"})
    make_folder(root + "/" + folder);
  write_file_atomically(root + "/CMakeLists.txt", "project(x)\n");
  write_file_atomically(root + "/core/x.cpp", "int x;\n");
  make_folder(root + "/core/.vscode");
  write_file_atomically(root + "/core/.vscode/settings.json", "{}");
  make_folder(root + "/inbox/ada");
  write_file_atomically(root + "/inbox/ada/02.submission.json", "{}");
  write_file_atomically(root + "/roster.csv", "id,name\nada,Ada\n");
  const auto packed = [&](const std::string& folder) {
    const Course course = make_course(folder, "ml26", root + "/roster.csv", "02", desk.assignments);
    const std::string path = write_autograder(course, desk, "02", false);
    std::vector<std::string> names;
    ArchiveLimits limits;
    read_archive(read_text(path), path, limits,
                 [&](const ArchivedFile& file) { names.push_back(file.path); });
    return names;
  };
  CHECK(packed(root + "/kurse/ml26") == std::vector<std::string>{"setup.sh", "run_autograder",
                                                                 "autograder.conf", "gradual/CMakeLists.txt",
                                                                 "gradual/core/x.cpp"});
  CHECK_THROWS_WITH(packed(root + "/examples/kurse/ml26"),
                    Contains("examples/kurse/ml26: a course must not lie among the sources"));
}

#endif
