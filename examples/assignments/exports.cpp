#include "exports.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include <gradual/core/error.hpp>

#include "csv.hpp"

using namespace gradual;
using Json = nlohmann::ordered_json;

namespace {

// What students' programs print may be no UTF-8.
std::string written(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string name_of(const Mark& mark) { return mark.part + " " + mark.title; }

// XML 1.0 has no control characters but these three, not even as references, and no bytes outside UTF-8.
std::string xml_text(const std::string& text) {
  // JSON's writer mends what is no UTF-8; its string is taken apart again by its own reader.
  const std::string mended = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string escaped;
  for (const char c : mended) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      escaped += c;
    else
      escaped += "?";
  }
  return escaped;
}

}  // namespace

std::string gradescope_results(const std::vector<Mark>& marks, const std::string& output) {
  Json tests = Json::array();
  for (const Mark& mark : marks)
    tests.push_back({{"name", name_of(mark)},
                     {"number", mark.part},
                     {"score", mark.points},
                     {"max_score", mark.of},
                     {"status", mark.is_right() ? "passed" : "failed"},
                     {"output_format", "text"},
                     {"output", mark.text},
                     {"visibility", "visible"}});
  return written({{"score", points_of(marks)},
                  {"output_format", "text"},
                  {"output", output},
                  {"visibility", "visible"},
                  {"stdout_visibility", "hidden"},
                  {"tests", tests}});
}

std::string classroom_results(const std::vector<Mark>& marks) {
  Json tests = Json::array();
  bool all_right = true;
  for (const Mark& mark : marks) {
    all_right = all_right && mark.is_right();
    tests.push_back({{"name", name_of(mark)},
                     {"status", mark.is_right() ? "pass" : "fail"},
                     {"score", mark.points},
                     {"message", mark.is_right() ? Json(nullptr) : Json(mark.text)},
                     {"test_code", "./run grade " + mark.part},
                     {"filename", mark.file},
                     {"line_no", 0},
                     {"execution_time", std::to_string(static_cast<int>(1000 * mark.seconds)) + "ms"}});
  }
  return written({{"version", 1},
                  {"status", all_right ? "pass" : "fail"},
                  {"max_score", points_in_all(marks)},
                  {"tests", tests}});
}

std::string junit_xml(const std::string& suite, const std::vector<Mark>& marks) {
  int failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  std::ostringstream cases;
  for (const Mark& mark : marks) {
    seconds += mark.seconds;
    cases << "    <testcase classname=\"" << xml_text(suite) << "\" name=\"" << xml_text(name_of(mark))
          << "\" time=\"" << mark.seconds << "\"";
    if (mark.is_right()) {
      cases << "/>\n";
      continue;
    }
    const bool is_skipped = mark.state == "undone" || mark.state == "missing";
    const std::string kind = is_skipped ? "skipped" : mark.state == "errors" ? "error" : "failure";
    ++(is_skipped ? skipped : mark.state == "errors" ? errors : failures);
    cases << ">\n      <" << kind << " message=\"" << xml_text(summary_of(mark)) << "\"";
    if (!is_skipped) cases << " type=\"" << mark.state << "\"";
    cases << ">" << xml_text(mark.text) << "</" << kind << ">\n    </testcase>\n";
  }
  std::ostringstream all;
  all << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"" << xml_text(suite)
      << "\" tests=\"" << marks.size() << "\" failures=\"" << failures << "\" errors=\"" << errors
      << "\" skipped=\"" << skipped << "\" time=\"" << seconds << "\">\n"
      << cases.str() << "  </testsuite>\n</testsuites>\n";
  return all.str();
}

std::string marks_csv(const std::vector<Mark>& marks) {
  std::string lines = csv_line({"part", "title", "state", "points", "of", "misunderstood"});
  for (const Mark& mark : marks)
    lines += spreadsheet_line({mark.part, mark.title, mark.state, std::to_string(mark.points),
                               std::to_string(mark.of), mark.diagnosis});
  return lines;
}

std::string marks_json(const std::vector<Mark>& marks) {
  Json all = Json::array();
  for (const Mark& m : marks)
    all.push_back({{"part", m.part},
                   {"title", m.title},
                   {"file", m.file},
                   {"state", m.state},
                   {"text", m.text},
                   {"diagnosis", m.diagnosis},
                   {"shape", m.shape},
                   {"points", m.points},
                   {"of", m.of}});
  return written(all);
}

std::vector<Mark> parse_marks(const std::string& text, const std::string& path) {
  std::vector<Mark> marks;
  try {
    for (const Json& each : Json::parse(text)) {
      Mark m;
      m.part = each.at("part");
      m.title = each.at("title");
      m.file = each.at("file");
      m.state = each.at("state");
      m.text = each.at("text");
      m.diagnosis = each.at("diagnosis");
      m.shape = each.at("shape");
      m.points = each.at("points");
      m.of = each.at("of");
      marks.push_back(m);
    }
  } catch (const Json::exception& error) {
    throw FileError(path, std::string("holds no marks: ") + error.what());
  }
  return marks;
}
