// What the programs have in common that compute something, print it, and leave a page in a folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/threads.hpp>

#include "command_line.hpp"
#include "terminal/colour.hpp"

/// What each of them can be told.
struct PageSettings {
  std::uint64_t seed = 1;
  int threads = 0;
  std::string out;  // a folder
  bool json = false;
};

/// Throws FileError where the folder is that of a run of translate, some of whose files would be written
/// over.
inline void require_no_run(const std::string& folder) {
  const std::string settings = folder + "/settings.conf";
  if (std::filesystem::exists(gradual::path_of(settings)))
    throw gradual::FileError(settings, "is of a run of translate: name a folder of its own with --out");
}

/// Writes the page into the folder, which is there, and says where it is unless JSON is wanted.
inline void leave_page(const PageSettings& settings, const std::string& html) {
  const std::string file = settings.out + "/page.html";
  gradual::write_file_atomically(file, html);
  if (!settings.json) std::cout << "page  " << file << std::endl;
}

/// Says the task at the start, before any training, unless JSON is wanted; an empty line follows. It is
/// broken for a narrow terminal; elsewhere its lines stay as they are.
inline void say_task(const PageSettings& settings, const std::string& task) {
  if (!settings.json) std::cout << with_landmarks_strong(wrapped_for_output(task)) << std::endl;
}

/// Says those of the paragraphs that are not empty, each with an empty line below it, unless JSON is wanted.
inline void say_paragraphs(const PageSettings& settings, const std::vector<std::string>& paragraphs) {
  for (const std::string& each : paragraphs)
    if (!settings.json && !each.empty())
      std::cout << with_landmarks_strong(wrapped_for_output(each)) << "\n\n";
}

/// The main() of such a program: its own options are added to `options`, and then it runs.
class PageProgram {
 public:
  PageProgram(const std::string& name, const std::string& description, PageSettings& settings)
      : app_(description, name), settings_(settings), options(app_) {
    settings.out = "out/" + name;
    app_.footer(
        "It prints what came out, and leaves a page that shows more. What to look at there, and what to try "
        "next: examples/" +
        name + "/README.md");
  }

  /// Something else that the program does, when the command line names it; it is true once it was named.
  CLI::App& command(const std::string& name, const std::string& meaning) {
    CLI::App* const command = app_.add_subcommand(name, meaning);
    command->footer("");  // that of the program, which it would inherit, speaks of the page
    Options(*command).threads(settings_.threads);
    return *command;
  }

  /// Parses; then runs with as many threads as were asked for. What the seed decides is told in --help; there
  /// is no --seed where it decides nothing. Returns the exit code.
  template <class Run>
  int run(int argc, char** argv, const std::string& seed_decides, Run run_it) {
    if (!seed_decides.empty()) options.not_negative("seed", settings_.seed, seed_decides);
    options.threads(settings_.threads);
    options.folder("out", settings_.out, "folder for what is left of the run");
    options.flag("json", settings_.json, json_meaning);
    return run_program(app_.get_name(), app_, [&] {
      app_.parse(argc, argv);
      if (app_.get_subcommands().empty()) {
        require_no_run(settings_.out);
        require_inputs_elsewhere();
      }
      if (settings_.threads > 0)
        gradual::set_thread_count(std::min(settings_.threads, gradual::hardware_threads()));
      run_it();
    });
  }

 private:
  void require_inputs_elsewhere() const {
    const auto is_file = [](const CLI::Option* option) { return option->get_type_name() == "FILE"; };
    for (const CLI::Option* option : app_.get_options(is_file))
      for (const std::string& input : option->results())
        for (const char* written : {"/page.html", "/model.safetensors"}) {
          std::error_code none;
          if (std::filesystem::equivalent(gradual::path_of(input), gradual::path_of(settings_.out + written),
                                          none))
            throw gradual::FileError(input, "would be written over: name another folder with --out");
        }
  }

  CommandLine app_;
  PageSettings& settings_;

 public:
  Options options;
  const char* json_meaning = "print one JSON line of figures and nothing else";
};
