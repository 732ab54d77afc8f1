#include "notebook.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include <gradual/core/files/atomic_file.hpp>

using namespace gradual;
namespace fs = std::filesystem;

namespace {

using Cells = nlohmann::ordered_json;

Cells cell(const Cells& all, const char* kind, const std::string& text) {
  Cells made = {
      {"cell_type", kind}, {"id", "cell-" + std::to_string(all.size())}, {"metadata", Cells::object()}};
  if (std::string(kind) == "code") {
    made["execution_count"] = nullptr;
    made["outputs"] = Cells::array();
  }
  made["source"] = text.substr(0, text.find_last_not_of('\n') + 1);
  return made;
}

}  // namespace

std::string write_notebook(const Desk& desk, const std::string& name) {
  const Assignment& assignment = whole_assignment(desk, name);
  const Coursework work(desk.workshop, desk.folder);
  work.prepare(assignment);
  const fs::path folder = fs::path(work.file_of(assignment, assignment.parts.front())).parent_path();
  const std::string path = (folder / (folder.filename().string() + ".ipynb")).string();
  if (fs::exists(path)) return path;
  const fs::path root = fs::absolute(desk.workshop.root), from = fs::absolute(folder);
  Cells cells = Cells::array();
  const auto add = [&](const char* kind, const std::string& text) {
    cells.push_back(cell(cells, kind, text));
  };
  add("markdown",
      "# " + assignment.number + " " + assignment.title + "\n\nThe handout is " +
          fs::relative(assignment.folder, from).string() +
          "/handout.md. Run a cell that begins with `%%file` to save a part, and the one below it to have "
          "it graded.");
  add("code", "#include \"" + fs::relative(root / "notebooks/grade.hpp", from).string() + "\"");
  for (const Part& part : assignment.parts) {
    add("markdown", "## " + part.number() + " " + part.title + " (" + std::to_string(part.points) +
                        " points)\n\n" + part.task);
    add("code", "%%file " + part.file() + "\n" + read_text(work.file_of(assignment, part)));
    add("code", "grade(\"" + part.number() + "\");");
  }
  const Cells notebook = {
      {"cells", cells},
      {"metadata",
       {{"kernelspec", {{"display_name", "C++17"}, {"language", "C++17"}, {"name", "xcpp17"}}},
        {"language_info", {{"file_extension", ".cpp"}, {"mimetype", "text/x-c++src"}, {"name", "c++"}}}}},
      {"nbformat", 4},
      {"nbformat_minor", 5}};
  write_file_atomically(path, notebook.dump(1) + "\n");
  return path;
}
