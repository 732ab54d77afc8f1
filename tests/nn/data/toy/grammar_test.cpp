#include <gradual/nn/data/toy/grammar.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <gradual/nn/text/words.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

using Words = std::vector<std::string>;
using WordSet = std::set<std::string>;

struct Drawn : toy::Sentence {
  Words source, target;
};

const std::vector<Drawn>& sentences() {
  static const std::vector<Drawn> drawn = [] {
    std::vector<Drawn> all;
    const Random random(1);
    for (int i = 0; i < 50000; ++i) {
      const toy::Sentence sentence = toy::draw_sentence(random);
      all.push_back({sentence, split_words(sentence.pair.source), split_words(sentence.pair.target)});
    }
    return all;
  }();
  return drawn;
}

/// Calls `check(word, next)` for each two French words that follow each other, the first one without a
/// capital.
template <class Check>
void for_neighbours(Check check) {
  for (const Drawn& sentence : sentences()) {
    Words words = sentence.target;
    if (words[0] != "Arthur" && words[0] != "Alice" && words[0] != "Marie" && words[0] != "Paul")
      words[0][0] |= 0x20;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (!check(words[i], words[i + 1])) {
        CAPTURE(sentence.pair.target, words[i], words[i + 1]);
        FAIL_CHECK("these words cannot follow each other");
      }
    }
  }
}

bool begins_with_vowel(const std::string& french) {
  for (const std::string start : {"a", "e", "i", "o", "u", "y", "é", "ê", "ho", "hô", "heu", "A"}) {
    if (french.compare(0, start.size(), start) == 0) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("toy grammar: joining the words of a sentence gives it back") {
  for (const Drawn& sentence : sentences()) {
    const auto& [source, target] = sentence.pair;
    if (join_words(sentence.source, Spacing::plain) != source) FAIL_CHECK(source);
    if (join_words(sentence.target, Spacing::french) != target) FAIL_CHECK(target);
  }
}

TEST_CASE("toy grammar: French words elide and contract where they must and only there") {
  const WordSet elided = {"l'", "d'", "j'", "n'", "m'", "qu'"};
  const WordSet full = {"le", "la", "de", "je", "ne", "me", "que", "ma", "sa"};
  const WordSet masculine = {"ce", "beau", "vieux"}, before_vowel = {"cet", "bel", "vieil"};
  const WordSet nouns_with_vowel = {"homme", "enfant", "oiseau", "arbre", "hôtel"};
  for_neighbours([&](const std::string& word, const std::string& next) {
    if (elided.count(word) + before_vowel.count(word) > 0) return begins_with_vowel(next);
    if (full.count(word) > 0 && begins_with_vowel(next)) return false;
    if (masculine.count(word) > 0 && nouns_with_vowel.count(next) > 0) return false;
    return !((word == "à" || word == "de") && (next == "le" || next == "les"));
  });
}

TEST_CASE("toy grammar: singular determiners agree with the noun that follows") {
  const WordSet masculine = {"roi",    "garçon", "chat", "chien", "cheval", "hibou",  "livre", "chapeau",
                             "gâteau", "lit",    "parc", "homme", "enfant", "oiseau", "arbre", "hôtel"};
  const WordSet feminine = {"femme",  "reine",   "fille", "clé",  "pomme", "orange",
                            "maison", "voiture", "école", "gare", "église"};
  std::map<std::string, int> seen;
  for_neighbours([&](const std::string& word, const std::string& next) {
    seen[word] += masculine.count(next) + feminine.count(next);
    for (const auto* determiner :
         {"un", "le", "ce", "cet", "du", "au", "bel", "beau", "vieil", "vieux", "petit", "bon"}) {
      if (word == determiner && feminine.count(next) > 0) return false;
    }
    for (const auto* determiner : {"une", "la", "cette", "ma", "sa", "belle", "vieille", "petite", "bonne"}) {
      if (word == determiner && masculine.count(next) > 0) return false;
    }
    return true;
  });
  for (const auto* word :
       {"un", "une", "le", "la", "ce", "cet", "cette", "ma", "mon", "bel", "vieil", "du", "au"}) {
    CAPTURE(word);
    CHECK(seen[word] > 20);
  }
}

TEST_CASE("toy grammar: plural determiners and numbers are followed by plurals") {
  const WordSet plural = {"ces", "mes", "ses", "nos", "aux", "deux", "trois", "quatre", "cinq", "six"};
  int seen = 0;
  for_neighbours([&](const std::string& word, const std::string& next) {
    if (plural.count(word) == 0 || plural.count(next) > 0) return true;
    ++seen;
    return next.back() == 's' || next.back() == 'x';
  });
  CHECK(seen > 1000);
}

TEST_CASE("toy grammar: verbs are conjugated for the pronoun before them") {
  const std::map<std::string, WordSet> forms = {
      {"je", {"suis", "vois", "cherche", "mange", "parle", "vais", "viens", "donne", "dors", "chante"}},
      {"j'", {"aime", "achète", "ai"}},
      {"tu",
       {"es", "vois", "aimes", "cherches", "manges", "achètes", "as", "parles", "vas", "viens", "donnes",
        "dors", "chantes"}},
      {"il",
       {"est", "voit", "aime", "cherche", "mange", "achète", "a", "parle", "va", "vient", "donne", "dort",
        "chante", "y"}},
      {"elles",
       {"sont", "voient", "aiment", "cherchent", "mangent", "achètent", "ont", "parlent", "vont", "viennent",
        "donnent", "dorment", "chantent"}},
  };
  auto all = forms;
  all["elle"] = all["il"];
  all["ils"] = all["elles"];
  const WordSet between = {"ne", "n'", "le", "la", "l'", "les", "me", "m'", "nous"};
  std::map<std::string, WordSet> seen;
  for_neighbours([&](const std::string& word, const std::string& next) {
    if (all.count(word) == 0 || between.count(next) > 0) return true;
    seen[word].insert(next);
    return all[word].count(next) > 0;
  });
  for (const auto& [pronoun, verbs] : all) {
    CAPTURE(pronoun);
    CHECK(seen[pronoun].size() >= verbs.size() - 1);  // there is: il y a, but never elle y a
  }
}

TEST_CASE("toy grammar: each English sentence has one French one, and these are right") {
  std::unordered_map<std::string, std::string> french_of;
  for (const Drawn& sentence : sentences()) {
    const auto [known, is_new] = french_of.emplace(sentence.pair.source, sentence.pair.target);
    if (!is_new) CHECK(known->second == sentence.pair.target);
  }
  CHECK(french_of.size() > 30000);
  const std::vector<SentencePair> right = {
      {"The tree is not French.", "L'arbre n'est pas français."},
      {"The houses are big.", "Les maisons sont grandes."},
      {"She comes from the school.", "Elle vient de l'école."},
      {"He gives the apple to the kings.", "Il donne la pomme aux rois."},
      {"I love the bird.", "J'aime l'oiseau."},
      {"I do not have the trees.", "Je n'ai pas les arbres."},
      {"I do not see a woman.", "Je ne vois pas de femme."},
      {"I do not have an apple.", "Je n'ai pas de pomme."},
      {"You love them, girls.", "Vous les aimez, les filles."},
      {"You are tired, Mum.", "Tu es fatiguée, maman."},
      {"You are very tired, madam.", "Vous êtes très fatiguée, madame."},
      {"You are very happy, girls.", "Vous êtes très heureuses, les filles."},
      {"You are sad, children.", "Vous êtes tristes, les enfants."},
      {"You eat the apple, Dad.", "Tu manges la pomme, papa."},
      {"We look for them.", "Nous les cherchons."},
      {"Marie's cat sleeps.", "Le chat de Marie dort."},
      {"Who eats apples?", "Qui mange des pommes ?"},
      {"Who loves me?", "Qui m'aime ?"},
      {"What do you eat, madam?", "Qu'est-ce que vous mangez, madame ?"},
      {"What does Alice love?", "Qu'est-ce qu'Alice aime ?"},
      {"How many oranges does she have?", "Combien d'oranges est-ce qu'elle a ?"},
      {"How many owls do we have?", "Combien de hiboux est-ce que nous avons ?"},
      {"Where are our owls?", "Où sont nos hiboux ?"},
      {"Where is this old man?", "Où est ce vieil homme ?"},
      {"Where does he sleep?", "Où est-ce qu'il dort ?"},
      {"Why is Marie sad?", "Pourquoi est-ce que Marie est triste ?"},
      {"Is Alice strange?", "Est-ce qu'Alice est étrange ?"},
      {"Does the bird see us?", "Est-ce que l'oiseau nous voit ?"},
      {"These horses are black.", "Ces chevaux sont noirs."},
      {"The horses eat an orange.", "Les chevaux mangent une orange."},
      {"The old bird is happy.", "Le vieil oiseau est heureux."},
      {"The beautiful hotel is old.", "Le bel hôtel est vieux."},
      {"The parks are old.", "Les parcs sont vieux."},
      {"My apple is not white.", "Ma pomme n'est pas blanche."}};
  std::size_t found = 0;
  for (const SentencePair& pair : right) {
    const auto known = french_of.find(pair.source);
    if (known == french_of.end()) continue;
    ++found;
    CHECK(known->second == pair.target);
  }
  CHECK(found > right.size() / 2);
}

TEST_CASE("toy grammar: words are aligned with their translations") {
  std::unordered_map<std::string, Alignment> alignments;
  for (const Drawn& sentence : sentences()) alignments[sentence.pair.source] = sentence.alignment;
  const auto aligned = [&](const std::string& english) {
    CAPTURE(english);
    REQUIRE(alignments.count(english) == 1);
    return alignments.at(english);
  };
  // Alice ne me voit pas .
  CHECK(aligned("Alice does not see me.") == Alignment{{0, 0}, {2, 1}, {2, 4}, {3, 3}, {4, 2}, {5, 5}});
  // Le chat de Marie dort .
  CHECK(aligned("Marie's cat sleeps.") == Alignment{{0, 3}, {1, 2}, {2, 1}, {3, 4}, {4, 5}});
  // Qui mange des pommes ?
  CHECK(aligned("Who eats apples?") == Alignment{{0, 0}, {1, 1}, {2, 3}, {3, 4}});
  // Est -ce que nous cherchons un arbre ?
  CHECK(aligned("Do we look for a tree?") ==
        Alignment{{0, 0}, {0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}, {5, 6}, {6, 7}});
  // Il donne la pomme aux rois .
  CHECK(aligned("He gives the apple to the kings.") ==
        Alignment{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 4}, {6, 5}, {7, 6}});
}

TEST_CASE("toy grammar: every sentence is aligned, but for words that the other language does without") {
  const WordSet only_english = {"do", "does"};
  const WordSet only_french = {"Est", "est", "-ce", "que", "qu'", "de", "d'", "des",
                               "le",  "la",  "l'",  "les", "Le",  "La", "L'", "Les"};
  for (const Drawn& sentence : sentences()) {
    const auto& [source, target] = std::tie(sentence.source, sentence.target);
    std::set<Index> source_aligned, target_aligned;
    for (const auto& [i, j] : sentence.alignment) {
      source_aligned.insert(i);
      target_aligned.insert(j);
    }
    CAPTURE(sentence.pair.source, sentence.pair.target);
    if (*source_aligned.rbegin() != static_cast<Index>(source.size()) - 1)
      FAIL_CHECK("the last mark is not aligned");
    if (*target_aligned.rbegin() != static_cast<Index>(target.size()) - 1)
      FAIL_CHECK("the last mark is not aligned");
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source_aligned.count(i) == 0 && only_english.count(source[i]) == 0) FAIL_CHECK(source[i]);
    }
    for (std::size_t j = 0; j < target.size(); ++j) {
      if (target_aligned.count(j) == 0 && only_french.count(target[j]) == 0) FAIL_CHECK(target[j]);
    }
  }
}
