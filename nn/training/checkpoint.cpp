#include <gradual/nn/training/checkpoint.hpp>

#include <locale>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>

namespace gradual {
namespace {

constexpr const char* format_key = "gradual_checkpoint";
const std::string parameter_prefix = "parameter.", optimizer_prefix = "optimizer.", extra_prefix = "extra.";

NamedTensors with_prefix(const NamedTensors& tensors, const std::string& prefix) {
  NamedTensors found;
  for (const auto& [name, tensor] : tensors) {
    if (name.rfind(prefix, 0) == 0) found.emplace_back(name.substr(prefix.size()), tensor);
  }
  return found;
}

// The metadata of a checkpoint by their keys.
class Metadata {
 public:
  Metadata(const std::string& path, const TensorFile& file) : path_(path), file_(file) {
    if ((*this)[format_key] != "1")
      throw FileError(path, "written by another version of the program: format " + (*this)[format_key]);
  }
  const std::string& operator[](const std::string& key) const {
    const auto found = file_.metadata.find(key);
    if (found == file_.metadata.end())
      throw FileError(path_, "not a checkpoint of training: there is no \"" + key + "\" in its metadata");
    return found->second;
  }

 private:
  const std::string& path_;
  const TensorFile& file_;
};

// Seventeen digits tell every double from all others.
std::string written(const std::vector<double>& numbers) {
  std::ostringstream line;
  line.imbue(std::locale::classic());
  line.precision(17);
  for (const double number : numbers) line << number << " ";
  return line.str();
}

std::vector<double> read_numbers(const std::string& line) {
  std::istringstream words(line);
  words.imbue(std::locale::classic());
  std::vector<double> numbers;
  for (double number; words >> number;) numbers.push_back(number);
  if (!words.eof()) throw std::invalid_argument("\"numbers\" holds something else: got \"" + line + "\"");
  return numbers;
}

// Both, or neither.
void set_tensors(TrainingState& state, const NamedTensors& optimizer, const NamedTensors& parameters) {
  const NamedTensors before = state.optimizer.state();
  try {
    state.optimizer.set_state(optimizer);
    set_parameters(state.parameters, parameters);
  } catch (...) {
    state.optimizer.set_state(before);
    throw;
  }
}

// More tensors must be those that the state has, where it has any.
void require_like(const NamedTensors& tensors, const NamedTensors& wanted) {
  for (const auto& [name, tensor] : wanted) {
    const Tensor* const found = find_tensor(tensors, name);
    if (!found || found->shape() != tensor.shape())
      throw std::invalid_argument(
          text("there must be a tensor \"", extra_prefix, name, "\" of shape ", tensor.shape()));
  }
}

}  // namespace

void save_checkpoint(const std::string& path, const TrainingState& state) {
  TensorFile file;
  file.metadata = {{format_key, "1"},
                   {"steps", std::to_string(state.steps)},
                   {"random_seed", std::to_string(state.random.state().seed)},
                   {"random_position", std::to_string(state.random.state().position)},
                   {"numbers", written(state.numbers)},
                   {"note", state.note}};
  for (const NamedParameter& parameter : state.parameters)
    file.tensors.emplace_back(parameter_prefix + parameter.name, parameter.variable.value());
  for (auto& [name, tensor] : state.optimizer.state())
    file.tensors.emplace_back(optimizer_prefix + name, tensor);
  for (auto& [name, tensor] : state.extra) file.tensors.emplace_back(extra_prefix + name, tensor);
  save_tensors(path, file);
}

void load_checkpoint(const std::string& path, TrainingState& state,
                     const std::function<void(const std::string& note)>& accept) {
  const TensorFile file = load_tensors(path);
  const Metadata metadata(path, file);
  if (accept) accept(metadata["note"]);
  try {
    // All is read before anything is changed.
    const Random::State random{std::stoull(metadata["random_seed"]),
                               std::stoull(metadata["random_position"])};
    const auto steps = static_cast<Index>(std::stoll(metadata["steps"]));
    const std::string note = metadata["note"];
    std::vector<double> numbers = read_numbers(metadata["numbers"]);
    if (numbers.size() != state.numbers.size())
      throw std::invalid_argument(
          text("there must be ", state.numbers.size(), " numbers: got ", numbers.size()));
    NamedTensors extra = with_prefix(file.tensors, extra_prefix);
    require_like(extra, state.extra);
    set_tensors(state, with_prefix(file.tensors, optimizer_prefix),
                with_prefix(file.tensors, parameter_prefix));
    state.random.set_state(random);
    state.steps = steps;
    state.numbers = std::move(numbers);
    state.note = note;
    state.extra = std::move(extra);
  } catch (const std::logic_error& error) {  // names or shapes that do not fit, numbers that are none
    throw FileError(path, std::string("does not fit this model: ") + error.what());
  }
}

std::string checkpoint_note(const std::string& path) {
  const TensorFile file = load_tensors(path, [](const std::string&) { return false; });
  return Metadata(path, file)["note"];
}

}  // namespace gradual
