// The words of the toy language, with what its grammar has to know of them.
#pragma once

#include <string>
#include <vector>

namespace gradual::toy {

/// What a noun names. Verbs, adjectives and prepositions tell which kinds go with them, so that no tree is
/// tired and nobody eats a station.
struct NounKind {
  static constexpr unsigned adult = 1, child = 2, animal = 4, portable = 8, food = 16, large = 32, place = 64;
  static constexpr unsigned person = adult | child;
  static constexpr unsigned being = person | animal;
  static constexpr unsigned thing = portable | food | large;
  static constexpr unsigned any = being | thing | place;
  static constexpr unsigned owned = child | animal | thing | place;
};

/// Grammatical gender.
enum class Gender { masculine, feminine };

/// Grammatical person, as the columns of a conjugation: je, tu, il or elle, nous, vous, ils or elles.
enum class Person { first, second, third, first_plural, second_plural, third_plural };

/// A noun, with its plurals.
struct Noun {
  std::string english, english_plural, french, french_plural;
  Gender gender;
  unsigned kind;
};

/// What an adjective is about, in the order in which English lines adjectives up: a strange old French book.
enum class Quality { worth, looks, oddity, mood, strength, size, age, colour, origin };

/// Where an adjective stands.
enum class Position { before_noun, after_noun };

/// An adjective with its French forms; `beau|bel` is bel before a vowel.
struct Adjective {
  std::string english, masculine, feminine, masculine_plural, feminine_plural;
  Position position;  ///< in French: some short old ones precede the noun, all others follow it
  Quality quality;
  unsigned kinds;  ///< of nouns that it goes with

  const std::string& form(Gender gender, bool plural) const;
  /// Whether both genders have the same forms: what I can say of me, whoever I am.
  bool is_epicene() const { return masculine == feminine; }
  /// Whether there is more and less of it: nobody is very French.
  bool is_gradable() const { return quality != Quality::colour && quality != Quality::origin; }
};

/// A verb in the present tense.
struct Verb {
  std::string english, third_person;    ///< see, sees
  std::string french[6];                ///< by Person
  unsigned subjects;                    ///< kinds of nouns that do it
  unsigned objects = 0;                 ///< kinds to which they do it; 0: the verb stands alone
  std::string preposition = {};         ///< before the object, where both languages have one: to
  std::string french_preposition = {};  ///< à
  bool object_is_definite = false;  ///< where an object such as `cats` would not be clear: he loves cats, il
                                    ///< aime les chats
};

/// What stands before a noun and its adjectives: an article, this, my.
struct Determiner {
  std::string english, english_plural, masculine, feminine, plural;
  unsigned kinds = NounKind::any;  ///< of nouns that can have it
};

/// A preposition that says where somebody or something is.
struct Preposition {
  std::string english, french;
  unsigned subjects, objects;  ///< kinds of nouns that are there, and that follow
  bool place_can_be_plural;    ///< nobody is in two houses at once
};

/// A pronoun that can be the subject.
struct Pronoun {
  std::string english, french;
  Person person;
  Gender gender;
  bool reveals_gender;  ///< false for I and we
};

/// A pronoun that can be the object.
struct ObjectPronoun {
  std::string english, french;
  bool is_first;  ///< person
};

/// Who is spoken to. This decides what `you` is: Dad is tu, sir is vous, and the girls are vous in the
/// feminine plural.
struct FormOfAddress {
  std::string english, french, pronoun;
  Person person;
  Gender gender;
  bool plural;
};

/// A name that is the same in both languages.
struct FirstName {
  std::string text;
  Gender gender;
};

/// A number as a word.
struct Numeral {
  std::string english, french;
};

/// All words of the toy language.
struct Lexicon {
  std::vector<Noun> nouns;
  std::vector<Adjective> adjectives;
  Verb be, give;
  std::vector<Verb> transitive, intransitive;
  Determiner the, a, a_in_negation;
  std::vector<Determiner> others;  ///< this, my, …
  std::vector<Preposition> prepositions;
  std::vector<Pronoun> pronouns;
  std::vector<ObjectPronoun> object_pronouns;
  std::vector<FormOfAddress> addresses;
  std::vector<FirstName> names;
  std::vector<Numeral> numerals;
};

/// The one that there is; made when it is first asked for.
const Lexicon& lexicon();

}  // namespace gradual::toy
