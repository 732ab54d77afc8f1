#include "team.hpp"

#include <algorithm>

using namespace gradual;

TrainSettings Team::own(TrainSettings settings) const {
  if (!leads()) {
    settings.out += "/process-" + std::to_string(communicator_.rank());
    settings.json = true;
  }
  return settings;
}

void Team::separate(Random& random) const {
  Random::State state = random.state();
  state.seed += 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(communicator_.rank());
  random.set_state(state);
}

Team::Share Team::share_of(const std::vector<Index>& rows, const EncodedPairs& pairs) const {
  Share share{{}, 0};
  double all = 0, mine = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double words = 1 + static_cast<double>(pairs.target_length(rows[i]));
    all += words;
    if (static_cast<int>(i % static_cast<std::size_t>(communicator_.size())) != communicator_.rank())
      continue;
    mine += words;
    share.rows.push_back(rows[i]);
  }
  if (share.rows.empty()) share.rows.push_back(rows.front());
  share.part = mine / all;
  return share;
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
  for (auto& [name, tensor] : tensors) communicator_.broadcast(tensor.mutable_data(), tensor.size());
}
