#include <gradual/nn/language/characters.hpp>

#include <algorithm>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {

Characters Characters::of(std::string_view text) {
  std::u32string points = decode_utf8(text);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return Characters(split_characters(encode_utf8(points)));
}

Characters::Characters(std::vector<std::string> characters) : characters_(std::move(characters)) {
  if (characters_.empty()) throw std::invalid_argument("characters: there must be at least one: got none");
  for (const std::string& character : characters_) {
    if (split_characters(character).size() != 1)
      throw std::invalid_argument(text("characters: each must be a single one: got \"", character, "\""));
    if (!ids_.emplace(character, static_cast<std::int32_t>(ids_.size())).second)
      throw std::invalid_argument(text("characters: each must stand once: got \"", character, "\" twice"));
  }
}

std::vector<std::int32_t> Characters::encode(std::string_view written) const {
  std::vector<std::int32_t> ids;
  for (const std::string& character : split_characters(written)) {
    const auto found = ids_.find(character);
    if (found == ids_.end())
      throw std::invalid_argument(text("characters: each must be one of the ", size(),
                                       " that are known: got \"", token_label(character, 1), "\" at place ",
                                       ids.size() + 1));
    ids.push_back(found->second);
  }
  return ids;
}

std::string Characters::decode(const std::vector<std::int32_t>& ids) const {
  std::string written;
  for (std::int32_t id : ids) {
    if (id < 0 || id >= size())
      throw std::invalid_argument(text("characters: ids must lie in 0 … ", size() - 1, ": got ", id));
    written += characters_[static_cast<std::size_t>(id)];
  }
  return written;
}

}  // namespace gradual
