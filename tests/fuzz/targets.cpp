#include "targets.hpp"

namespace gradual::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {{"model_file", take_model_file, change_model_file},
                                          {"config_file", take_config_file, change_settings},
                                          {"arguments", take_arguments, change_settings},
                                          {"question", take_question, change_question}};
  return all;
}

}  // namespace gradual::fuzz
