#include "../../../examples/gallery/kept.hpp"

#include <gradual/nn/drawing/number_text.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

const std::string chapters = GRADUAL_SOURCES "/docs/chapters/";

gallery::KeptGallery kept() { return gallery::from_json(content(chapters + "figures/gallery/gallery.json")); }

}  // namespace

TEST_CASE("gallery: the book's pictures are drawn of what was kept of a training") {
  const auto pictures = gallery::pictures_of(kept());
  CHECK(pictures.size() == 2 * gallery::all_bugs().size());
  for (const auto& [name, picture] : pictures) {
    INFO(name << ": ./run gallery --threads 1 --figures docs/chapters/figures/gallery");
    CHECK((picture == content(chapters + "figures/gallery/" + name)));
  }
}

TEST_CASE("gallery: the chapter shows each bug with its curve, its map, its losses and its sentence") {
  const gallery::KeptGallery all = kept();
  const std::string page = content(chapters + "16-what-went-wrong.md");
  REQUIRE(all.broken.size() == gallery::all_bugs().size());
  CHECK_THAT(page, Contains("*" + all.source + "*") && Contains("*" + all.target + "*") &&
                       Contains("*" + all.sound.translation + "*"));
  for (std::size_t i = 0; i < all.broken.size(); ++i) {
    const gallery::Kept& each = all.broken[i];
    const gallery::Bug& bug = gallery::all_bugs()[i];
    INFO(bug.title);
    CHECK(each.name == bug.name);
    CHECK_THAT(each.cause, Contains(bug.cause));
    CHECK(each.maps.size() == 1);
    CHECK_THAT(page, Contains("### " + bug.title + "\n") &&
                         Contains("](figures/gallery/" + bug.name + "-curve.svg)") &&
                         Contains("](figures/gallery/" + bug.name + "-map.svg)"));
    CHECK_THAT(page,
               Contains("| " + short_text(each.losses.back(), 3) + " | " + short_text(each.held_out_loss, 3) +
                        " | " + percent_text(each.right, 0) + " |"));
    CHECK_THAT(page, Contains(each.translation));
  }
}

TEST_CASE("gallery: what is kept comes back from its text") {
  const gallery::KeptGallery all = kept();
  CHECK((gallery::to_json(all) == content(chapters + "figures/gallery/gallery.json")));
}

TEST_CASE("gallery: a held-out loss is kept with all its digits, so that it is rounded once") {
  gallery::Result result;
  result.losses = {1};
  result.held_out_loss = 7.7551485;
  CHECK(short_text(gallery::kept_of("any", result, {}).held_out_loss, 3) == "7.76");
}
