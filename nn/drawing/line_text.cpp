#include <gradual/nn/drawing/line_text.hpp>

#include <algorithm>

#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

std::string spaces_beside(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, split_characters(text).size()), ' ');
}

}  // namespace

std::string list_text(const std::vector<std::string>& items, std::string_view separator) {
  std::string list;
  for (std::size_t i = 0; i < items.size(); ++i) list += (i == 0 ? "" : std::string(separator)) + items[i];
  return list;
}

std::string and_text(const std::vector<std::string>& items) {
  if (items.size() < 2) return list_text(items);
  return list_text({items.begin(), items.end() - 1}, ", ") + " and " + items.back();
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::string right_in(std::size_t width, const std::string& text) { return spaces_beside(text, width) + text; }
std::string left_in(std::size_t width, const std::string& text) { return text + spaces_beside(text, width); }

}  // namespace gradual
