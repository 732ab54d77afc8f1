#include <gradual/nn/training/history.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>

namespace gradual {
namespace {

namespace files = std::filesystem;

const std::string beginning = "history-", end = ".safetensors";

// The steps of a folder's snapshots.
std::vector<Index> steps_in(const std::string& folder) {
  std::vector<Index> steps;
  if (!files::is_directory(path_of(folder))) return steps;
  for (const auto& entry : files::directory_iterator(path_of(folder))) {
    const std::string name = name_of(entry.path().filename());
    if (name.size() <= beginning.size() + end.size() || name.rfind(beginning, 0) != 0 ||
        name.compare(name.size() - end.size(), end.size(), end) != 0)
      continue;
    const std::string digits = name.substr(beginning.size(), name.size() - beginning.size() - end.size());
    if (digits.size() < 16 && digits.find_first_not_of("0123456789") == std::string::npos)
      steps.push_back(std::stoll(digits));
  }
  return steps;
}

std::string path_in(const std::string& folder, Index step) {
  return folder + "/" + beginning + std::to_string(step) + end;
}

}  // namespace

TrainingHistory::TrainingHistory(std::string folder, Index steps, double bytes, double megabytes)
    : folder_(std::move(folder)), steps_(steps), every_(0) {
  const auto room = static_cast<Index>(std::min(1e9, megabytes * 1e6 / std::max(bytes, 1.0)));
  if (room > 0)
    every_ = std::max<Index>(50, (steps + room) / (room + 1));  // `room` of them cut it into room + 1
}

std::string TrainingHistory::path(Index step) const { return path_in(folder_, step); }

std::string TrainingHistory::latest(const std::string& folder, Index step) {
  Index best = -1;
  for (const Index each : steps_in(folder))
    if (each <= step) best = std::max(best, each);
  return best < 0 ? "" : path_in(folder, best);
}

void TrainingHistory::remove_after(const std::string& folder, Index step) {
  for (const Index each : steps_in(folder))
    if (each > step) files::remove(path_of(path_in(folder, each)));
}

void make_again(Trainer& trainer, Random& random, const std::string& folder, Index step,
                const LossOfBatch& loss_of_batch,
                const std::function<void(const std::string& note)>& accept) {
  if (step < 0) throw std::invalid_argument(text("history: the step must not be below 0: got ", step));
  const std::string snapshot = TrainingHistory::latest(folder, step);
  const bool is_ahead = snapshot != TrainingHistory::latest(folder, trainer.steps_done() - 1);
  if (is_ahead) trainer.load_checkpoint(snapshot, random, accept);
  trainer.interrupt_when([&] { return trainer.steps_done() >= step; });
  trainer.run(loss_of_batch);
  trainer.interrupt_when({});
  if (trainer.steps_done() != step)
    throw std::runtime_error(text("history: the training must have the step: it ends after step ",
                                  trainer.steps_done(), ", asked for ", step));
}

}  // namespace gradual
