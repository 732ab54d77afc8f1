#include <gradual/core/files/npy.hpp>

#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// A file as numpy.save (2.4) writes it: the header filled with spaces to 128 bytes.
std::string numpy_file(const std::string& dictionary, const std::string& numbers) {
  std::string header = dictionary;
  header.resize(117, ' ');
  return std::string("\x93NUMPY\1\0v\0", 10) + header + "\n" + numbers;
}

// numpy.array([[1, 2.5, -3], [4, 5, 1/3]], float32)
const std::string float_file =
    numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
               std::string("\0\0\x80\x3f\0\0\x20\x40\0\0\x40\xc0\0\0\x80\x40\0\0\xa0\x40"
                           "\xab\xaa\xaa\x3e",
                           24));

Tensor load_bytes(const std::string& bytes) {
  const TestFolder folder;
  return load_npy(folder.write("file.npy", bytes));
}

std::string npy_complaint(const std::string& bytes) {
  return complaint_about<FileError>(bytes, [](const std::string& path) { load_npy(path); });
}

}  // namespace

TEST_CASE("npy: tensors of every rank, scalars and empty ones come back to the bit") {
  const TestFolder folder;
  for (const Shape& shape :
       {Shape{}, Shape{1}, Shape{3}, Shape{2, 3}, Shape{2, 0, 3}, Shape{1, 2, 1, 3, 1, 2, 1, 1}}) {
    const Tensor before = random_tensor(shape, 1);
    save_npy(folder / "x.npy", before);
    const Tensor after = load_npy(folder / "x.npy");
    CHECK(after.shape() == shape);
    CHECK(after.to_vector() == before.to_vector());
  }
}

TEST_CASE("npy: the file is what numpy writes, to the byte but for spaces in the shape") {
  const TestFolder folder;
  save_npy(folder / "x.npy", Tensor({2}, {1, -3}));
  const std::string expected = sizeof(Real) == 4
                                   ? numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                                                std::string("\0\0\x80\x3f\0\0\x40\xc0", 8))
                                   : numpy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
                                                std::string("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x08\xc0", 16));
  CHECK(content(folder / "x.npy") == expected);
}

TEST_CASE("npy: files of numpy with floats, doubles, whole numbers, in C and in Fortran order") {
  const Tensor floats = load_bytes(float_file);
  CHECK(floats.shape() == Shape{2, 3});
  CHECK(floats.to_vector() == std::vector<Real>{1, 2.5, -3, 4, 5, Real(float(1) / 3)});

  // numpy.asfortranarray([[1, 2.5, -3], [4, 5, 1/3]])
  const std::string columns(
      "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x10\x40\0\0\0\0\0\0\x04\x40\0\0\0\0\0\0\x14\x40\0\0\0\0\0\0\x08\xc0"
      "\x55\x55\x55\x55\x55\x55\xd5\x3f",
      48);
  const Tensor doubles =
      load_bytes(numpy_file("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", columns));
  CHECK(doubles.shape() == Shape{2, 3});
  CHECK(doubles.to_vector() == std::vector<Real>{1, 2.5, -3, 4, 5, Real(double(1) / 3)});

  const Tensor scalar = load_bytes(
      numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", std::string("\0\0\0\x3f", 4)));
  CHECK(scalar.rank() == 0);
  CHECK(scalar.item() == Real(0.5));

  const std::string wide("\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff", 24);
  const Tensor whole =
      load_bytes(numpy_file("{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }", wide));
  CHECK(whole.to_vector() == std::vector<Real>{0, 1, -2});
  const Tensor narrow =
      load_bytes(numpy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (6,), }", wide));
  CHECK(narrow.to_vector() == std::vector<Real>{0, 0, 1, 0, -2, -1});

  CHECK(load_bytes(numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }", "")).shape() ==
        Shape{0, 3});
}

TEST_CASE("npy: keys in another order and a header of version 2 are read, too") {
  const std::string dictionary = "{'shape':(1,),'fortran_order':False,'descr':'<f4'}";
  const std::string header = std::string("\x93NUMPY\2\0", 8) + static_cast<char>(dictionary.size()) +
                             std::string(3, '\0') + dictionary;
  CHECK(load_bytes(header + std::string("\0\0\x80\x3f", 4)).item() == 1);
}

TEST_CASE("npy: a file that is cut short anywhere says so") {
  for (std::size_t size = 6; size < float_file.size(); ++size) {
    const std::string message = npy_complaint(float_file.substr(0, size));
    INFO(size);
    if (size < 128)
      CHECK(message == text(": byte ", size, ": the file ends inside the header"));
    else
      CHECK(message == text(": byte ", size, ": shape [2, 3] of <f4 does not take the ", size - 128,
                            " bytes after the header"));
  }
  for (std::size_t size = 0; size < 6; ++size)
    CHECK(npy_complaint(float_file.substr(0, size)) == ": byte 0: a .npy file starts with \\x93NUMPY");
}

TEST_CASE("npy: a file with bytes changed is read or refused, but breaks nothing") {
  Random random(1);
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string bytes = float_file;
    for (Index changes = 1 + random.below(3); changes > 0; --changes)
      bytes[static_cast<std::size_t>(random.below(80))] = static_cast<char>(random.below(256));
    refused += npy_complaint(bytes) != "no error";
  }
  CHECK(refused > 300);
  CHECK(refused < 1000);
}

TEST_CASE("npy: number types, versions and headers that cannot be read are named") {
  const auto header = [](const std::string& dictionary) {
    return npy_complaint(numpy_file(dictionary, "1234"));
  };
  CHECK(header("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }") ==
        ": byte 0: number type '>f4' is not one of <f4, <f8, <i4 and <i8");
  CHECK(header("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }") ==
        ": byte 10: the header does not say a valid 'descr'");
  CHECK(header("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }") ==
        ": byte 10: the header does not say a valid 'fortran_order'");
  CHECK(header("{'descr': '<f4', 'fortran_order': False}") ==
        ": byte 10: the header does not say a valid 'shape'");
  CHECK(header("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}") ==
        ": byte 10: shape: sizes must not be negative: got -1");
  CHECK(header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}") ==
        ": byte 10: shape: at most 8 axes: [1, 1, 1, 1, 1, 1, 1, 1] is full");
  for (const char* shape : {"(1", "(x)", "1", "(1 1)", "(99999999999999999999,)"}) {
    INFO(shape);
    CHECK(header(text("{'descr': '<f4', 'fortran_order': False, 'shape': ", shape, "}")) ==
          ": byte 10: the header does not say a valid 'shape'");
  }
  CHECK(npy_complaint(std::string("\x93NUMPY\4\0", 8)) == ": byte 6: format version 4 is not 1, 2 or 3");
}

TEST_CASE("npy: a shape whose size overflows, or that takes more or fewer bytes than there are, is refused") {
  const auto shape = [](const std::string& sizes) {
    return npy_complaint(
        numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (" + sizes + "), }", "1234"));
  };
  CHECK(shape("1,") == "no error");
  CHECK(shape("4294967296, 4294967296") ==
        ": byte 10: shape: too many elements to count: [4294967296, 4294967296]");
  CHECK_THAT(shape("0, 4294967296, 4294967296"), Contains("shape: too many elements to count: [0, "));
  CHECK_THAT(shape("4611686018427387905"), Contains("does not take the 4 bytes after the header"));
  CHECK_THAT(shape("2,"), Contains("shape [2] of <f4 does not take the 4 bytes after the header"));
  CHECK_THAT(shape("0,"), Contains("shape [0] of <f4 does not take the 4 bytes after the header"));
}

TEST_CASE("npy: a file that is missing or cannot be written is an error with its path") {
  const TestFolder folder;
  const std::string missing = folder / "missing", inside = folder / "missing/file";
  CHECK(message_of<FileError>([&] { load_npy(missing); }) ==
        missing + ": cannot be read: No such file or directory");
  CHECK(message_of<FileError>([&] { save_npy(inside, Tensor::ones({1})); }) ==
        inside + ": cannot be written: No such file or directory");
  CHECK_THROWS_WITH(save_npy(folder / "x.npy", Tensor()),
                    "save_npy: the tensor must have a value: it has none");
}
