// What two runs did differently: their settings, and the first step that shows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gradual/nn/diagnosis/step_trace.hpp>
#include <gradual/nn/training/run_log.hpp>

namespace gradual {

/// A setting that two runs do not share; empty: not set.
struct SettingDifference {
  std::string name, first, second;  ///< of the setting; its value in either run
};
/// Of two texts of lines `name = value`, but for the folder of the run. Numbers and flags are compared as
/// they are meant: 3e-3 is 0.003, `yes` is `true`, and a flag that is off might as well not be there.
std::vector<SettingDifference> setting_differences(const std::string& first, const std::string& second);

/// A value of a SettingDifference for people.
std::string value_or_not_set(const std::string& value);

/// The first step whose numbers are not the same to the last bit.
struct LogDifference {
  Index step;
  std::string number;  ///< "loss", "gradient norm", "learning rate", or "end" where one log has no such step
  double first, second;  ///< its values; of an end, the steps that there are
};
/// The first difference of two logs; nothing where they are equal.
std::optional<LogDifference> log_difference(const std::vector<TrainingPoint>& first,
                                            const std::vector<TrainingPoint>& second);

/// What two runs did differently, and a line for each: settings, text, log, tensor.
struct RunDifference {
  std::vector<SettingDifference> settings;  ///< which differ
  std::optional<LogDifference> log;         ///< the first line of the logs that does
  std::optional<TraceDifference> tensor;    ///< the first tensor that does
  bool of_other_text = false;     ///< whether they learnt from, or were watched or tested by, other sentences
  std::string not_compared = {};  ///< why no tensor was looked for, where that is so

  /// Whether nothing differs.
  bool is_none() const { return settings.empty() && !of_other_text && !log && !tensor; }
  /// The differences as lines, for people.
  std::string text() const;
};

}  // namespace gradual
