// molecules: boiling points from atoms and bonds, with attention along the bonds and without.
#include <gradual/core/files/folder.hpp>

#include "page.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

void run(const Settings& settings) {
  make_folder(settings.out);
  const std::vector<Molecule> molecules = test_molecules(settings);
  const MoleculeBatch test = make_batch(molecules);
  MoleculeModel(settings.width, settings.heads, {}, Random(0));  // no words above an error
  learnt_molecules(settings, Random(0));
  say_task(settings, introduction(molecules, settings));
  const Results results = run_experiment(test, settings);
  std::cout << (settings.json ? json(results) + "\n" : outcome(results)) << std::flush;
  leave_page(settings, page(results, molecules, test, settings));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  PageProgram program(
      "molecules",
      "Trains models to tell the boiling points of small molecules, with attention along bonds and without.",
      settings);
  const Options& add = program.options;
  add.positive("steps", settings.steps, "training steps");
  add.positive("batch", settings.batch, "molecules in a step");
  add.positive("atoms", settings.most_heavy, "the most atoms besides hydrogen");
  add.positive("tested", settings.tested, "molecules to test on");
  add.positive("width", settings.width, "numbers that stand for an atom");
  add.positive("heads", settings.heads, "heads of a round; they divide the width");
  add.positive("learning-rate", settings.learning_rate, "its peak");
  return program.run(argc, argv, "of weights and molecules", [&] { run(settings); });
}
