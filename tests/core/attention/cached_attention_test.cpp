// Attention to keys that are already there: edges, and tables that do not fit.
#include <gradual/core/attention/cached_attention.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// Rows of `counts` keys in one block, [B, most, 2·H·d], and what attention makes of them.
struct Cache {
  Index heads = 2, width = 3;
  Tensor packed, queries;
  KeyTable table;

  explicit Cache(std::vector<std::int32_t> counts, Index most = 4) {
    const auto rows = static_cast<Index>(counts.size());
    packed = random_tensor({rows, most, 2 * heads * width}, 1);
    queries = random_tensor({rows, heads * width}, 2);
    table.most = most;
    table.counts = std::move(counts);
    for (Index i = 0; i < rows * most; ++i) table.keys.push_back(packed.data() + i * 2 * heads * width);
  }

  Tensor attend(Tensor* weights = nullptr, const Tensor& bias = {}) const {
    Tensor out(queries.shape());
    cached_attention(heads, width, {queries.data(), heads * width}, table,
                     {out.mutable_data(), heads * width}, weights, bias);
    return out;
  }
};

}  // namespace

TEST_CASE("cached attention: no rows, no keys, and a row without keys give nothing or zeros") {
  CHECK(Cache({}).attend().shape() == Shape{0, 6});
  CHECK(difference(Cache({0, 0}, 0).attend(), Tensor::zeros({2, 6})) == "");
  Tensor weights;
  CHECK(difference(Cache({0, 2}).attend(&weights).rows(0, 1), Tensor::zeros({1, 6})) == "");
  CHECK(difference(weights.rows(0, 1), Tensor::zeros({1, 2, 1, 4})) == "");
}

TEST_CASE("cached attention: keys beyond the count may hold anything, or nothing") {
  Cache cache({2});
  const Tensor expected = cache.attend();
  cache.table.keys[2] = cache.table.keys[3] = nullptr;
  CHECK(difference(cache.attend(), expected) == "");
}

TEST_CASE("cached attention: keys that a bias of -∞ hides count for nothing, all of them give zeros") {
  const Real hidden = -std::numeric_limits<Real>::infinity();
  const Cache cache({4}), two({2});
  CHECK(difference(cache.attend(nullptr, Tensor({2, 4}, {0, 0, hidden, hidden, 0, 0, hidden, hidden})),
                   two.attend()) == "");
  CHECK(difference(cache.attend(nullptr, Tensor::full({2, 4}, hidden)), Tensor::zeros({1, 6})) == "");
}

TEST_CASE("cached attention: tables, heads and biases that do not fit are refused") {
  const auto refused = [](const Cache& cache, const std::string& message, const Tensor& bias = {}) {
    CHECK_THROWS_WITH(cache.attend(nullptr, bias), "cached_attention: " + message);
  };
  Cache cache({2, 3});
  cache.table.counts[1] = 5;
  refused(cache, "counts must lie in 0 … the most keys of a row: got 5 of 4 keys");
  cache.table.counts[1] = -1;
  refused(cache, "counts must lie in 0 … the most keys of a row: got -1 of 4 keys");
  cache.table.counts[1] = 2;
  cache.table.keys[5] = nullptr;
  refused(cache, "each counted key must lie somewhere: row 1 has 2 keys, and one of them is null");
  cache.table.keys.pop_back();
  refused(cache,
          "the table must have a place for each row and key, [B, most]: B is 2, most is 4, places are 7");
  Cache other({2, 3});
  refused(other, "the bias must be [H, most]: expected [2, 4], got [2, 3]", Tensor::ones({2, 3}));
  other.heads = 0;
  refused(other, "heads must be one or more, of a width of one or more: H is 0, d is 3");
  other.heads = 2;
  other.width = -1;
  refused(other, "heads must be one or more, of a width of one or more: H is 2, d is -1");
  other.width = 3;
  other.queries = {};
  CHECK_THROWS_WITH(cached_attention(2, 3, {nullptr, 6}, other.table, {nullptr, 6}),
                    "cached_attention: queries and out must be defined: B is 2");
}
