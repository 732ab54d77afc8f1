#include <gradual/nn/data/toy/clause_grammar.hpp>

#include <algorithm>
#include <string_view>

namespace gradual::toy {

// Clause → Subject Verb Pronoun? Rest         |  Subject Pronoun? Verb Rest
//        → Subject do not Verb Pronoun? Rest  |  Subject ne Pronoun? Verb pas Rest
//        → do Subject Verb Pronoun? Rest      |  est-ce que Subject Pronoun? Verb Rest
//
// `be` does without `do`: he is not, is he?
ClauseGrammar::Phrase ClauseGrammar::clause(const Subject& who, const Predicate& what, Mood mood) {
  const bool asks = mood == Mood::question, denies = mood == Mood::negation;
  const bool third = who.person == Person::third, is_be = what.verb == &lexicon_.be;
  const bool with_do = (asks || denies) && !is_be;
  const std::string_view form_of_be = third ? "is" : who.person == Person::first ? "am" : "are";

  const Phrase help = leaf(with_do ? third ? "does" : "do" : "", asks ? "est -ce que|qu'" : "");
  const Phrase negation = denies ? leaf("not", "ne|n' pas") : Phrase{};
  const LinkedWords ne(negation.french.begin(), negation.french.begin() + denies);
  const LinkedWords pas(negation.french.begin() + denies, negation.french.end());
  const Phrase verb = leaf(is_be               ? form_of_be
                           : third && !with_do ? what.verb->third_person
                                               : what.verb->english,
                           what.verb->french[static_cast<int>(who.person)]);

  const LinkedWords& finite = is_be ? verb.english : help.english;
  const LinkedWords base = is_be ? LinkedWords{} : verb.english;
  const LinkedWords start = asks ? finite + who.phrase.english : who.phrase.english + finite;
  return {start + negation.english + base + what.pronoun.english + what.rest.english,
          help.french + who.phrase.french + ne + what.pronoun.french + verb.french + pas + what.rest.french};
}

// Subject → Short  |  Short
//         → Noun   |  Noun
ClauseGrammar::Subject ClauseGrammar::subject() {
  if (chance(50)) return short_subject();
  return noun_subject(chance(60) ? K::being : K::any, Articles::definite);
}

// Short → I   |  je
//       → Paul  |  Paul
//       → you … , Address  |  tu or vous … , Address
ClauseGrammar::Subject ClauseGrammar::short_subject() {
  const Index draw = random_.below(10);
  if (draw < 4) return addressed_subject();
  if (draw < 6) {
    const FirstName& name = any_name();
    return {leaf(name.text, name.text), Person::third, name.gender, false, K::adult};
  }
  const Pronoun& pronoun = any(lexicon_.pronouns);
  const bool plural = pronoun.person == Person::first_plural;
  return {leaf(pronoun.english, pronoun.french),
          pronoun.person,
          pronoun.gender,
          plural,
          K::adult,
          nullptr,
          pronoun.reveals_gender};
}

ClauseGrammar::Subject ClauseGrammar::addressed_subject() {
  const FormOfAddress& to = any(lexicon_.addresses);
  const Phrase address = leaf(",", ",") + leaf(to.english, to.french);
  // `You are tired, girls` speaks of tired girls.
  const auto noun = std::find_if(lexicon_.nouns.begin(), lexicon_.nouns.end(),
                                 [&](const Noun& n) { return n.english_plural == to.english; });
  const bool is_noun = noun != lexicon_.nouns.end();
  if (is_noun) made_.nouns.push_back(noun->english);
  return {leaf("you", to.pronoun),    to.person, to.gender, to.plural, K::adult,
          is_noun ? &*noun : nullptr, true,      address};
}

ClauseGrammar::Subject ClauseGrammar::noun_subject(unsigned kinds, Articles articles) {
  const NounPhrase np = noun_phrase(kinds, articles);
  const Person person = np.plural ? Person::third_plural : Person::third;
  return {np.phrase, person, np.noun->gender, np.plural, np.noun->kind, np.noun};
}

// Pronoun → he or she or it  |  il or elle
//         → they             |  ils or elles
// French things have the gender of their noun: the car … it is la voiture … elle.
ClauseGrammar::Subject ClauseGrammar::pronoun_for(const Subject& antecedent) {
  const bool is_feminine = antecedent.gender == Gender::feminine, is_person = antecedent.kind & K::person;
  Subject who = antecedent;
  if (antecedent.plural) {
    who.phrase = leaf("they", is_feminine ? "elles" : "ils");
  } else {
    who.phrase = leaf(!is_person ? "it" : is_feminine ? "she" : "he", is_feminine ? "elle" : "il");
  }
  return who;
}

// Predicate → Description | be Place | Resting | WithPronoun | Giving | Transitive  |  the same
ClauseGrammar::Predicate ClauseGrammar::predicate(const Subject& who, Mood mood) {
  const Index draw = random_.below(20);
  const bool alive = who.kind & K::being, is_person = who.kind & K::person;
  if (draw < (alive ? 4 : 12)) return description(who, mood);
  if (draw < 6 || !alive) return {&lexicon_.be, {}, place(who.kind)};
  if (draw < 8) return resting(who);
  if (draw < 10) return with_pronoun(who);
  if (draw < 12 && is_person) return giving(mood);
  return transitive(who, mood);
}

// Description → be very? Adjective           |  être très? Adjective
//             → be Adjective and Adjective   |  être Adjective et Adjective
ClauseGrammar::Predicate ClauseGrammar::description(const Subject& who, Mood mood) {
  const auto say = [&](const Adjective& adjective) {
    Phrase phrase = describe(adjective, who.noun, who.gender, who.plural);
    phrase.french[0].before_vowel = {};  // il est beau et bon: only before its noun is it bel
    return phrase;
  };
  const Index draw = random_.below(10);
  const Adjective& adjective = adjective_for(who);
  Phrase rest = say(adjective);
  if (draw < 3 && adjective.is_gradable()) return {&lexicon_.be, {}, leaf("very", "très") + rest};
  if (draw < 8 || mood == Mood::negation) return {&lexicon_.be, {}, rest};
  return {&lexicon_.be, {}, rest + leaf("and", "et") + say(adjective_for(who))};
}

/// An adjective for a quality of which the sentence has not spoken yet: nothing is old and young.
const Adjective& ClauseGrammar::adjective_for(const Subject& who) {
  return any_that(lexicon_.adjectives, [&](const Adjective& a) {
    return (a.kinds & who.kind) && (who.reveals_gender || a.is_epicene()) &&
           std::find(qualities_.begin(), qualities_.end(), a.quality) == qualities_.end();
  });
}

// Resting → sleep Place?  |  dormir Place?
ClauseGrammar::Predicate ClauseGrammar::resting(const Subject& who) {
  const Verb& verb = intransitive_verb(who.kind);
  return {&verb, {}, chance(60) ? place(who.kind) : Phrase{}};
}

// Transitive → see Noun      |  voir Noun
//            → go to Noun    |  aller à Noun
ClauseGrammar::Predicate ClauseGrammar::transitive(const Subject& who, Mood mood) {
  const Verb& verb = any_that(lexicon_.transitive, [&](const Verb& v) { return v.subjects & who.kind; });
  const bool is_direct = verb.preposition.empty(), denies = mood == Mood::negation;
  const bool must_be_definite = verb.object_is_definite || (denies && !is_direct);
  const Articles articles = must_be_definite ? Articles::definite
                            : denies         ? Articles::any_in_negation
                                             : Articles::any;
  const NounPhrase object = noun_phrase(verb.objects, articles);
  return {&verb, {}, leaf(verb.preposition, verb.french_preposition) + object.phrase};
}

// WithPronoun → see them  |  les voir
ClauseGrammar::Predicate ClauseGrammar::with_pronoun(const Subject& who) {
  const Verb& verb = any_that(lexicon_.transitive, [&](const Verb& v) {
    return (v.subjects & who.kind) && (v.objects & K::person) && v.preposition.empty();
  });
  const bool is_first = who.person == Person::first || who.person == Person::first_plural;
  const ObjectPronoun& object = any_that(lexicon_.object_pronouns, [&](const ObjectPronoun& pronoun) {
    return !(is_first && pronoun.is_first);
  });
  return {&verb, leaf(object.english, object.french)};
}

// Giving → give Noun to Noun  |  donner Noun à Noun
ClauseGrammar::Predicate ClauseGrammar::giving(Mood mood) {
  const Articles articles = mood == Mood::negation ? Articles::any_in_negation : Articles::any;
  const NounPhrase gift = noun_phrase(lexicon_.give.objects, articles);
  const NounPhrase receiver = noun_phrase(K::being, Articles::definite);
  return {&lexicon_.give, {}, gift.phrase + leaf("to", "à") + receiver.phrase};
}

// Place → in Noun  |  dans Noun
ClauseGrammar::Phrase ClauseGrammar::place(unsigned subject_kind) {
  const Preposition& preposition =
      any_that(lexicon_.prepositions, [&](const Preposition& p) { return p.subjects & subject_kind; });
  const NounPhrase where =
      noun_phrase(preposition.objects, Articles::definite, preposition.place_can_be_plural);
  return leaf(preposition.english, preposition.french) + where.phrase;
}

const Verb& ClauseGrammar::intransitive_verb(unsigned subject_kind) {
  return any_that(lexicon_.intransitive, [&](const Verb& verb) { return verb.subjects & subject_kind; });
}

const Verb& ClauseGrammar::verb_with_object(unsigned subject_kind) {
  return any_that(lexicon_.transitive, [&](const Verb& verb) {
    return (verb.subjects & subject_kind) && verb.preposition.empty();
  });
}

}  // namespace gradual::toy
