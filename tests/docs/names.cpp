// Checks that what pages name is there: `names ROOT PAGE.md...`.
//
//   [text](other.md#part)       a link to a file, from the page's folder, and to a heading of a page
//   `autograd/var.hpp`          a file of the repository: a path with a stroke that ends like a source
//   ```cpp title="core/x.hpp"   a quotation: the file holds these lines, however it is indented
#include <cctype>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "sections.hpp"

namespace files = std::filesystem;

namespace {

// What stands between `open` and `close`, wherever that is in a line.
std::vector<std::string> between(const std::string& line, const std::string& open, char close) {
  std::vector<std::string> found;
  for (std::size_t at = line.find(open); at != std::string::npos; at = line.find(open, at)) {
    const std::size_t first = at + open.size(), last = line.find(close, first);
    if (last == std::string::npos) break;
    found.push_back(line.substr(first, last - first));
    at = last + 1;
  }
  return found;
}

bool names_a_source(const std::string& code) {
  if (code.find('/') == std::string::npos || code.find_first_of(" *<") != std::string::npos) return false;
  const std::string ending = files::path(code).extension().string();
  return ending == ".hpp" || ending == ".cpp" || ending == ".py" || ending == ".md" || ending == ".txt";
}

std::string without_spaces(const std::string& text) {
  std::string result;
  for (const unsigned char c : text)
    if (!std::isspace(c)) result += static_cast<char>(c);
  return result;
}

void check_quotation(const files::path& root, const std::string& page, const Fence& fence) {
  const std::string title = fence.attributes.substr(7, fence.attributes.rfind('"') - 7);  // title="…"
  std::ifstream in(root / title);
  if (!in) fail(page, fence.line, "there is no file " + title + " to quote from");
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  if (without_spaces(source).find(without_spaces(fence.content)) == std::string::npos)
    fail(page, fence.line, title + " does not hold these lines");
}

void check_link(const std::string& path, int line, const std::string& target) {
  const std::size_t stroke = target.find('#');
  const std::string file = target.substr(0, stroke);
  const files::path linked = file.empty() ? files::path(path) : files::path(path).parent_path() / file;
  if (!files::exists(linked)) fail(path, line, "there is no file for the link to " + target);
  if (stroke == std::string::npos || linked.extension() != ".md") return;
  if (!find_section(sections_of(read_page(linked.string())), target.substr(stroke + 1)))
    fail(path, line, "there is no heading for the link to " + target);
}

void check(const files::path& root, const std::string& path) {
  const Page page = read_page(path);
  for (const Line& line : page.prose) {
    for (const std::string& target : between(line.text, "](", ')'))
      if (target.find("://") == std::string::npos) check_link(path, line.number, target);
    for (const std::string& code : between(line.text, "`", '`'))
      if (names_a_source(code) && !files::exists(root / code))
        fail(path, line.number, "there is no file " + code);
  }
  for (const Fence& fence : page.fences)
    if (fence.language == "cpp" && starts_with(fence.attributes, "title=\""))
      check_quotation(root, path, fence);
}

}  // namespace

int main(int argc, char** argv) {
  bool good = true;
  for (int i = 2; i < argc; ++i) {
    try {
      check(argv[1], argv[i]);
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
      good = false;
    }
  }
  return good && argc > 2 ? 0 : 1;
}
