// The fields of a subword model, written by hand as protocol buffers have them.
#include <gradual/nn/text/subword_model.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("subword model: fields of kinds that nobody reads are passed over, whatever their bytes") {
  const std::string bpe = "\x12\x02\x18\x02";  // trainer_spec { model_type: BPE }
  const std::string eight = "\x81\x0C" + std::string(8, '\xFF'), four = "\x85\x0C" + std::string(4, '\xFF');
  CHECK(kind_of_subword_model(bpe) == SubwordKind::bpe);
  CHECK(kind_of_subword_model(eight + four + bpe) == SubwordKind::bpe);
  CHECK_THROWS_WITH(kind_of_subword_model(eight.substr(0, 9)),
                    "subwords: not a model: it ends inside a field");
}
