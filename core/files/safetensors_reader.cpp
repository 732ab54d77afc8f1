#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <type_traits>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/half.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/files/safetensors.hpp>

namespace gradual {
namespace {

using nlohmann::json;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as they lie in memory");

constexpr std::int64_t length_bytes = 8;  // the length of the header

// A tensor as the header describes it.
struct Entry {
  std::string name, type;
  Shape shape;
  std::int64_t begin, end;  // bytes after the header
  bool is_wanted;
};

using Wanted = std::function<bool(const std::string& name)>;

class Reader {
 public:
  Reader(const std::string& path, const Wanted& wanted) : path_(path), wanted_(wanted) {
    std::error_code error;
    static_cast<void>(std::filesystem::file_size(path_of(path), error));  // a folder can be opened
    if (error) throw FileError(path_, "cannot be read: " + error.message());
    file_.open(path_of(path), std::ios::binary);
    if (!file_) throw FileError(path_, "cannot be opened for reading");
    file_.seekg(0, std::ios::end);  // of the very file that is read: another may take its name meanwhile
    size_ = static_cast<std::int64_t>(file_.tellg());
    if (size_ < 0) throw FileError(path_, "cannot be read");
    read_header();
  }

  TensorFile read_all() {
    TensorFile result;
    result.metadata = metadata_;
    for (const Entry& entry : entries_) {
      if (!entry.is_wanted) continue;
      if (entry.type == "F32")
        result.tensors.emplace_back(entry.name, read_tensor<float>(entry));
      else if (entry.type == "F64")
        result.tensors.emplace_back(entry.name, read_tensor<double>(entry));
      else if (entry.type == "F16")
        result.tensors.emplace_back(entry.name, read_tensor<Float16>(entry));
      else if (entry.type == "BF16")
        result.tensors.emplace_back(entry.name, read_tensor<BFloat16>(entry));
      else if (entry.type == "I32")
        result.indices.emplace_back(entry.name, read_indices<std::int32_t>(entry));
      else
        result.indices.emplace_back(entry.name, read_indices<std::int64_t>(entry));
    }
    return result;
  }

 private:
  void read(std::int64_t position, void* to, std::int64_t count) {
    file_.seekg(position);
    if (!file_.read(static_cast<char*>(to), count))
      throw FileError::at_byte(path_, position, "cannot be read");
  }

  void read_header() {
    if (size_ < length_bytes)
      throw FileError::at_byte(path_, size_, "the file ends inside the length of the header");
    std::uint64_t length;
    read(0, &length, sizeof length);
    if (length > static_cast<std::uint64_t>(size_ - length_bytes))
      throw FileError::at_byte(path_, size_,
                               text("the file ends inside the header, which is ", length,
                                    " bytes long; is it a safetensors file?"));
    header_.resize(length);
    read(length_bytes, header_.data(), static_cast<std::int64_t>(length));
    data_ = length_bytes + static_cast<std::int64_t>(length);
    parse_header();
    check_layout();
  }

  // Entry by entry, so that they keep their order and a name that occurs twice is seen.
  void parse_header() {
    if (header_.empty() || header_[0] != '{')
      throw FileError::at_byte(path_, length_bytes,
                               "the header must be a JSON object; is it a safetensors file?");
    std::set<std::string> names;
    std::string name;
    const auto take_entry = [&](int depth, json::parse_event_t event, json& value) {
      if (depth != 1) return true;
      if (event == json::parse_event_t::key) {
        name = value.get<std::string>();
        if (!names.insert(name).second) fail(name, "the name occurs twice");
        return true;
      }
      const bool is_whole =
          event != json::parse_event_t::object_start && event != json::parse_event_t::array_start;
      if (is_whole) take(name, value);
      return !is_whole;
    };
    try {
      const json rest = json::parse(header_, take_entry);  // nothing: the entries were taken
    } catch (const json::parse_error& error) {
      const auto position = static_cast<std::int64_t>(error.byte) - 1;  // which is counted from 1
      throw FileError::at_byte(path_, length_bytes + position, "the header is not valid JSON");
    } catch (const json::exception&) {  // a number too large for a double
      throw FileError::at_byte(path_, length_bytes, "the header is not valid JSON");
    }
  }

  void take(const std::string& name, const json& value) {
    if (name == "__metadata__") {
      const auto is_text = [](const json& each) { return each.is_string(); };
      if (!value.is_object() || !std::all_of(value.begin(), value.end(), is_text))
        fail(name, "metadata must be an object of strings");
      metadata_ = value.get<std::map<std::string, std::string>>();
    } else {
      entries_.push_back(entry(name, value));
    }
  }

  Entry entry(const std::string& name, const json& value) const {
    const auto numbers = [&](const char* key) {
      const auto found = value.is_object() ? value.find(key) : value.end();
      const auto is_number = [](const json& each) {
        return each.is_number_unsigned() &&
               each.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
      };
      if (!value.is_object() || found == value.end() || !found->is_array() ||
          !std::all_of(found->begin(), found->end(), is_number))
        fail(name, text("\"", key, "\" must be a list of numbers that are not negative"));
      return found->get<std::vector<Index>>();
    };
    const std::vector<Index> shape = numbers("shape"), offsets = numbers("data_offsets");
    const auto type = value.find("dtype");
    if (type == value.end() || !type->is_string()) fail(name, "\"dtype\" must be a string");
    if (offsets.size() != 2 || offsets[0] > offsets[1])
      fail(name, "\"data_offsets\" must be where the numbers begin and where they end");

    Entry result{name, type->get<std::string>(), {}, offsets[0], offsets[1], !wanted_ || wanted_(name)};
    if (!result.is_wanted) return result;
    try {
      result.shape = Shape(shape);
    } catch (const std::invalid_argument& error) {
      fail(name, error.what());
    }
    const std::int64_t bytes = result.end - result.begin, size = size_of_type(result);
    if (bytes % size != 0 || bytes / size != result.shape.size())
      fail(name, text("shape ", result.shape, " of ", result.type, " does not take the ", bytes,
                      " bytes that its offsets give it"));
    return result;
  }

  std::int64_t size_of_type(const Entry& entry) const {
    if (entry.type == "F32" || entry.type == "I32") return 4;
    if (entry.type == "F64" || entry.type == "I64") return 8;
    if (entry.type == "F16" || entry.type == "BF16") return 2;
    fail(entry.name, text("data type \"", entry.type, "\" is not one of F16, BF16, F32, F64, I32 and I64"));
  }

  // The format lets tensors neither overlap nor leave gaps.
  void check_layout() const {
    std::vector<const Entry*> by_position;
    for (const Entry& entry : entries_) by_position.push_back(&entry);
    std::sort(by_position.begin(), by_position.end(), [](const Entry* a, const Entry* b) {
      return std::make_pair(a->begin, a->end) < std::make_pair(b->begin, b->end);
    });
    const std::int64_t there = size_ - data_;
    std::int64_t end = 0;
    for (const Entry* entry : by_position) {
      if (entry->begin < end) fail(entry->name, "its numbers overlap those of another tensor");
      if (entry->begin > end)
        fail(entry->name, text(entry->begin - end, " bytes before it belong to no tensor"));
      end = entry->end;
      if (end > there)
        throw FileError::at_byte(path_, size_, text("the file ends inside tensor \"", entry->name, "\""));
    }
    if (end < there)
      throw FileError::at_byte(path_, data_ + end, text(there - end, " bytes after the last tensor"));
  }

  // Converts piece by piece, so that no second copy is whole in memory.
  template <class From, class Take>
  void read_numbers(const Entry& entry, Take take) {
    std::vector<From> piece(static_cast<std::size_t>(std::min<Index>(entry.shape.size(), 1 << 16)));
    for (Index done = 0; done < entry.shape.size(); done += static_cast<Index>(piece.size())) {
      piece.resize(static_cast<std::size_t>(
          std::min<Index>(static_cast<Index>(piece.size()), entry.shape.size() - done)));
      read(data_ + entry.begin + done * static_cast<Index>(sizeof(From)), piece.data(),
           static_cast<std::int64_t>(piece.size() * sizeof(From)));
      for (std::size_t i = 0; i < piece.size(); ++i) take(done + static_cast<Index>(i), piece[i]);
    }
  }

  template <class From>
  Tensor read_tensor(const Entry& entry) {
    Tensor result(entry.shape);
    Real* to = result.unguarded_data();
    if constexpr (std::is_same_v<From, Real>)
      read(data_ + entry.begin, to, entry.end - entry.begin);
    else
      read_numbers<From>(entry, [&](Index i, From number) { to[i] = static_cast<Real>(number); });
    return result;
  }

  template <class From>
  Indices read_indices(const Entry& entry) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(entry.shape.size()));
    read_numbers<From>(entry, [&](Index i, From number) {
      values[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(number);
      if (values[static_cast<std::size_t>(i)] != number)
        throw FileError::at_byte(
            path_, data_ + entry.begin + i * static_cast<Index>(sizeof(From)),
            text("number ", number, " of tensor \"", entry.name, "\" does not fit 32 bits"));
    });
    return Indices(entry.shape, std::move(values));
  }

  [[noreturn]] void fail(const std::string& name, const std::string& problem) const {
    // Where the header names the tensor, the last time when it does so twice.
    const std::size_t found = header_.rfind(nlohmann::ordered_json(name).dump());
    throw FileError::at_byte(path_,
                             length_bytes + static_cast<std::int64_t>(found == std::string::npos ? 0 : found),
                             text("tensor \"", name, "\": ", problem));
  }

  std::string path_;
  Wanted wanted_;
  std::ifstream file_;
  std::int64_t size_ = 0;
  std::int64_t data_ = 0;  // where the numbers start
  std::string header_;
  std::vector<Entry> entries_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace

TensorFile load_tensors(const std::string& path, const Wanted& wanted) {
  return Reader(path, wanted).read_all();
}

}  // namespace gradual
