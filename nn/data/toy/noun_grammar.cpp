#include <gradual/nn/data/toy/noun_grammar.hpp>

namespace gradual::toy {

// Noun → Determiner Number? Group   |  Determiner Number? Group
//      → Owner 's Group             |  le Group de Owner
NounGrammar::NounPhrase NounGrammar::noun_phrase(unsigned kinds, Articles articles, bool may_be_plural) {
  const Noun& noun = any_noun(kinds);
  const bool plural = may_be_plural && chance(40);
  if (articles >= Articles::any && chance(45)) return {indefinite(noun, plural, articles), &noun, plural};
  const bool can_be_owned = articles >= Articles::definite && (noun.kind & K::owned);
  if (can_be_owned && chance(20)) return {owned(noun, plural), &noun, plural};
  const auto fits = [&](const Determiner& d) { return d.kinds & noun.kind; };
  Phrase determiners = determiner(chance(60) ? lexicon_.the : any_that(lexicon_.others, fits), noun, plural);
  if (plural && chance(20)) determiners = determiners + numeral();
  return {noun_group(determiners, noun, plural), &noun, plural};
}

// Indefinite → a Group    |  un Group       (de Group after a negated verb)
//            → Group      |  des Group      (the same)
//            → two Group  |  deux Group
NounGrammar::Phrase NounGrammar::indefinite(const Noun& noun, bool plural, Articles articles) {
  if (plural && chance(50)) return noun_group(numeral(), noun, plural);
  const bool negated = articles == Articles::any_in_negation;
  const Phrase article = determiner(negated ? lexicon_.a_in_negation : lexicon_.a, noun, plural);
  // People say both `de petits chats` and `des petits chats`: small cats alone have no one right translation.
  const bool ambiguous_before_adjective = plural && !negated;
  return noun_group(article, noun, plural, !ambiguous_before_adjective);
}

NounGrammar::Phrase NounGrammar::owned(const Noun& noun, bool plural) {
  const Phrase owner = owner_of(noun);
  const Phrase of = leaf("'s", "de|d'"), article = determiner(lexicon_.the, noun, plural);
  const Phrase group = noun_group({owner.english + of.english, article.french}, noun, plural);
  return {group.english, group.french + of.french + owner.french};
}

// Owner → Paul | the man  |  Paul | le homme
NounGrammar::Phrase NounGrammar::owner_of(const Noun& noun) {
  if (chance(50)) {
    const FirstName& name = any_name();
    return leaf(name.text, name.text);
  }
  const Noun& owner = any_noun(noun.kind & K::person ? K::adult : K::person);
  return determiner(lexicon_.the, owner, false) + head(owner, false);
}

// Group → Determiner Adjective? Adjective? Noun  |  Determiner Adjective? Noun Adjective?
//
// Each language orders the adjectives in its own way: the sad old trees are les vieux arbres tristes.
NounGrammar::Phrase NounGrammar::noun_group(const Phrase& determiner, const Noun& noun, bool plural,
                                            bool adjective_may_precede) {
  const Adjective* preceding =
      adjective_may_precede && chance(35) ? &any_adjective(noun, Position::before_noun) : nullptr;
  const Adjective* following = chance(35) ? &any_adjective(noun, Position::after_noun) : nullptr;
  const Phrase before = preceding ? describe(*preceding, &noun, noun.gender, plural) : Phrase{};
  const Phrase after = following ? describe(*following, &noun, noun.gender, plural) : Phrase{};
  const bool in_french_order = !preceding || !following || preceding->quality < following->quality;
  const Phrase centre = head(noun, plural);
  return {determiner.english + (in_french_order ? before + after : after + before).english + centre.english,
          determiner.french + before.french + centre.french + after.french};
}

const Adjective& NounGrammar::any_adjective(const Noun& noun, Position position) {
  return any_that(lexicon_.adjectives,
                  [&](const Adjective& a) { return a.position == position && (a.kinds & noun.kind); });
}

NounGrammar::Phrase NounGrammar::determiner(const Determiner& d, const Noun& noun, bool plural) {
  if (plural) return leaf(d.english_plural, d.plural);
  return leaf(d.english, noun.gender == Gender::masculine ? d.masculine : d.feminine);
}

NounGrammar::Phrase NounGrammar::numeral() {
  const Numeral& number = any(lexicon_.numerals);
  return leaf(number.english, number.french);
}

const Noun& NounGrammar::any_noun(unsigned kinds) {
  const Noun& noun =
      any_that(lexicon_.nouns, [&](const Noun& n) { return (n.kind & kinds) && !mentions(n.english); });
  made_.nouns.push_back(noun.english);
  return noun;
}

const FirstName& NounGrammar::any_name() {
  const FirstName& name = any_that(lexicon_.names, [&](const FirstName& n) { return !mentions(n.text); });
  made_.nouns.push_back(name.text);
  return name;
}

NounGrammar::Phrase NounGrammar::head(const Noun& noun, bool plural) {
  return plural ? leaf(noun.english_plural, noun.french_plural) : leaf(noun.english, noun.french);
}

NounGrammar::Phrase NounGrammar::describe(const Adjective& adjective, const Noun* noun, Gender gender,
                                          bool plural) {
  made_.adjectives.push_back(adjective.english);
  qualities_.push_back(adjective.quality);
  if (noun != nullptr) made_.descriptions.emplace_back(adjective.english, noun->english);
  return leaf(adjective.english, adjective.form(gender, plural));
}

NounGrammar::Phrase NounGrammar::leaf(std::string_view english, std::string_view french) {
  const std::size_t link = next_link_++;
  return {words_of(english, link), words_of(french, link)};
}

}  // namespace gradual::toy
