// What a run leaves in its folder.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/files/lock.hpp>
#include <gradual/nn/training/trainer.hpp>

namespace gradual {

/// The places of the files of a run that trains a translator. While it lives, no other run can have the
/// folder.
class RunFolder {
 public:
  // ---- Begin, and go on

  /// Makes the folder and takes away what a killed run did not finish writing. `test_sets` are the names of
  /// the texts that are kept there as NAME.tsv, and `command` is what people type to train with the settings
  /// that are here, such as "translate train --config out/settings.conf". Throws FileError, also when another
  /// run is writing there.
  RunFolder(const std::string& path, std::vector<std::string> test_sets, std::string command);
  /// The path, if the folder has a checkpoint to go on from; else throws FileError, and leaves no folder
  /// behind.
  static const std::string& with_checkpoint(const std::string& path);
  /// Makes room for a run with these settings on the text of this fingerprint. The same run again takes the
  /// place of a finished one, whose checkpoint tells that its text is the same; the files of any other are
  /// moved to a folder inside this one. Says so, or nothing where nothing was moved.
  std::string make_room(const std::string& settings, const std::string& text) const;
  /// Throws std::invalid_argument where a run would write over this file, which it reads.
  void require_elsewhere(const std::string& input) const;
  /// What a checkpoint of a run with these settings on the text of this fingerprint says of itself.
  static std::string note(const std::string& settings, const std::string& text);
  /// Whether two checkpoints with these notes are of the same settings and the same text.
  static bool are_of_one_run(const std::string& note, const std::string& other);
  /// The note of a checkpoint; "" where it cannot be read.
  static std::string note_of(const std::string& checkpoint);
  /// The fingerprint of the text that a checkpoint was made on; "" where it cannot be read.
  static std::string text_of(const std::string& checkpoint);
  /// Goes on from the checkpoint. Throws std::invalid_argument where its note is another, and
  /// FileError.
  void resume(Trainer& trainer, Random& random, const std::string& settings, const std::string& text) const;
  /// What to type to go on with the run that is here.
  std::string how_to_go_on() const;

  // ---- Its files

  /// The names of the files in a folder that are a run's.
  static std::vector<std::string> files_in(const std::string& folder,
                                           const std::vector<std::string>& test_sets);
  /// The file of the model.
  std::string model() const { return file("model.safetensors"); }
  /// The file of the model that was best in validation.
  std::string best() const { return file("best.safetensors"); }
  /// The file that training goes on from.
  std::string checkpoint() const { return checkpoint_in(path_); }
  /// The settings as a config file: the same run again.
  std::string settings() const { return file("settings.conf"); }
  /// The file of the log.
  std::string log() const { return file("log.jsonl"); }
  /// The file of the translations on the way.
  std::string milestones() const { return file("milestones.jsonl"); }
  /// Its first steps, tensor by tensor.
  std::string trace() const { return file("trace.jsonl"); }
  /// What makes a run a finished one.
  std::string page() const { return file("page.html"); }
  std::string vocabulary(const std::string& side) const { return file(side + ".vocabulary.txt"); }
  /// The snapshot number `n`; a run keeps the last few under numbers that come round again.
  std::string snapshot(Index n) const { return file("snapshot-" + std::to_string(n) + ".safetensors"); }
  /// Any file in it.
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Its own path.
  const std::string& path() const { return path_; }

 private:
  static std::string checkpoint_in(const std::string& folder) { return folder + "/checkpoint.safetensors"; }
  /// Why what is here must not be replaced by a run with these settings on this text; nothing if it may be.
  std::string reason_to_keep(const std::string& settings, const std::string& text) const;

  std::vector<std::string> test_sets_;
  std::string command_, path_;
  FileLock lock_;
};

}  // namespace gradual
