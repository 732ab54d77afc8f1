#include <gradual/core/names.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

enum class Colour { red, green, blue };

const Names<Colour> colours("flag: the colour", {{"red", Colour::red}, {"green", Colour::green}});

}  // namespace

TEST_CASE("names: a name gives its value, a value its name, and all stand in their order") {
  CHECK(colours.value("green") == Colour::green);
  CHECK(colours.name(Colour::red) == "red");
  CHECK(colours.all() == std::vector<std::string>{"red", "green"});
}

TEST_CASE("names: an unknown name is refused with the known ones") {
  CHECK_THROWS_WITH(colours.value("Red"),
                    "flag: the colour must be a known one: got \"Red\"; known are red, green");
  CHECK_THROWS_WITH(colours.name(Colour::blue), "flag: the colour has no name");
}
