#include "workshop.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/core/files/folder.hpp>

#include "library_text.hpp"
#include "symbols.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// What a compiler has of the folder that it is installed in, which may hold other things: ~/bin/g++,
// /opt/bin/g++.
std::vector<std::string> parts_of_compiler(const std::string& compiler) {
  const std::set<std::string> usual = {"bin", "include", "lib", "lib32", "lib64", "libexec"};
  std::vector<std::string> parts;
  for (const fs::path& path : {fs::path(compiler), fs::weakly_canonical(compiler)}) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path.parent_path().parent_path(), ignored)) {
      const std::string name = entry.path().filename().string();
      const bool is_of_target = name.find("-linux-") != std::string::npos;  // x86_64-conda-linux-gnu/sysroot
      if (usual.count(name) != 0 || is_of_target) parts.push_back(entry.path().string());
    }
  }
  return parts;
}

Confinement for_tools(const Workshop& workshop, const std::string& folder) {
  Confinement c;
  c.seconds = 20;  // what xtensor needs on a slow machine, several times over
  c.memory = std::size_t(3) << 30;
  c.readable = {workshop.assignments + "/starter"};
  append(c.readable, parts_of_compiler(workshop.compiler));
  for (const char* floor : {"/core", "/autograd", "/nn"}) c.readable.push_back(workshop.root + floor);
  for (const std::string& flag : workshop.flags)
    if (flag.rfind("-I", 0) == 0) c.readable.push_back(flag.substr(2));
  for (const std::string& library : workshop.libraries)
    c.readable.push_back(fs::path(library).parent_path().string());
  for (const auto& [assignment, objects] : workshop.probe_objects) append(c.readable, objects);
  c.readable.push_back(workshop.library);
  c.writable = folder;
  c.may_start_processes = true;
  c.environment = {std::string("PATH=") + (std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin"),
                   "TMPDIR=" + folder, "LC_ALL=C.UTF-8"};
  return c;
}

Outcome run_tool(const std::vector<std::string>& command, const Confinement& tools) {
  Outcome outcome = run_confined(command, tools);
  require_machine(outcome, tools);
  return outcome;
}

std::vector<std::string> compile_command(const Workshop& workshop, const std::string& source,
                                         const std::string& object) {
  std::vector<std::string> command = {workshop.compiler};
  append(command, workshop.flags);
  append(command,
         {"-I" + workshop.assignments + "/starter", "-MD", "-MF", object + ".d", "-c", source, "-o", object});
  return command;
}

std::vector<std::string> link_command(const Workshop& workshop, const Part& part, const std::string& object,
                                      const std::string& program) {
  std::vector<std::string> command = {workshop.compiler};
  append(command, workshop.flags);
  append(command, {"-Wl,-z,muldefs", object});
  append(command, workshop.probe_objects.at(part.assignment));
  append(command, {workshop.library});
  append(command, workshop.libraries);
  append(command, {"-pthread", "-o", program});
  return command;
}

std::string without(std::string text, const std::string& word) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at))
    text.erase(at, word.size());
  return text;
}

std::string first_lines(const std::string& text, int count) {
  std::size_t end = 0;
  while (count-- > 0 && end < text.size()) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

// Not flushed to the disk, as what is kept is: a verdict would wait for it.
void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text << std::flush)) throw FileError(path, "cannot be written: is there space left?");
}

// What a compiler says of space and memory may stand in the file that it quotes, or be that file's fault.
bool may_lack_something(const Outcome& compiled, const Confinement& tools) {
  const auto says = [&](const char* words) { return compiled.output.find(words) != std::string::npos; };
  return blames_machine(compiled, tools) || says("out of memory") || says("memory exhausted") ||
         says("Cannot allocate memory");
}

// Throws where the machine is to blame: a starter needs no more than any other file.
void require_starter_compiles(const Workshop& workshop, const std::string& starter,
                              const std::string& folder) {
  const std::string source = folder + "/starter.cpp";
  write_text(source, starter);
  const Outcome compiled =
      run_tool(compile_command(workshop, source, folder + "/starter.o"), for_tools(workshop, folder));
  if (!compiled.succeeded())
    throw std::runtime_error("sandbox: a starter must compile, too: " + first_lines(compiled.output, 12));
}

// The words of a rule as make reads it: a backslash stands before a space of a name, and at the end of a
// line.
std::vector<std::string> words_of_rule(const std::string& rule) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    const bool is_escape =
        (c == '\\' && (next == ' ' || next == '#' || next == ':')) || (c == '$' && next == '$');
    if (is_escape)
      words.back() += rule[++i];
    else if (c == '\n' || c == ' ' || (c == '\\' && next == '\n'))
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

// Whether the program was linked of this text and of what the build has now.
bool is_made_of(const Workshop& workshop, const Part& part, const std::string& program,
                const std::string& text) {
  if (!fs::exists(program) || !fs::exists(program + ".cpp")) return false;
  const auto is_older = [&](const std::string& made) {
    return fs::last_write_time(made) < fs::last_write_time(program);
  };
  const auto& objects = workshop.probe_objects.at(part.assignment);
  return is_older(workshop.library) && std::all_of(objects.begin(), objects.end(), is_older) &&
         read_text(program + ".cpp") == text;
}

// A file that is not a header was taken in whole: the library's solution under another name, for one.
std::string foreign_source(const std::string& dependencies, const std::string& own) {
  for (const std::string& word : words_of_rule(read_text(dependencies))) {
    const std::string kind = fs::path(word).extension().string();
    if ((kind == ".cpp" || kind == ".cc" || kind == ".conf" || kind == ".md") && word != own) return word;
  }
  return "";
}

}  // namespace

Workshop read_workshop(const std::string& path) {
  std::istringstream lines(read_text(path));
  Workshop w;
  const auto anything = [](const std::string&) { return std::string(); };
  for (const auto& [key, value] : read_config(lines, path, anything)) {
    if (key == "root") w.root = value;
    if (key == "compiler") w.compiler = value;
    if (key == "library") w.library = value;
    if (key == "cmake") w.cmake = value;
    if (key == "flags") w.flags = list_of(value, '|');
    if (key == "libraries") w.libraries = list_of(value, '|');
    if (key.rfind("probe_", 0) == 0) w.probe_objects[key.substr(6)] = list_of(value, '|');
  }
  w.assignments = w.root + "/examples/assignments";
  w.build = fs::path(path).parent_path().string();
  w.cache = w.build + "/assignments";
  if (w.root.empty() || w.compiler.empty() || w.library.empty())
    throw FileError(path, "names no root, compiler or library");
  return w;
}

Built compile_part(const Workshop& workshop, const Part& part, const std::string& text,
                   const std::string& folder) {
  Built built;
  const std::string begun = starter(part, library_source(workshop, part));
  if (text == begun) {  // as it was: nothing to compile
    built.state = Built::State::undone;
    return built;
  }
  // The name in messages is short, and the compiler can read nothing beside it.
  const std::string source = folder + "/" + part.file(), object = folder + "/part.o";
  write_text(source, text);
  const Confinement tools = for_tools(workshop, folder);
  const Outcome compiled = run_confined(compile_command(workshop, source, object), tools);
  built.layers = compiled.layers;
  built.message = without(compiled.output, folder + "/");
  if (!compiled.succeeded()) {
    if (may_lack_something(compiled, tools)) require_starter_compiles(workshop, begun, folder);
    if (built.message.empty()) built.message = "the compiler " + compiled.problem() + "\n";
    return built;
  }
  built.warnings = first_lines(built.message, 12);
  built.state = Built::State::refused;
  const std::string foreign = foreign_source(object + ".d", source);
  if (!foreign.empty()) {
    built.message = "It includes " + foreign + ": a solution includes headers only.\n";
    return built;
  }
  const Symbols symbols = symbols_of(object);
  if (symbols.is_undone) {
    built.state = Built::State::undone;
    return built;
  }
  built.message = objection(symbols, part);
  if (!built.message.empty()) return built;
  built.state = Built::State::program;
  built.program = object;
  return built;
}

std::vector<std::string> compile_own(const Workshop& workshop, const Assignment& assignment,
                                     const std::string& folder) {
  std::vector<std::string> objects;
  for (const fs::path& from : {fs::path(assignment.folder), fs::path(assignment.folder) / "milestone"}) {
    if (!fs::exists(from)) continue;
    for (const auto& entry : fs::directory_iterator(from)) {
      if (entry.path().extension() != ".cpp" || entry.path().filename() == "cases.cpp") continue;
      objects.push_back(folder + "/own-" + std::to_string(objects.size()) + ".o");
      Confinement tools = for_tools(workshop, folder);
      tools.readable.push_back(entry.path().string());
      const Outcome compiled =
          run_tool(compile_command(workshop, entry.path().string(), objects.back()), tools);
      if (!compiled.succeeded())
        throw std::runtime_error(entry.path().string() + " must compile:\n" + compiled.output);
    }
  }
  return objects;
}

void join_objects(const Workshop& workshop, const std::vector<std::string>& objects, const std::string& to) {
  const ScratchFolder scratch;
  std::vector<std::string> command = {workshop.compiler, "-r", "-nostdlib",
                                      "-Wl,-z,muldefs",  "-o", scratch.path() + "/together.o"};
  append(command, objects);
  Confinement tools = for_tools(workshop, scratch.path());
  for (const std::string& object : objects) tools.readable.push_back(object);
  const Outcome joined = run_tool(command, tools);
  if (!joined.succeeded()) throw std::runtime_error("the parts do not go together:\n" + joined.output);
  fs::copy_file(scratch.path() + "/together.o", to, fs::copy_options::overwrite_existing);
}

Built build_probe(const Workshop& workshop, const Part& part, const std::string& text,
                  const std::string& folder) {
  Built built = compile_part(workshop, part, text, folder);
  if (built.state != Built::State::program) return built;
  const std::string object = built.program;
  built.program = folder + "/probe";
  const Outcome linked =
      run_tool(link_command(workshop, part, object, built.program), for_tools(workshop, folder));
  built.message = without(linked.output, folder + "/");
  built.state = linked.succeeded() ? Built::State::program : Built::State::errors;
  return built;
}

std::string probe_of_mistakes(const Workshop& workshop, const Assignment& assignment, const Part& part) {
  return probe_of_mistakes(
      workshop, part, "mistakes",
      source_of_mistakes(part, readable_source(workshop, part), read_mistakes(assignment, part)));
}

std::string probe_of_mistakes(const Workshop& workshop, const Part& part, const std::string& kind,
                              const std::string& text) {
  const std::string name = "/" + kind + "-" + part.number();
  for (const std::string& folder : {workshop.cache, workshop.own_cache})
    if (!folder.empty() && is_made_of(workshop, part, folder + name, text)) return folder + name;
  const bool is_in_build = workshop.own_cache.empty() || can_write_build(workshop);
  const std::string folder = is_in_build ? workshop.cache : workshop.own_cache, program = folder + name;
  make_folder(folder);
  const ScratchFolder scratch;
  const std::string source = scratch.path() + "/mistakes.cpp", object = scratch.path() + "/mistakes.o";
  write_file_atomically(source, text);
  const Confinement tools = for_tools(workshop, scratch.path());
  Outcome done = run_tool(compile_command(workshop, source, object), tools);
  if (done.succeeded())
    done = run_tool(link_command(workshop, part, object, scratch.path() + "/probe"), tools);
  if (!done.succeeded())
    throw std::runtime_error("the " + kind + " of part " + part.number() + " must compile:\n" + done.output);
  // Under a name of its own first: two graders may make it at the same time.
  const std::string fresh = program + "." + fs::path(scratch.path()).filename().string();
  fs::copy_file(scratch.path() + "/probe", fresh);
  fs::rename(fresh, program);
  write_file_atomically(program + ".cpp", text);
  return program;
}

bool can_write_build(const Workshop& workshop) { return access(workshop.build.c_str(), W_OK) == 0; }

bool can_be_read_by_students(const Workshop& workshop, const std::string& file) {
  const ScratchFolder scratch;
  return run_confined({"/bin/cat", file}, for_tools(workshop, scratch.path())).succeeded();
}

std::string library_source(const Workshop& workshop, const Part& part) {
  if (part.goal) return "";
  return read_text(workshop.root + "/" + (part.bug ? part.readable() : part.source));
}

std::string readable_source(const Workshop& workshop, const Part& part) {
  return read_text(workshop.root + "/" + part.readable());
}

ScratchFolder::ScratchFolder(Place place) {
  const fs::path memory = "/dev/shm";
  const bool in_memory = place == Place::memory && access(memory.c_str(), W_OK) == 0;
  path_ = ((in_memory ? memory : fs::temp_directory_path()) / "gradual-XXXXXX").string();
  if (!mkdtemp(path_.data()))
    throw std::system_error(errno, std::generic_category(), "no folder for temporary files: " + path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}
