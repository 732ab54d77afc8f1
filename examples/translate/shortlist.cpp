#include "shortlist.hpp"

#include <iostream>
#include <memory>
#include <stdexcept>

#include <gradual/nn/seq2seq/model.hpp>
#include <gradual/nn/text/corpus.hpp>

#include "translate_text.hpp"

using namespace gradual;

Subcommand shortlist_command(CLI::App& app) {
  struct ListSettings {
    std::string model = TranslateSettings().model, tsv, out;
    ShortlistOptions options;
  };
  const auto settings = std::make_shared<ListSettings>();
  CLI::App* shortlist =
      app.add_subcommand("shortlist", "say which words may translate which, so that a search looks at few");
  const Options options = with_one_model(*shortlist, settings->model);
  shortlist->add_option("tsv", settings->tsv, "lines `source TAB target`, such as the model was trained on")
      ->type_name("FILE")
      ->required();
  options.file("out", settings->out, "the file to write; without it, shortlist.txt beside the model");
  options.not_negative("most-frequent", settings->options.most_frequent,
                       "target words that may always be written");
  options.not_negative("likeliest", settings->options.likeliest, "translations of each source word");
  options.positive("rounds", settings->options.rounds, "of expectation and maximisation");
  return {
      shortlist,
      [=] {
        const std::string out =
            settings->out.empty() ? folder_of(settings->model) + "/shortlist.txt" : settings->out;
        require_apart(out, {settings->model, settings->tsv});
        const Translator translator = load_model(settings->model);
        require_folder_of(out);
        if (!translator.model().takes_shortlists())
          throw std::invalid_argument(
              "shortlist: the model must be one transformer without a bias of its words, as no other takes "
              "such a list: got " +
              settings->model);
        std::vector<EncodedPair> pairs;
        for (const SentencePair& pair : read_tsv(settings->tsv)) {
          pairs.push_back(translator.encode(pair));
          if (learnt_both_ways(translator.notes()))
            pairs.push_back(translator.encode({pair.target, pair.source}));
        }
        Shortlist(pairs, settings->options, translator.vocabularies()).save(out);
        std::cout << out << "\n";
      },
      "shortlist toy.tsv"};
}
