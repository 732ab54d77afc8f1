// Makes a Jupyter notebook of each chapter of the book; the chapter stays the only source.
//
//   notebook write FOLDER PAGE.md...     writes FOLDER/PAGE.ipynb for each page
//   notebook check FOLDER PAGE.md...     fails unless FOLDER holds just that
//
// Live cells become code cells, and what they print is stored with them, so that a notebook reads like the
// page before it runs, and whoever runs it sees what was promised. A picture is stored as a link to the
// page's own, with its description; running the cell draws it in the same place. Links lead from FOLDER to
// where they led from the page, or to another notebook. The cells of a hidden solution are folded in, as are
// those of any other fold.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "cells.hpp"

namespace files = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

// A text as notebooks hold it: its lines, the last without its end.
Json lines_of(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  std::istringstream in(text);
  Json lines = Json::array();
  for (std::string line; std::getline(in, line);) lines.push_back(in.eof() ? line : line + "\n");
  return lines;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \n") == std::string::npos; }

std::string without_blank_ends(const std::string& text) {
  return is_blank(text) ? "" : text.substr(text.find_first_not_of('\n'), text.find_last_not_of(" \n") + 1);
}

// ---- where links lead ----

class Links {
 public:
  Links(const std::string& page, const std::string& notebooks, const std::vector<std::string>& pages)
      : page_(files::absolute(page)), notebooks_(files::absolute(notebooks)) {
    for (const std::string& other : pages) chapters_.push_back(files::absolute(other).lexically_normal());
  }

  // The same target as seen from the folder of the notebooks.
  std::string target(const std::string& from_page) const {
    if (from_page.find("://") != std::string::npos || starts_with(from_page, "#")) return from_page;
    const std::size_t hash = from_page.find('#');
    const std::string part = hash == std::string::npos ? "" : from_page.substr(hash);
    const files::path file = (page_.parent_path() / from_page.substr(0, hash)).lexically_normal();
    for (const files::path& chapter : chapters_)
      if (file == chapter) return chapter.stem().string() + ".ipynb" + part;
    return file.lexically_relative(notebooks_).generic_string() + part;
  }

  // A line of prose with all its links made so.
  std::string rewritten(const std::string& line) const {
    std::string result;
    std::size_t from = 0;
    for (std::size_t at = line.find("]("); at != std::string::npos; at = line.find("](", from)) {
      const std::size_t end = line.find(')', at);
      if (end == std::string::npos) break;
      result += line.substr(from, at + 2 - from) + target(line.substr(at + 2, end - at - 2));
      from = end;
    }
    return result + line.substr(from);
  }

 private:
  files::path page_, notebooks_;
  std::vector<files::path> chapters_;
};

// ---- the notebook ----

// The name of the picture that `code` shows; empty if it shows none.
std::string picture_of(const std::string& code) {
  const std::string call = "show(\"";
  const std::size_t at = code.find(call);
  if (at == std::string::npos) return "";
  return code.substr(at + call.size(), code.find('"', at + call.size()) - at - call.size());
}

class Notebook {
 public:
  Notebook(const Page& page, const Links& links) : links_(links) {
    std::ifstream in(page.path);
    int number = 0, skip_until = 0;
    auto fence = page.fences.begin();
    for (std::string line; std::getline(in, line);) {
      if (++number < skip_until) continue;
      if (fence != page.fences.end() && number == fence->line) {
        skip_until = number + 2 + count_lines(fence->content);
        add_fence(page, fence++ - page.fences.begin(), line);
      } else {
        add_line(line);
      }
    }
    end_text();
  }

  std::string json() const {
    const Json kernel = {{"display_name", "C++17"}, {"language", "C++17"}, {"name", "xcpp17"}};
    const Json language = {{"codemirror_mode", "text/x-c++src"},
                           {"file_extension", ".cpp"},
                           {"mimetype", "text/x-c++src"},
                           {"name", "c++"},
                           {"version", "17"}};
    const Json notebook = {{"cells", cells_},
                           {"metadata", {{"kernelspec", kernel}, {"language_info", language}}},
                           {"nbformat", 4},
                           {"nbformat_minor", 4}};
    return notebook.dump(1) + "\n";
  }

 private:
  static int count_lines(const std::string& text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }

  void add_line(const std::string& line) {
    if (line == file_scope) return;
    if (starts_with(line, "<details")) {
      end_text();
      folded_ = true;
      summary_ = line.substr(line.find("<summary>"));
    } else if (line == "</details>") {
      end_text();
      folded_ = false;
    } else if (!picture_.empty() && line.find("](figures/" + picture_ + ".svg)") != std::string::npos) {
      describe_picture(line.substr(2, line.find("](") - 2));
    } else {
      text_ += links_.rewritten(line) + "\n";
    }
  }

  // What the picture above shows, for those who cannot see it.
  void describe_picture(const std::string& text) {
    for (auto cell = cells_.rbegin(); cell != cells_.rend(); ++cell) {
      if ((*cell)["cell_type"] != "code") continue;
      Json& data = (*cell)["outputs"].back()["data"];
      const std::string link = data["text/markdown"];
      data["text/markdown"] = "![" + text + link.substr(link.find("]("));
      return;
    }
  }

  void add_fence(const Page& page, std::ptrdiff_t index, const std::string& opening) {
    const Fence& fence = page.fences[static_cast<std::size_t>(index)];
    if (is_output(fence)) return;
    if (fence.language != "c++") {
      text_ += opening + "\n" + fence.content + "```\n";
      return;
    }
    end_text();
    const auto next = page.fences.begin() + index + 1;
    const std::string expected = next != page.fences.end() && is_output(*next) ? next->content : "";
    picture_ = picture_of(fence.content);
    if (!picture_.empty() && !displays_) {
      displays_ = true;
      add_code("#include \"notebook_display.hpp\"\n", "");
    }
    add_code(fence.content, expected);
  }

  // The text since the last code cell becomes a cell. Inside of a fold it can be opened and closed.
  void end_text() {
    std::string text = without_blank_ends(text_);
    text_.clear();
    if (text.empty()) return;
    if (folded_) text = "<details>" + summary_ + "\n\n" + text + "\n\n</details>";
    cells_.push_back({{"cell_type", "markdown"}, {"metadata", Json::object()}, {"source", lines_of(text)}});
  }

  void add_code(const std::string& code, const std::string& expected) {
    Json outputs = Json::array(), metadata = Json::object();
    if (!is_blank(expected))
      outputs.push_back({{"name", "stdout"}, {"output_type", "stream"}, {"text", lines_of(expected)}});
    if (!picture_.empty() && picture_of(code) == picture_) {
      const std::string link = "![" + picture_ + "](" + links_.target("figures/" + picture_ + ".svg") + ")";
      outputs.push_back({{"data", {{"text/markdown", link}}},
                         {"metadata", Json::object()},
                         {"output_type", "display_data"}});
    }
    if (folded_) metadata["jupyter"] = {{"outputs_hidden", true}, {"source_hidden", true}};
    cells_.push_back({{"cell_type", "code"},
                      {"execution_count", nullptr},
                      {"metadata", metadata},
                      {"outputs", outputs},
                      {"source", lines_of(code)}});
  }

  const Links& links_;
  Json cells_ = Json::array();
  std::string text_, picture_;  // the text since the last cell; the picture that the last code cell shows
  std::string summary_;         // the name of the last fold, <summary>…</summary>
  bool folded_ = false, displays_ = false;
};

std::map<files::path, std::string> notebooks_of(const std::string& folder,
                                                const std::vector<std::string>& pages) {
  std::map<files::path, std::string> notebooks;
  for (const std::string& page : pages) {
    const files::path file = files::path(folder) / files::path(page).filename().replace_extension(".ipynb");
    notebooks[file] = Notebook(read_page(page), Links(page, folder, pages)).json();
  }
  return notebooks;
}

void check(const std::string& folder, const std::map<files::path, std::string>& notebooks) {
  std::string problems;
  for (const auto& [file, json] : notebooks) {
    std::ifstream in(file, std::ios::binary);
    if (std::string{std::istreambuf_iterator<char>(in), {}} != json)
      problems += file.string() + ": this is not what its chapter makes\n";
  }
  for (const files::directory_entry& entry : files::directory_iterator(folder))
    if (entry.path().extension() == ".ipynb" && !notebooks.count(entry.path()))
      problems += entry.path().string() + ": there is no chapter for it\n";
  if (!problems.empty()) throw std::runtime_error(problems + "To make the notebooks anew: ./run book");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string task = argc > 2 ? argv[1] : "";
    if (task != "write" && task != "check")
      throw std::runtime_error("usage: notebook write FOLDER PAGE.md... | notebook check FOLDER PAGE.md...");
    const std::map<files::path, std::string> notebooks = notebooks_of(argv[2], {argv + 3, argv + argc});
    if (task == "check") check(argv[2], notebooks);
    if (task == "write")
      for (const auto& [file, json] : notebooks) std::ofstream(file, std::ios::binary) << json;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
