// Our own reader and writer, as xtensor's reader (0.24) takes a file that is cut short for a whole one.
#include <gradual/core/files/npy.hpp>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/xtensor.hpp>

namespace gradual {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "numbers are read and written as they lie in memory");

constexpr std::string_view magic("\x93NUMPY", 6);

std::string read_file(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_of(path), error);
  if (error) throw FileError(path, "cannot be read: " + error.message());
  std::string bytes(size, '\0');
  std::ifstream file(path_of(path), std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) throw FileError(path, "cannot be read");
  return bytes;
}

// What the file says of its numbers: a Python dictionary such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class Header {
 public:
  Header(const std::string& path, std::string_view bytes) : path_(path) {
    if (bytes.substr(0, magic.size()) != magic) fail(0, "a .npy file starts with \\x93NUMPY");
    if (bytes.size() < magic.size() + 2) fail(bytes.size(), "the file ends inside the header");
    const int version = bytes[magic.size()];
    if (version < 1 || version > 3) fail(magic.size(), text("format version ", version, " is not 1, 2 or 3"));
    const std::size_t length_size = version == 1 ? 2 : 4, start = magic.size() + 2 + length_size;
    if (bytes.size() < start) fail(bytes.size(), "the file ends inside the header");
    std::size_t length = 0;
    std::memcpy(&length, bytes.data() + magic.size() + 2, length_size);
    if (length > bytes.size() - start) fail(bytes.size(), "the file ends inside the header");
    position = start + length;
    words_ = bytes.substr(start, length);

    type = between("descr", '\'', '\'');
    shape = parsed_shape(between("shape", '(', ')'));
    const std::string_view order = value_of("fortran_order");
    is_fortran_order = order.substr(0, 4) == "True";
    if (!is_fortran_order && order.substr(0, 5) != "False") fail_at("fortran_order");
  }

  std::string_view type;
  bool is_fortran_order;
  Shape shape;
  std::size_t position;  // of the first number

  [[noreturn]] void fail(std::size_t byte, const std::string& problem) const {
    throw FileError::at_byte(path_, static_cast<std::int64_t>(byte), problem);
  }

 private:
  [[noreturn]] void fail_at(const char* key) const {
    fail(position - words_.size(), text("the header does not say a valid '", key, "'"));
  }

  // What follows a key and its colon.
  std::string_view value_of(const char* key) const {
    const std::string quoted = text("'", key, "':");
    const std::size_t found = words_.find(quoted);
    if (found == std::string_view::npos) fail_at(key);
    const std::size_t value = words_.find_first_not_of(' ', found + quoted.size());
    return words_.substr(std::min(value, words_.size()));
  }

  std::string_view between(const char* key, char open, char close) const {
    const std::string_view value = value_of(key);
    const std::size_t end = value.find(close, 1);
    if (value.empty() || value[0] != open || end == std::string_view::npos) fail_at(key);
    return value.substr(1, end - 1);
  }

  // Sizes with a comma between or after them: "", "3," or "2, 3".
  Shape parsed_shape(std::string_view list) const {
    std::vector<Index> sizes;
    while (!list.empty()) {
      const char* const end = list.data() + list.size();
      const auto [stop, error] = std::from_chars(list.data(), end, sizes.emplace_back());
      if (error != std::errc() || (stop != end && *stop != ',')) fail_at("shape");
      list.remove_prefix(static_cast<std::size_t>(stop - list.data()));
      list.remove_prefix(std::min(list.find_first_not_of(", "), list.size()));
    }
    try {
      return Shape(sizes);
    } catch (const std::invalid_argument& error) {
      fail(position - words_.size(), error.what());
    }
  }

  const std::string& path_;
  std::string_view words_;
};

template <class From>
Tensor numbers(const Header& header, std::string_view bytes) {
  const std::size_t there = bytes.size() - header.position;
  if (there % sizeof(From) != 0 || static_cast<Index>(there / sizeof(From)) != header.shape.size())
    header.fail(bytes.size(), text("shape ", header.shape, " of ", header.type, " does not take the ", there,
                                   " bytes after the header"));
  std::vector<From> values(there / sizeof(From));
  if (!values.empty()) std::memcpy(values.data(), bytes.data() + header.position, there);

  std::vector<std::size_t> strides(static_cast<std::size_t>(header.shape.rank()));
  const std::vector<std::size_t> shape = xtensor_shape(header.shape);
  xt::compute_strides(
      shape, header.is_fortran_order ? xt::layout_type::column_major : xt::layout_type::row_major, strides);
  const auto view = xt::adapt(values.data(), values.size(), xt::no_ownership(), shape, strides);
  return from_xtensor(xt::cast<Real>(view));
}

}  // namespace

void save_npy(const std::string& path, const Tensor& tensor) {
  if (!tensor.defined()) throw std::invalid_argument("save_npy: the tensor must have a value: it has none");
  std::string sizes;
  for (Index size : tensor.shape()) sizes += std::to_string(size) + ",";
  std::string header =
      text("{'descr': '<f", sizeof(Real), "', 'fortran_order': False, 'shape': (", sizes, "), }");
  const std::size_t before = magic.size() + 4;  // with the version and the length
  header.resize((before + header.size() + 64) / 64 * 64 - before - 1, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());

  write_file_atomically(path, [&](const ByteSink& write) {
    write(magic);
    write(std::string_view("\1\0", 2));
    write({reinterpret_cast<const char*>(&length), sizeof length});
    write(header);
    write({reinterpret_cast<const char*>(tensor.data()),
           static_cast<std::size_t>(tensor.size()) * sizeof(Real)});
  });
}

Tensor load_npy(const std::string& path) {
  const std::string bytes = read_file(path);
  const Header header(path, bytes);
  if (header.type == "<f4") return numbers<float>(header, bytes);
  if (header.type == "<f8") return numbers<double>(header, bytes);
  if (header.type == "<i4") return numbers<std::int32_t>(header, bytes);
  if (header.type == "<i8") return numbers<std::int64_t>(header, bytes);
  header.fail(0, text("number type '", header.type, "' is not one of <f4, <f8, <i4 and <i8"));
}

}  // namespace gradual
