#include <gradual/nn/training/run_log.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/json.hpp>

namespace gradual {
namespace {

TrainingPoint point_from(const Json& line) {
  const auto number = [&](const char* name) {
    return line.contains(name) ? number_or_nan(line[name]) : TrainingPoint::not_measured;
  };
  return {line.at("step"),          number_or_nan(line.at("loss")), line.at("tokens_per_second"),
          line.at("learning_rate"), number("validation_loss"),      number("gradient_norm"),
          number("seconds"),        number("validation_bleu")};
}

Json to_json(const TrainingPoint& point) {
  Json line = {{"step", point.step},
               {"loss", point.loss},
               {"learning_rate", point.learning_rate},
               {"gradient_norm", point.gradient_norm},
               {"tokens_per_second", std::round(point.tokens_per_second)},
               {"seconds", std::round(point.seconds * 1000) / 1000}};
  if (!std::isnan(point.validation_loss)) line["validation_loss"] = point.validation_loss;
  if (!std::isnan(point.validation_bleu)) line["validation_bleu"] = point.validation_bleu;
  return line;
}

}  // namespace

StepLog::StepLog(const std::string& path, Index keep_steps,
                 const std::function<void(const std::string&)>& read)
    : path_(path) {
  std::string kept;
  std::ifstream before(path_of(path));
  Index number = 1;
  for (std::string line; keep_steps > 0 && std::getline(before, line) && !before.eof(); ++number) {
    try {  // the end of a file without a line end was not written whole
      if (json_of(line).at("step").get<Index>() > keep_steps) break;
      read(line);
    } catch (const std::exception&) {
      throw FileError::at_line(path, number, "damaged: this is no line that a run wrote");
    }
    kept += line + "\n";
  }
  before.close();  // Windows replaces no open file
  write_file_atomically(path, kept);
  out_.open(path_of(path), std::ios::app);
  if (!out_) throw FileError(path, "cannot be written");
}

void StepLog::add(const std::string& line) {
  out_ << line << std::endl;
  if (!out_) throw FileError(path_, "cannot be written");
}

TrainingLog::TrainingLog(const std::string& path, Index keep_steps)
    : path_(path),
      file_(path, keep_steps, [this](const std::string& line) { take(point_from(json_of(line)).loss); }) {}

void TrainingLog::add(const TrainingPoint& point) {
  file_.add(json_text(to_json(point)));
  take(point.loss);
}

void TrainingLog::take(double loss) {
  recent_losses_.push_back(loss);
  if (recent_losses_.size() > 50) recent_losses_.pop_front();
}

std::vector<TrainingPoint> TrainingLog::points() const { return read_training_log(path_); }

std::vector<TrainingPoint> read_training_log(const std::string& path) {
  std::ifstream file(path_of(path));
  if (!file) throw FileError(path, "cannot be read: is there a run in this folder?");
  std::vector<TrainingPoint> points;
  for (std::string line; std::getline(file, line) && !file.eof();) {  // one without an end is being written
    try {
      points.push_back(point_from(json_of(line)));
    } catch (const std::exception&) {
      throw FileError::at_line(path, static_cast<std::int64_t>(points.size()) + 1,
                               "damaged: this is no line that a run wrote");
    }
  }
  return points;
}

double TrainingLog::recent_loss() const {
  return std::accumulate(recent_losses_.begin(), recent_losses_.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(recent_losses_.size(), 1));
}

}  // namespace gradual
