#include <gradual/nn/training/parallel/team.hpp>

#include <algorithm>

namespace gradual {

void Team::separate(Random& random) const {
  Random::State state = random.state();
  state.seed += 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(communicator_.rank());
  random.set_state(state);
}

void Team::align(Random& random) const {
  if (is_alone()) return;
  std::vector<double> position{static_cast<double>(random.state().position)};
  spread(position);
  random.set_state({random.state().seed, static_cast<std::uint64_t>(position[0])});
}

std::vector<Index> Team::share_of(const std::vector<Index>& rows) const {
  std::vector<Index> own;
  for (auto i = static_cast<std::size_t>(communicator_.rank()); i < rows.size();
       i += static_cast<std::size_t>(communicator_.size()))
    own.push_back(rows[i]);
  return own;
}

void Team::spread(std::string& text) const {
  std::vector<double> bytes{static_cast<double>(text.size())};
  spread(bytes);
  text.resize(static_cast<std::size_t>(bytes.front()));
  bytes.assign(text.begin(), text.end());
  spread(bytes);
  std::transform(bytes.begin(), bytes.end(), text.begin(),
                 [](double byte) { return static_cast<char>(byte); });
}

void Team::spread(std::vector<double>& numbers) const {
  for (double& number : numbers) number = communicator_.sum(leads() ? number : 0);
}

void Team::spread(NamedTensors& tensors) const {
  for (auto& [name, tensor] : tensors) communicator_.broadcast(tensor.unguarded_data(), tensor.size());
}

}  // namespace gradual
