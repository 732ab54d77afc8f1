#include <gradual/nn/data/toy/lexicon.hpp>

namespace gradual::toy {
namespace {

using K = NounKind;
constexpr Gender m = Gender::masculine, f = Gender::feminine;

// Left out, because their French depends on who is meant: teacher and friend (le or la), brother with
// beautiful (beau frère would be a brother-in-law), and so on.
std::vector<Noun> nouns() {
  return {{"man", "men", "homme", "hommes", m, K::adult},
          {"woman", "women", "femme", "femmes", f, K::adult},
          {"king", "kings", "roi", "rois", m, K::adult},
          {"queen", "queens", "reine", "reines", f, K::adult},
          {"boy", "boys", "garçon", "garçons", m, K::child},
          {"girl", "girls", "fille", "filles", f, K::child},
          {"child", "children", "enfant", "enfants", m, K::child},
          {"cat", "cats", "chat", "chats", m, K::animal},
          {"dog", "dogs", "chien", "chiens", m, K::animal},
          {"horse", "horses", "cheval", "chevaux", m, K::animal},
          {"bird", "birds", "oiseau", "oiseaux", m, K::animal},
          {"mouse", "mice", "souris", "souris", f, K::animal},
          {"owl", "owls", "hibou", "hiboux", m, K::animal},
          {"book", "books", "livre", "livres", m, K::portable},
          {"key", "keys", "clé", "clés", f, K::portable},
          {"hat", "hats", "chapeau", "chapeaux", m, K::portable},
          {"apple", "apples", "pomme", "pommes", f, K::food},
          {"orange", "oranges", "orange", "oranges", f, K::food},
          {"cake", "cakes", "gâteau", "gâteaux", m, K::food},
          {"house", "houses", "maison", "maisons", f, K::large},
          {"car", "cars", "voiture", "voitures", f, K::large},
          {"tree", "trees", "arbre", "arbres", m, K::large},
          {"bed", "beds", "lit", "lits", m, K::large},
          {"park", "parks", "parc", "parcs", m, K::place},
          {"school", "schools", "école", "écoles", f, K::place},
          {"station", "stations", "gare", "gares", f, K::place},
          {"hotel", "hotels", "hôtel", "hôtels", m, K::place},
          {"church", "churches", "église", "églises", f, K::place}};
}

std::vector<Adjective> adjectives() {
  constexpr Position before = Position::before_noun, after = Position::after_noun;
  using Q = Quality;
  constexpr unsigned ages = K::adult | K::animal | K::portable | K::large | K::place;
  return {{"beautiful", "beau|bel", "belle", "beaux", "belles", before, Q::looks, K::any},
          {"old", "vieux|vieil", "vieille", "vieux", "vieilles", before, Q::age, ages},
          {"young", "jeune", "jeune", "jeunes", "jeunes", before, Q::age, K::being},
          {"small", "petit", "petite", "petits", "petites", before, Q::size, K::any},
          {"big", "grand", "grande", "grands", "grandes", before, Q::size, K::large | K::place},
          {"good", "bon", "bonne", "bons", "bonnes", before, Q::worth, K::thing | K::place},
          {"red", "rouge", "rouge", "rouges", "rouges", after, Q::colour, K::thing},
          {"black", "noir", "noire", "noirs", "noires", after, Q::colour, K::animal | K::thing},
          {"white", "blanc", "blanche", "blancs", "blanches", after, Q::colour, K::animal | K::thing},
          {"happy", "heureux", "heureuse", "heureux", "heureuses", after, Q::mood, K::being},
          {"sad", "triste", "triste", "tristes", "tristes", after, Q::mood, K::being},
          {"tired", "fatigué", "fatiguée", "fatigués", "fatiguées", after, Q::strength, K::being},
          {"strange", "étrange", "étrange", "étranges", "étranges", after, Q::oddity, K::any},
          {"French", "français", "française", "français", "françaises", after, Q::origin, K::any}};
}

Verb be() { return {"be", "is", {"suis", "es", "est", "sommes", "êtes", "sont"}, K::any}; }

Verb give() {
  return {"give",
          "gives",
          {"donne", "donnes", "donne", "donnons", "donnez", "donnent"},
          K::person,
          K::portable | K::food};
}

std::vector<Verb> transitive() {
  return {
      {"see", "sees", {"vois", "vois", "voit", "voyons", "voyez", "voient"}, K::being, K::any},
      {"love",
       "loves",
       {"aime", "aimes", "aime", "aimons", "aimez", "aiment"},
       K::being,
       K::any,
       "",
       "",
       true},
      {"look for",
       "looks for",
       {"cherche", "cherches", "cherche", "cherchons", "cherchez", "cherchent"},
       K::being,
       K::any},
      {"eat", "eats", {"mange", "manges", "mange", "mangeons", "mangez", "mangent"}, K::being, K::food},
      {"buy",
       "buys",
       {"achète", "achètes", "achète", "achetons", "achetez", "achètent"},
       K::person,
       K::animal | K::thing},
      {"have", "has", {"ai", "as", "a", "avons", "avez", "ont"}, K::person, K::animal | K::thing},
      {"talk",
       "talks",
       {"parle", "parles", "parle", "parlons", "parlez", "parlent"},
       K::person,
       K::being,
       "to",
       "à"},
      {"go", "goes", {"vais", "vas", "va", "allons", "allez", "vont"}, K::being, K::place, "to", "à", true},
      {"come",
       "comes",
       {"viens", "viens", "vient", "venons", "venez", "viennent"},
       K::being,
       K::place,
       "from",
       "de|d'",
       true}};
}

std::vector<Verb> intransitive() {
  return {{"sleep", "sleeps", {"dors", "dors", "dort", "dormons", "dormez", "dorment"}, K::being},
          {"sing", "sings", {"chante", "chantes", "chante", "chantons", "chantez", "chantent"}, K::person}};
}

std::vector<Determiner> other_determiners() {
  return {{"this", "these", "ce|cet", "cette", "ces"},
          {"my", "my", "mon", "ma|mon", "mes", K::owned},
          {"his", "his", "son", "sa|son", "ses", K::owned},
          {"her", "her", "son", "sa|son", "ses", K::owned},
          {"our", "our", "notre", "notre", "nos", K::owned}};
}

std::vector<Preposition> prepositions() {
  constexpr unsigned small = K::being | K::portable | K::food, big = K::large | K::place;
  return {{"in", "dans", small, big, false},         {"under", "sous", small, K::large, false},
          {"behind", "derrière", small, big, true},  {"behind", "derrière", big, K::place, true},
          {"near", "près de|d'", small, big, true},  {"near", "près de|d'", big, K::place, true},
          {"with", "avec", K::being, K::being, true}};
}

std::vector<Pronoun> pronouns() {
  return {{"I", "je|j'", Person::first, m, false},
          {"he", "il", Person::third, m, true},
          {"she", "elle", Person::third, f, true},
          {"we", "nous", Person::first_plural, m, false}};
}

std::vector<FormOfAddress> addresses() {
  return {{"Dad", "papa", "tu", Person::second, m, false},
          {"Mum", "maman", "tu", Person::second, f, false},
          {"sir", "monsieur", "vous", Person::second_plural, m, false},
          {"madam", "madame", "vous", Person::second_plural, f, false},
          {"children", "les enfants", "vous", Person::second_plural, m, true},
          {"girls", "les filles", "vous", Person::second_plural, f, true}};
}

}  // namespace

const std::string& Adjective::form(Gender gender, bool plural) const {
  if (gender == Gender::masculine) return plural ? masculine_plural : masculine;
  return plural ? feminine_plural : feminine;
}

const Lexicon& lexicon() {
  static const Lexicon lexicon = {
      nouns(),
      adjectives(),
      be(),
      give(),
      transitive(),
      intransitive(),
      {"the", "the", "le|l'", "la|l'", "les"},
      {"a|an", "", "un", "une", "des"},
      {"a|an", "", "de|d'", "de|d'", "de|d'"},
      other_determiners(),
      prepositions(),
      pronouns(),
      {{"me", "me|m'", true},
       {"us", "nous", true},
       {"him", "le|l'", false},
       {"her", "la|l'", false},
       {"them", "les", false}},
      addresses(),
      {{"Paul", m}, {"Arthur", m}, {"Marie", f}, {"Alice", f}},
      {{"two", "deux"}, {"three", "trois"}, {"four", "quatre"}, {"five", "cinq"}, {"six", "six"}}};
  return lexicon;
}

}  // namespace gradual::toy
