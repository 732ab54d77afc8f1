// What a trained model knows, for people who are about to ask it for more.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/translation/evaluation.hpp>
#include <gradual/nn/translation/translator.hpp>

/// Reads a model: a file of ours, or a folder of another program; several with commas in between translate as
/// an ensemble. Throws FileError; where there is none, that says how to train one.
gradual::Translator load_model(const std::string& name);

/// Throws FileError where a file that is to be written is one of those that are read, or a folder to be
/// written has one of them; "" is none, and models may be several with commas in between.
void require_apart(const std::string& written, const std::vector<std::string>& read);

/// Throws FileError where a file that is to be written after long work has no folder to lie in.
void require_folder_of(const std::string& written);

/// Where a model lies, or the first of several: the folder of its run, or the model itself where it is one.
std::string folder_of(const std::string& name);

/// The held-out sets beside a model, or the one of a file that is named. Where others translate with it, or
/// one translates back, what all of them kept back; how much that is, and which of them nothing is known of,
/// is said on standard error. Throws FileError, also where nothing is left.
std::vector<gradual::HeldOutSet> test_sets(const std::string& model, const std::string& tsv,
                                           const std::string& reverse_model = "");

/// The held-out sets beside a model, to propose sentences from; none of damaged files.
std::vector<gradual::HeldOutSet> sets_to_try(const std::string& model);

/// Whether it is known that none of these models, nor the one that translates back, was trained on any of the
/// sentences: test sets that are files of their own were not held against the text.
bool were_kept_back(const std::vector<std::string>& sentences, const std::string& model,
                    const std::string& reverse_model);

/// " --model FILE", as it is typed; nothing for the one that is used without.
std::string option_of(const std::string& model);

/// A command of the program that uses this model, as it is typed; where a terminal has no room for it in one
/// line, it goes on in a second one.
std::string command_with(const std::string& model, const std::string& arguments);

/// The commands that use the model of a run, each under what it does, to be pasted where they are printed.
std::string next_commands(const std::string& model);
