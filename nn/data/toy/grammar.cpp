// A synchronous grammar: every rule makes a piece of an English sentence and of its French translation at
// once. The comment above a rule shows both, English before the bar and French after it; `?` marks what may
// be missing, and a word or two stand for all of their kind. Read this file first, then clause_grammar.cpp
// and noun_grammar.cpp.
//
// Gender, number and person are passed along with the pieces, so that other words can agree with them. Words
// change where they meet only at the end (phrase.hpp): till then it is `de le arbre`, then `de l'arbre`.
//
// A rule draws its pieces one after the other, each in a statement of its own: C++ leaves open which side of
// a `+` is computed first, and the corpus must be the same everywhere.
#include <gradual/nn/data/toy/grammar.hpp>

#include <algorithm>
#include <optional>

#include <gradual/nn/data/toy/clause_grammar.hpp>
#include <gradual/nn/text/words.hpp>

namespace gradual::toy {
namespace {

constexpr std::size_t max_words = 12;

std::vector<std::string> texts(const LinkedWords& words) {
  std::vector<std::string> all;
  for (const LinkedWord& word : words) all.emplace_back(word.text);
  return all;
}

std::string with_capital(std::string sentence) {
  if (sentence[0] >= 'a' && sentence[0] <= 'z')
    sentence[0] += 'A' - 'a';  // no sentence begins with an accent
  return sentence;
}

class Grammar : ClauseGrammar {
 public:
  using ClauseGrammar::ClauseGrammar;

  /// A sentence, unless it came out too long or clumsy.
  std::optional<Sentence> draw() {
    const Phrase phrase = sentence();
    if (is_clumsy_) return std::nullopt;
    const LinkedWords english = meet_in_english(phrase.english), french = meet_in_french(phrase.french);
    if (std::max(english.size(), french.size()) > max_words) return std::nullopt;
    made_.pair = {with_capital(join_words(texts(english), Spacing::plain)),
                  with_capital(join_words(texts(french), Spacing::french))};
    made_.alignment = alignment_of(english, french);
    return made_;
  }

 private:
  // Sentence → Statement | Two | There | Question  |  the same
  Phrase sentence() {
    const Index draw = random_.below(100);
    if (draw < 40) return statement(Mood::statement);
    if (draw < 58) return statement(Mood::negation);
    if (draw < 68) return two_clauses();
    if (draw < 76) return there_is();
    return question();
  }

  // Statement → Clause Address? .  |  Clause Address? .
  Phrase statement(Mood mood) {
    const Subject who = subject();
    const Predicate what = predicate(who, mood);
    return clause(who, what, mood) + who.address + leaf(".", ".");
  }

  // Two → Noun Predicate and it Predicate .  |  Noun Predicate et il or elle Predicate .
  //
  // The first predicate has no noun, so that there is no doubt what the pronoun stands for.
  Phrase two_clauses() {
    const Subject first = noun_subject(K::any, Articles::plain);
    const bool can_act = (first.kind & K::being) && chance(50);
    const Predicate start =
        can_act ? Predicate{&intransitive_verb(first.kind)} : description(first, Mood::statement);
    const Subject second = pronoun_for(first);
    const Predicate end = predicate(second, Mood::statement);
    is_clumsy_ = can_act && end.verb == start.verb;  // the dogs sleep and they sleep
    return clause(first, start, Mood::statement) + leaf("and", "et") + clause(second, end, Mood::statement) +
           leaf(".", ".");
  }

  // There → there be Indefinite Place .    |  il y a Indefinite Place .
  //       → there be no Noun Place .       |  il ne y a pas de Noun Place .
  //       → be there Indefinite Place ?    |  est-ce que il y a Indefinite Place ?
  Phrase there_is() {
    const Noun& noun = any_noun(K::being | K::thing);
    const bool plural = chance(40), denies = chance(30), asks = !denies && chance(40);
    const Phrase no = leaf("no", "ne|n' pas de|d'");
    const LinkedWords ne = {no.french[0]}, pas = {no.french[1]}, de = {no.french[2]};
    const Phrase what =
        denies ? noun_group({no.english, de}, noun, plural) : indefinite(noun, plural, Articles::any);
    const Phrase where = place(noun.kind);

    const Phrase there = leaf("there", "il"), is = leaf(plural ? "are" : "is", "y a");
    if (asks) {
      const Phrase inverted = {is.english + there.english,
                               leaf("", "est -ce que|qu'").french + (there + is).french};
      return inverted + what + where + leaf("?", "?");
    }
    if (denies) {
      const Phrase denied = {(there + is).english, there.french + ne + is.french + pas};
      return denied + what + where + leaf(".", ".");
    }
    return there + is + what + where + leaf(".", ".");
  }

  // Question → Clause Address? ?  |  Clause Address? ?
  //          → why Clause ?       |  pourquoi Clause ?
  //          → who Predicate ?    |  qui Predicate ?
  //          → where be Noun ?    |  où être Noun ?
  Phrase question() {
    const Index draw = random_.below(12);
    if (draw < 3) return question_for_detail();
    if (draw == 3) {
      const Subject who = {leaf("who", "qui"), Person::third, Gender::masculine, false, K::adult};
      const Predicate what = predicate(who, Mood::statement);
      return clause(who, what, Mood::statement) + leaf("?", "?");
    }
    if (draw == 4) {
      const Subject what = noun_subject(K::any, Articles::definite);
      const Phrase is = what.plural ? leaf("are", "sont") : leaf("is", "est");
      return leaf("where", "où") + is + what.phrase + leaf("?", "?");
    }
    const Phrase opening = draw == 5 ? leaf("why", "pourquoi") : Phrase{};
    const Subject who = subject();
    const Predicate what = predicate(who, Mood::question);
    return opening + clause(who, what, Mood::question) + who.address + leaf("?", "?");
  }

  // Detail → where do Short sleep ?          |  où est-ce que Short dormir ?
  //        → what do Short see ?             |  que est-ce que Short voir ?
  //        → how many Noun do Short see ?    |  combien de Noun est-ce que Short voir ?
  Phrase question_for_detail() {
    const Subject who = short_subject();
    const Index draw = random_.below(3);
    const Verb& verb = draw == 0 ? intransitive_verb(who.kind) : verb_with_object(who.kind);
    Phrase opening = draw == 0 ? leaf("where", "où") : leaf("what", "que|qu'");
    if (draw == 2) {
      const Phrase noun = head(any_noun(verb.objects), true);
      opening = leaf("how many", "combien") + leaf("", "de|d'") + noun;
    }
    return opening + clause(who, {&verb}, Mood::question) + who.address + leaf("?", "?");
  }

  bool is_clumsy_ = false;
};

}  // namespace

Sentence draw_sentence(Random random) {
  std::optional<Sentence> sentence;
  while (!sentence) sentence = Grammar(random).draw();
  return *sentence;
}

}  // namespace gradual::toy
