#include "../../../examples/translate/doubts.hpp"

#include "support/catch.hpp"

using namespace gradual;

namespace {

LearntFrom learnt_from(const std::vector<SentencePair>& pairs) {
  return LearntFrom({HeldOutSet{"held-out", pairs}});
}

Doubt doubt(const std::string& source, const std::string& translation, const LearntFrom& learnt) {
  return doubt_about(source, translation, learnt).doubt;
}

}  // namespace

TEST_CASE("doubts: a word twice in a row, and two words side by side twice, are said of a translation") {
  const LearntFrom learnt = learnt_from({{"The cat sleeps.", "Le chat dort."}});
  CHECK(doubt("The cat sleeps.", "Le chat dort dort.", learnt) == Doubt::repeats);
  CHECK(doubt("The cat sleeps.", "Le chat Dort dort.", learnt) == Doubt::repeats);
  CHECK(doubt("The cat sleeps.", "Le chat et le chat.", learnt) == Doubt::repeats);
  CHECK(doubt("The cat sleeps.", "Le chat, le dort.", learnt) == Doubt::none);
  CHECK(doubt_about("The cat sleeps.", "Le chat dort dort.", learnt).words ==
        "it says \"dort\" twice: it may never have learnt from sentences of this kind");
}

TEST_CASE("doubts: what the sentence or right translations say twice may be said twice") {
  const LearntFrom learnt = learnt_from({{"We get up.", "Nous nous levons."}});
  CHECK(doubt("We wash.", "Nous nous lavons.", learnt) == Doubt::none);
  CHECK(doubt("You wash.", "Vous vous lavez.", learnt) == Doubt::repeats);
  CHECK(doubt("No, no, no!", "Non, non, non !", learnt) == Doubt::none);
}

TEST_CASE("doubts: where a mark is missing at the end, a word that comes twice is named with that") {
  const LearntFrom learnt = learnt_from({{"The cat sleeps.", "Le chat dort."}});
  const DoubtNote note = doubt_about("the cat sleeps", "Le chat dort dort.", learnt);
  CHECK(note.doubt == Doubt::no_mark);
  CHECK(note.words ==
        "the sentence ends without a full stop or other mark, unlike all it learnt from; it says \"dort\" "
        "twice");
  CHECK(doubt_about("the cat sleeps", "Le chat dort.", learnt).words.find("twice") == std::string::npos);
}

TEST_CASE("doubts: a sentence may end in quotation marks and brackets, and no sentence ends behind a title") {
  const LearntFrom learnt = learnt_from({{"It is the cat that sleeps here.", "Le chat dort."}});
  for (const char* sentence :
       {"\"The cat sleeps.\"", "(The cat sleeps.)", "“The cat sleeps!”", "I said: 'no.'", "Mr. King sleeps.",
        "I know J. S. Bach.", "Is Dr. King here?", "It is Mr.", "The cat eats (B.)"})
    CHECK(doubt(sentence, "Le chat dort.", learnt) == Doubt::none);
  CHECK(doubt("It is I. The cat sleeps.", "Le chat dort.", learnt) == Doubt::fewer_sentences);
  CHECK(doubt("\"No.\" The cat sleeps.", "Le chat dort.", learnt) == Doubt::fewer_sentences);
  CHECK(doubt("I see Mr", "Le chat dort.", learnt) == Doubt::no_mark);
  CHECK(sentences_in("\"No.\" The cat sleeps.") == std::vector<std::string>{"\"No.\"", "The cat sleeps."});
}

TEST_CASE("doubts: of an empty translation there are none") {
  CHECK(doubt("The cat sleeps.", "", learnt_from({{"The cat sleeps.", ""}})) == Doubt::none);
}
