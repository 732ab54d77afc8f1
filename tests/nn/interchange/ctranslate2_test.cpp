// What is written for CTranslate2, read again by the description of its format. That CTranslate2 itself reads
// it and translates alike is measured by check_others.py.
#include <gradual/nn/interchange/ctranslate2.hpp>

#include <cstring>
#include <map>
#include <stdexcept>

#include <gradual/nn/transformer/config.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}
  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string take(std::size_t count) {
    if (bytes_.size() - at_ < count) throw std::runtime_error("the file ends too soon");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::string name() {
    const std::string name = take(number<std::uint16_t>());
    if (name.empty() || name.back() != '\0') throw std::runtime_error("a name has no end");
    return name.substr(0, name.size() - 1);
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// The variables by name; CHECKs that each is as long as its sizes say, and that the file ends where it
// should.
std::map<std::string, std::string> variables_of(const std::string& path) {
  Reader reader(content(path));
  CHECK(reader.number<std::uint32_t>() == 6);
  CHECK(reader.name() == "TransformerSpec");
  CHECK(reader.number<std::uint32_t>() == 7);
  std::map<std::string, std::string> variables;
  for (auto left = reader.number<std::uint32_t>(); left > 0; --left) {
    const std::string name = reader.name();
    INFO(name);
    std::size_t count = 1;
    for (auto rank = reader.number<std::uint8_t>(); rank > 0; --rank) count *= reader.number<std::uint32_t>();
    const auto type = reader.number<std::uint8_t>();
    REQUIRE(type <= 3);
    const std::size_t sizes[] = {4, 1, 2, 4}, bytes = reader.number<std::uint32_t>();
    CHECK(bytes == count * sizes[type]);
    variables[name] = reader.take(bytes);
  }
  for (auto left = reader.number<std::uint32_t>(); left > 0; --left) {
    const std::string name = reader.name(), other = reader.name();
    CHECK(variables.count(name) == 0);
    CHECK(variables.count(other) == 1);
  }
  CHECK(reader.is_at_end());
  return variables;
}

TransformerConfig small_config() {
  TransformerConfig config;
  config.width = 8;
  config.heads = 2;
  config.feed_forward = 12;
  config.encoder_layers = config.decoder_layers = 1;
  return config;
}

Translator small_translator(const TransformerConfig& config) {
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b", "c"}})};
  return Translator(config, words, words, Random(1));
}

}  // namespace

TEST_CASE(
    "CTranslate2: the file has as many variables as it says, each as long as its sizes, and ends there") {
  const Translator translator = small_translator(small_config());
  const TestFolder folder;
  write_ctranslate2(translator, folder / "model");
  std::map<std::string, std::string> variables = variables_of(folder / "model/model.bin");
  CHECK(variables.count("encoder/layer_0/ffn/linear_0/weight") == 1);
  CHECK(variables["encoder/layer_0/ffn/linear_0/weight"].size() == 12 * 8 * 4);
  const Tensor inner = [&] {
    for (const NamedParameter& each : parameters(translator.model()))
      if (each.variable.value().shape() == Shape{12, 8} && each.name.find("encoder.0") == 0)
        return each.variable.value();
    return Tensor();
  }();
  REQUIRE(inner.defined());
  Tensor written = Tensor::zeros({12, 8});
  std::memcpy(written.mutable_data(), variables["encoder/layer_0/ffn/linear_0/weight"].data(), 12 * 8 * 4);
  CHECK(written.to_vector() == inner.to_vector());
}

TEST_CASE("CTranslate2: a vocabulary of another model, which would be read, is not written beside") {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "model");
  folder.write("model/shared_vocabulary.json", "[]");
  CHECK_THAT(
      message_of<FileError>([&] { write_ctranslate2(small_translator(small_config()), folder / "model"); }),
      Contains("shared_vocabulary.json: would be read instead of what is written"));
  CHECK_FALSE(std::filesystem::exists(folder / "model/config.json"));
}

TEST_CASE("CTranslate2: rotary positions are said in each layer of self-attention, and no table is written") {
  TransformerConfig config = small_config();
  config.positions = "rotary";
  const TestFolder folder;
  write_ctranslate2(small_translator(config), folder / "model");
  const std::map<std::string, std::string> variables = variables_of(folder / "model/model.bin");
  for (const std::string side : {"encoder", "decoder"}) {
    CHECK(variables.count(side + "/position_encodings/encodings") == 0);
    const std::string attention = side + "/layer_0/self_attention/";
    // All four numbers of a head, as 32 bits, and neighbours that turn together.
    CHECK(variables.at(attention + "rotary_dim") == std::string("\4\0\0\0", 4));
    CHECK(variables.at(attention + "rotary_interleave") == std::string("\1", 1));
  }
  CHECK(variables.count("decoder/layer_0/attention/rotary_dim") == 0);
}

TEST_CASE(
    "CTranslate2: the table of sinusoids has as many places as a sentence takes, whatever the settings") {
  const auto places = [](Index max_length) {
    TransformerConfig config = small_config();
    config.max_length = max_length;
    const TestFolder folder;
    write_ctranslate2(small_translator(config), folder / "model");
    return variables_of(folder / "model/model.bin").at("decoder/position_encodings/encodings").size() /
           (8 * 4);
  };
  CHECK(places(20) == 1024);
  CHECK(places(2000) == 2000);
  CHECK(places(100000) == 4097);  // 4,096 tokens, and the end
}

TEST_CASE("CTranslate2: all places that were learned are written") {
  TransformerConfig config = small_config();
  config.positions = "learned";
  for (const Index max_length : {Index(20), Index(5000)}) {
    config.max_length = max_length;
    const TestFolder folder;
    write_ctranslate2(small_translator(config), folder / "model");
    const auto bytes =
        variables_of(folder / "model/model.bin").at("encoder/position_encodings/encodings").size();
    CHECK(bytes == static_cast<std::size_t>(max_length) * 8 * 4);
  }
}
