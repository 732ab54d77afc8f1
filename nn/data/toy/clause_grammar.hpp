// The part of the toy grammar that is about verbs and what belongs to them; grammar.cpp explains how to read
// it.
#pragma once

#include <vector>

#include <gradual/nn/data/toy/noun_grammar.hpp>

namespace gradual::toy {

/// Draws subjects and predicates and puts them together as clauses.
class ClauseGrammar : protected NounGrammar {
 protected:
  using NounGrammar::NounGrammar;

  /// Who does it, with what its verb and adjectives agree with.
  struct Subject {
    Phrase phrase;
    Person person;
    Gender gender;
    bool plural;
    unsigned kind;
    const Noun* noun = nullptr;  ///< that it is or stands for
    bool reveals_gender = true;  ///< he and she do, I and we do not
    Phrase address{};            ///< ends the sentence where the subject is `you`
  };

  /// What is said of a subject: a verb with its object, and what follows.
  struct Predicate {
    const Verb* verb;
    Phrase pronoun{};  ///< the object, if it is a pronoun
    Phrase rest{};
  };

  enum class Mood { statement, negation, question };

  Phrase clause(const Subject& who, const Predicate& what, Mood mood);

  Subject subject();
  /// A subject of one word: a name or pronoun.
  Subject short_subject();
  Subject noun_subject(unsigned kinds, Articles articles);
  Subject pronoun_for(const Subject& antecedent);

  Predicate predicate(const Subject& who, Mood mood);
  Predicate description(const Subject& who, Mood mood);
  Phrase place(unsigned subject_kind);

  const Verb& intransitive_verb(unsigned subject_kind);
  /// A verb with an object that needs no preposition.
  const Verb& verb_with_object(unsigned subject_kind);

 private:
  Subject addressed_subject();
  const Adjective& adjective_for(const Subject& who);
  Predicate resting(const Subject& who);
  Predicate transitive(const Subject& who, Mood mood);
  Predicate with_pronoun(const Subject& who);
  Predicate giving(Mood mood);
};

}  // namespace gradual::toy
