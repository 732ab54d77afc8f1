#include <gradual/nn/drawing/matrix_product.hpp>

#include <cmath>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

const MatrixProduct kProduct{
    {{1, 2}, {-0.5, 0}}, {{3, 0, 1}, {4, -1, 0}}, {"a", "b"}, {"x", "y", "z"}, "A", "B", "C"};

std::vector<std::string> sums(const MatrixProduct& product) {
  std::vector<std::string> result;
  for (const XmlElement& title : XmlDocument(draw_matrix_product(product)).all("title"))
    result.push_back(title.text);
  return result;
}

std::string complaint(const MatrixProduct& product) {
  try {
    draw_matrix_product(product);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("matrix product: each number carries its own sum") {
  CHECK(sums(kProduct) == std::vector<std::string>{"a, x: 1·3 + 2·4 = 11", "a, y: 1·0 + 2·(−1) = −2",
                                                   "a, z: 1·1 + 2·0 = 1", "b, x: (−0.5)·3 + 0·4 = −1.5",
                                                   "b, y: (−0.5)·0 + 0·(−1) = 0",
                                                   "b, z: (−0.5)·1 + 0·0 = −0.5"});
}

TEST_CASE("matrix product: one row, and one column, are matrices as well") {
  CHECK(sums({{{1, 2, 3}}, {{1}, {0}, {2}}, {"a"}, {"x"}, "A", "B", "C"}) ==
        std::vector<std::string>{"a, x: 1·1 + 2·0 + 3·2 = 7"});
  const XmlDocument document(
      draw_matrix_product({{{1, 2, 3}}, {{1}, {0}, {2}}, {"a"}, {"x"}, "A", "B", "C"}));
  std::vector<XmlElement> frames;
  for (const XmlElement& each : document.all("rect"))
    if (each["stroke"] == "#e2e5ec") frames.push_back(each);
  REQUIRE(frames.size() == 3 + 3 + 1);
  // The product stands right beside the row, and the column above it.
  const double end_of_row = frames[2].number("x") + frames[2].number("width");
  CHECK(frames[6].number("x") > end_of_row);
  CHECK(frames[6].number("x") < end_of_row + frames[2].number("width"));
  for (std::size_t i = 3; i < 6; ++i) CHECK(frames[i].number("x") == frames[6].number("x"));
  for (std::size_t i = 0; i < frames.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool beside =
          std::abs(frames[i].number("x") - frames[j].number("x")) > frames[i].number("width") - 0.1;
      CHECK((beside || std::abs(frames[i].number("y") - frames[j].number("y")) > 10));
    }
}

TEST_CASE("matrix product: a number says which row and which column made it") {
  const XmlDocument document(draw_matrix_product(kProduct));
  std::size_t results = 0;
  for (const XmlElement& group : document.all("g", "opens")) {
    CHECK(group["data-row"] == std::to_string(results / 3));
    CHECK(group["data-column"] == std::to_string(results % 3));
    ++results;
  }
  CHECK(results == 6);
  CHECK(document.all("g", "row1").size() == 2);     // the second row of A
  CHECK(document.all("g", "column2").size() == 2);  // the third column of B
}

TEST_CASE("matrix product: what is not a product, or has no names, is refused by name") {
  MatrixProduct bad = kProduct;
  bad.right.pop_back();
  CHECK(complaint(bad) == "draw_matrix_product: inner sizes must match: left has 2 columns, right 1 rows");
  bad = kProduct;
  bad.left[1] = {1};
  CHECK(complaint(bad) == "draw_matrix_product: rows of a matrix have one length: left has rows of 2 and 1");
  bad = kProduct;
  bad.columns.pop_back();
  CHECK(complaint(bad).find("2 for 3 columns") != std::string::npos);
  CHECK(complaint({}).find("left is empty") != std::string::npos);
}

TEST_CASE("matrix product: numbers that are not finite are drawn as what they are") {
  CHECK(sums({{{1, INFINITY}}, {{1}, {-1}}, {"a"}, {"x"}, "", "", ""}) ==
        std::vector<std::string>{"a, x: 1·1 + inf·(−1) = −inf"});
}
