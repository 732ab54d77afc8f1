// Files of named tensors: round trips, files from other programs, and every way in which a file can be
// damaged.
#include <gradual/core/files/safetensors.hpp>

#include <cstdint>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// What load_tensors says of a file with this header and this many bytes of numbers, after the path.
std::string complaint(const std::string& header, std::size_t bytes = 0) {
  return complaint_about<FileError>(safetensors_bytes(header, std::string(bytes, '\1')),
                                    [](const std::string& path) { load_tensors(path); });
}

// As the Python package writes it: safetensors_reference.py write.
const std::string python_file = safetensors_bytes(
    "{\"__metadata__\":{\"made by\":\"python\",\"épo\\\"que\":\"3\"},"
    "\"ids\":{\"dtype\":\"I64\",\"shape\":[2,2],\"data_offsets\":[0,32]},"
    "\"scalar\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[32,40]},"
    "\"empty\":{\"dtype\":\"F32\",\"shape\":[2,0],\"data_offsets\":[40,40]},"
    "\"weight\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[40,64]},"
    "\"lengths\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[64,72]}}      ",
    std::string(
        "\x03\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f\0\0\0\0\0\0\0\0\0\0\0\0"
        "\x9a\x99\x99\x99\x99\x99\xb9\x3f\0\0\x80\x3f\0\0\x20\xc0\x18\x0d\x8f\x4d\0\0\0\0\0\0\0\x80\xab"
        "\xaa\xaa\x3e\x04\0\0\0\x05\0\0\0",
        72));

TensorFile small_file() {
  TensorFile file;
  file.tensors = {{"weight", Tensor({2, 3}, {1, Real(-2.5), Real(3e8), 0, Real(-0.0), Real(1) / 3})},
                  {"a scalar", Tensor::scalar(Real(0.1))},
                  {"empty", Tensor({2, 0})}};
  file.indices = {{"ids", Indices({2, 2}, {3, -1, 2147483647, 0})}};
  file.metadata = {{"épo\"que", "3"}, {"made by", "gradual"}};
  return file;
}

}  // namespace

TEST_CASE("safetensors: tensors, indices and metadata come back to the bit, in their order") {
  const TestFolder folder;
  const TensorFile before = small_file();
  save_tensors(folder / "file", before);
  const TensorFile after = load_tensors(folder / "file");
  REQUIRE(after.tensors.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(after.tensors[i].first == before.tensors[i].first);
    CHECK(after.tensors[i].second.shape() == before.tensors[i].second.shape());
    CHECK(after.tensors[i].second.to_vector() == before.tensors[i].second.to_vector());
  }
  CHECK(std::signbit(after.tensors[0].second({1, 1})));
  REQUIRE(after.indices.size() == 1);
  CHECK(after.indices[0].first == "ids");
  CHECK(after.indices[0].second.shape() == Shape{2, 2});
  CHECK(std::vector<std::int32_t>(after.indices[0].second.begin(), after.indices[0].second.end()) ==
        std::vector<std::int32_t>{3, -1, 2147483647, 0});
  CHECK(after.metadata == before.metadata);
}

TEST_CASE("safetensors: infinities and what is not a number come back") {
  const TestFolder folder;
  save_tensors(folder / "file",
               {{{"x", Tensor({3}, {infinity, -infinity, std::numeric_limits<Real>::quiet_NaN()})}}, {}, {}});
  const Tensor x = load_tensors(folder / "file").tensors[0].second;
  CHECK(x({0}) == infinity);
  CHECK(x({1}) == -infinity);
  CHECK(std::isnan(x({2})));
}

TEST_CASE("safetensors: a view of some rows is written as these rows") {
  const TestFolder folder;
  save_tensors(folder / "file", {{{"rows", Tensor::arange(12).with_shape({4, 3}).rows(1, 3)}}, {}, {}});
  CHECK(load_tensors(folder / "file").tensors[0].second.to_vector() == std::vector<Real>{3, 4, 5, 6, 7, 8});
}

TEST_CASE("safetensors: a file without tensors, and one without metadata") {
  const TestFolder folder;
  save_tensors(folder / "file", {});
  CHECK(content(folder / "file") == safetensors_bytes("{}      ", ""));
  CHECK(load_tensors(folder / "file").tensors.empty());
}

TEST_CASE("safetensors: the bytes are as the format says, numbers from a multiple of eight on") {
  const TestFolder folder;
  save_tensors(folder / "file", {{}, {{"ids", Indices({2}, {1, -2})}}, {{"k", "v"}}});
  CHECK(content(folder / "file") ==
        safetensors_bytes("{\"__metadata__\":{\"k\":\"v\"},"
                          "\"ids\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]}}       ",
                          std::string("\1\0\0\0\xfe\xff\xff\xff", 8)));
}

TEST_CASE("safetensors: a file of the Python package is read, whichever its number types") {
  const TestFolder folder;
  const TensorFile file = load_tensors(folder.write("file", python_file));
  REQUIRE(file.tensors.size() == 3);
  CHECK(file.tensors[0].first == "scalar");
  CHECK(file.tensors[0].second.item() == Real(0.1));
  CHECK(file.tensors[1].first == "empty");
  CHECK(file.tensors[1].second.shape() == Shape{2, 0});
  CHECK(file.tensors[2].first == "weight");
  CHECK(file.tensors[2].second.shape() == Shape{2, 3});
  CHECK(file.tensors[2].second.to_vector() == std::vector<Real>{1, -2.5, 3e8, 0, 0, Real(float(1) / 3)});
  REQUIRE(file.indices.size() == 2);
  CHECK(file.indices[0].second.shape() == Shape{2, 2});
  CHECK(file.indices[0].second[1] == -1);
  CHECK(file.indices[0].second[2] == 2147483647);
  CHECK(file.indices[1].second[1] == 5);
  CHECK(file.metadata == std::map<std::string, std::string>{{"made by", "python"}, {"épo\"que", "3"}});
}

TEST_CASE("safetensors: more numbers than are converted at once come back in their places") {
  const TestFolder folder;
  std::string numbers;
  std::vector<std::int32_t> expected;
  for (std::int32_t i = 0; i < 200000; ++i) {
    expected.push_back(i * 7);
    const std::int64_t wide = i * 7;
    numbers.append(reinterpret_cast<const char*>(&wide), 8);
  }
  const std::string header = R"({"x":{"dtype":"I64","shape":[200000],"data_offsets":[0,1600000]}})";
  const Indices ids =
      load_tensors(folder.write("file", safetensors_bytes(header, numbers))).indices[0].second;
  CHECK(std::equal(expected.begin(), expected.end(), ids.begin(), ids.end()));
}

TEST_CASE("safetensors: find names a tensor") {
  const TensorFile file = small_file();
  REQUIRE(file.find("a scalar") != nullptr);
  CHECK(file.find("a scalar")->item() == Real(0.1));
  CHECK(file.find("ids") == nullptr);
}

TEST_CASE("safetensors: what cannot be saved is refused by name, and nothing is written") {
  const TestFolder folder;
  const auto refusal = [&](const TensorFile& file) {
    const std::string message =
        message_of<std::invalid_argument>([&] { save_tensors(folder / "file", file); });
    CHECK_FALSE(std::filesystem::exists(folder / "file"));
    return message;
  };
  const Tensor x = Tensor::ones({2});
  CHECK(refusal({{{"x", x}, {"x", x}}, {}, {}}) ==
        "save_tensors: each name must occur once and not be \"__metadata__\": got \"x\"");
  CHECK(refusal({{{"x", x}}, {{"x", Indices()}}, {}}) ==
        "save_tensors: each name must occur once and not be \"__metadata__\": got \"x\"");
  CHECK(refusal({{{"__metadata__", x}}, {}, {}}) ==
        "save_tensors: each name must occur once and not be \"__metadata__\": got \"__metadata__\"");
  CHECK(refusal({{{"x", Tensor()}}, {}, {}}) ==
        "save_tensors: each tensor must have a value: \"x\" has none");
  CHECK(refusal({{{"\xff", x}}, {}, {}}) == "save_tensors: names and metadata must be UTF-8");
  CHECK(refusal({{}, {}, {{"k", "\xff"}}}) == "save_tensors: names and metadata must be UTF-8");
}

TEST_CASE("safetensors: a file that is missing, a folder, or cannot be written is an error with its path") {
  const TestFolder folder;
  const std::string missing = folder / "missing", place = folder / ".", inside = folder / "missing/file";
  CHECK(message_of<FileError>([&] { load_tensors(missing); }) ==
        missing + ": cannot be read: No such file or directory");
  CHECK(message_of<FileError>([&] { load_tensors(place); }) == place + ": cannot be read: Is a directory");
  CHECK(message_of<FileError>([&] { save_tensors(inside, small_file()); }) ==
        inside + ": cannot be written: No such file or directory");
}

TEST_CASE("safetensors: a file that is cut short anywhere says at which byte it ends") {
  const TestFolder folder;
  for (std::size_t size = 0; size < python_file.size(); ++size) {
    const std::string path = folder.write("cut", python_file.substr(0, size));
    const std::string message = message_of<FileError>([&] { load_tensors(path); });
    INFO(size);
    CHECK_THAT(message, Contains(path + ": byte " + std::to_string(size) + ": the file ends inside "));
  }
}

TEST_CASE("safetensors: a file with a byte changed is read or refused, but breaks nothing") {
  const TestFolder folder;
  Random random(1);
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string bytes = python_file;
    for (Index changes = 1 + random.below(3); changes > 0; --changes)
      bytes[static_cast<std::size_t>(random.below(static_cast<Index>(bytes.size())))] =
          static_cast<char>(random.below(256));
    const std::string path = folder.write("changed", bytes);
    try {
      load_tensors(path);
    } catch (const FileError& error) {
      ++refused;
      CHECK_THAT(error.what(), Contains(": byte "));
    }
  }
  CHECK(refused > 300);
  CHECK(refused < 1000);
}

TEST_CASE("safetensors: what is not such a file says so") {
  const TestFolder folder;
  const std::string text_file = folder.write("corpus.tsv", "Go.\tVa !\nHi.\tSalut !\n");
  CHECK_THAT(message_of<FileError>([&] { load_tensors(text_file); }),
             Contains(": byte 21: the file ends inside the header, which is ") &&
                 Contains(" bytes long; is it a safetensors file?"));
  CHECK(complaint("") == ": byte 8: the header must be a JSON object; is it a safetensors file?");
  CHECK(complaint("[1, 2]") == ": byte 8: the header must be a JSON object; is it a safetensors file?");
  CHECK(complaint("{\"x\": }") == ": byte 14: the header is not valid JSON");
  CHECK(complaint("{} {}") == ": byte 11: the header is not valid JSON");
  CHECK(complaint("{\"x\": 1e999}") == ": byte 8: the header is not valid JSON");
  CHECK(complaint("{\"\xff\": 1}") == ": byte 10: the header is not valid JSON");
  CHECK_THAT(complaint("{\"x\": " + std::string(100000, '[')), Contains("the header is not valid JSON"));
}

TEST_CASE("safetensors: entries that do not describe a tensor are refused at their place in the header") {
  const std::string at_x = ": byte 9: tensor \"x\": ";
  CHECK(complaint(R"({"x":1})") == at_x + "\"shape\" must be a list of numbers that are not negative");
  CHECK(complaint(R"({"x":[1]})") == at_x + "\"shape\" must be a list of numbers that are not negative");
  CHECK(complaint(R"({"x":{"dtype":"F32","data_offsets":[0,0]}})") ==
        at_x + "\"shape\" must be a list of numbers that are not negative");
  CHECK(complaint(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4) ==
        at_x + "\"shape\" must be a list of numbers that are not negative");
  CHECK(complaint(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4.5]}})", 4) ==
        at_x + "\"data_offsets\" must be a list of numbers that are not negative");
  CHECK(complaint(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]}})") ==
        at_x + "\"data_offsets\" must be a list of numbers that are not negative");
  CHECK(complaint(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4]}})", 4) ==
        at_x + "\"data_offsets\" must be where the numbers begin and where they end");
  CHECK(complaint(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})", 8) ==
        at_x + "\"data_offsets\" must be where the numbers begin and where they end");
  CHECK(complaint(R"({"x":{"shape":[1],"data_offsets":[0,4]}})", 4) == at_x + "\"dtype\" must be a string");
  CHECK(complaint(R"({"x":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]}})", 4) ==
        at_x + "data type \"F8_E4M3\" is not one of F16, BF16, F32, F64, I32 and I64");
  CHECK(complaint(R"({"x":{"dtype":"BF16","shape":[1],"data_offsets":[0,4]}})", 4) ==
        at_x + "shape [1] of BF16 does not take the 4 bytes that its offsets give it");
  CHECK(complaint(R"({"x":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})", 4) ==
        at_x + "shape: at most 8 axes: [1, 1, 1, 1, 1, 1, 1, 1] is full");
  CHECK(complaint(R"({"__metadata__":{"epoch":3}})") ==
        ": byte 9: tensor \"__metadata__\": metadata must be an object of strings");
}

// What struct.pack("<e", x) gives in Python for 1, -2 and 1/3; and the upper halves of these as floats.
TEST_CASE("safetensors: tensors in half precision become the numbers that they hold") {
  const TestFolder folder;
  const std::string header = R"({"half":{"dtype":"F16","shape":[3],"data_offsets":[0,6]},)"
                             R"("brain":{"dtype":"BF16","shape":[1,3],"data_offsets":[6,12]}})";
  const std::string numbers("\x00\x3c\x00\xc0\x55\x35\x80\x3f\x00\xc0\xaa\x3e", 12);
  const TensorFile file = load_tensors(folder.write("file", safetensors_bytes(header, numbers)));
  REQUIRE(file.tensors.size() == 2);
  CHECK(file.find("half")->to_vector() == std::vector<Real>{1, -2, Real(0.333251953125)});
  CHECK(file.find("brain")->shape() == Shape{1, 3});
  CHECK(file.find("brain")->to_vector() == std::vector<Real>{1, -2, Real(0.33203125)});
}

TEST_CASE("safetensors: tensors that are not wanted may be of any type, but lie where they say") {
  const TestFolder folder;
  const auto is_a = [](const std::string& name) { return name == "a"; };
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[3,7]},)"
                             R"("b":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})";
  const std::string path =
      folder.write("file", safetensors_bytes(header, "\1\1\1" + std::string("\0\0\x80\x3f", 4)));
  const TensorFile file = load_tensors(path, is_a);
  REQUIRE(file.tensors.size() == 1);
  CHECK(file.tensors[0].first == "a");
  CHECK(file.tensors[0].second.to_vector() == std::vector<Real>{1});
  CHECK(file.indices.empty());
  CHECK_THAT(message_of<FileError>([&] { load_tensors(path); }),
             Contains("tensor \"b\": data type \"BOOL\" is not one of"));
  const std::string gap = folder.write("gap", safetensors_bytes(header, "\1\1" + std::string(4, '\0')));
  CHECK_THAT(message_of<FileError>([&] { load_tensors(gap, is_a); }),
             Contains("the file ends inside tensor \"a\""));
}

TEST_CASE("safetensors: sizes that do not match the shape are refused, overflowing ones too") {
  CHECK(complaint(R"({"x":{"dtype":"F32","shape":[2,3],"data_offsets":[0,20]}})", 20) ==
        ": byte 9: tensor \"x\": shape [2, 3] of F32 does not take the 20 bytes that its offsets give it");
  // 2³² · 2³² · 4 is 0 in 64 bits.
  CHECK_THAT(complaint(R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})"),
             Contains("shape: too many elements to count: [4294967296, 4294967296]"));
  CHECK_THAT(complaint(R"({"x":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})"),
             Contains("does not take the 0 bytes"));
}

TEST_CASE("safetensors: tensors that overlap, leave a gap, or do not reach the end of the file are refused") {
  const auto two = [](const std::string& first, const std::string& second) {
    return complaint(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":)" + first +
                         R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + second + "}}",
                     12);
  };
  CHECK(two("[0,8]", "[8,12]") == "no error");
  CHECK(two("[4,12]", "[0,4]") == "no error");
  CHECK(two("[0,8]", "[4,8]") == ": byte 62: tensor \"b\": its numbers overlap those of another tensor");
  CHECK(two("[0,8]", "[0,4]") == ": byte 9: tensor \"a\": its numbers overlap those of another tensor");
  CHECK(two("[0,8]", "[9,13]") == ": byte 62: tensor \"b\": 1 bytes before it belong to no tensor");
  CHECK_THAT(complaint(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 9),
             Contains("1 bytes after the last tensor"));
  CHECK_THAT(complaint(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 7),
             Contains(": byte 69: the file ends inside tensor \"a\""));
  // The last offset and the length of the header together are more than 63 bits count.
  CHECK_THAT(
      complaint(
          R"({"a":{"dtype":"F32","shape":[2305843009213693951],"data_offsets":[0,9223372036854775804]}})", 4),
      Contains("the file ends inside tensor \"a\""));
}

TEST_CASE("safetensors: a name that occurs twice is refused at its second place") {
  CHECK(complaint(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
                  R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                  4) == ": byte 61: tensor \"a\": the name occurs twice");
}

TEST_CASE("safetensors: whole numbers beyond 32 bits are refused with their place") {
  const TestFolder folder;
  const std::string header = R"({"a":{"dtype":"I64","shape":[2],"data_offsets":[0,16]}})";
  const std::string numbers("\1\0\0\0\0\0\0\0\0\0\0\x80\0\0\0\0", 16);
  CHECK_THAT(
      message_of<FileError>([&] { load_tensors(folder.write("file", safetensors_bytes(header, numbers))); }),
      Contains("byte 71: number 2147483648 of tensor \"a\" does not fit 32 bits"));
}
