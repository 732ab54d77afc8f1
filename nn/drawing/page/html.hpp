// The parts of a page, one after the other.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gradual/nn/drawing/line_chart.hpp>

namespace gradual {

/// What the rows of a table have beside their cells: the first `best` are bold, the last `apart` stand below a
/// line, and each has one of the `pictures`, as drawing functions return them, in a last column.
struct TableRows {
  std::size_t best = 0, apart = 0;
  std::vector<std::string> pictures = {};  // one for each row, or none
};

/// The content of a page (see html_page), built part by part. All texts are escaped; pictures are SVG as the
/// drawing functions return it. Cells, words and names of choices run from right to left where their first
/// letter does.
class Html {
 public:
  struct Choice;

  // ---- Text

  /// A heading of level 2 (a section of the page, never within a choice), 3 or 4.
  Html& heading(int level, std::string_view text);
  /// Adds a paragraph; the text is escaped. No line ends between a number and its % or °C.
  Html& paragraph(std::string_view text);
  /// Adds what the page comes to, in a frame; no text, no frame.
  Html& answer(std::string_view text);

  // ---- Values and tables

  /// Names and values, for settings.
  Html& key_values(const std::vector<std::pair<std::string, std::string>>& pairs);
  /// Names and what they mean, in a column each; on a phone below each other.
  Html& terms(const std::vector<std::pair<std::string, std::string>>& meanings);
  /// Names and values as large figures in a row, for the few results that matter.
  Html& figures(const std::vector<std::pair<std::string, std::string>>& pairs);

  /// A table, with numbers at the right of their columns; the first column names the rows. A phone that has
  /// no room for all columns scrolls them sideways behind the first; where cells hold sentences or rows are
  /// marked, each row becomes a block. `marks`, if not empty, says for each row whether it is right (✓) or
  /// wrong (✗). Throws std::invalid_argument if a row does not have a cell for each column, or `marks` is
  /// neither empty nor one for each row, or the pictures of `look` are not.
  Html& table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows,
              const std::vector<bool>& marks = {}, const TableRows& look = {});

  // ---- Pictures

  /// A picture in its own size, with a caption unless that is empty; one wider than the page scrolls in its
  /// own box.
  Html& picture(std::string_view svg, std::string_view caption = {});
  /// A picture with what is said of it at its side; on a phone that stands above it.
  Html& beside(const Html& words, std::string_view svg);
  /// A chart over the whole width of the page, or several in rows of two. Each is drawn twice, for desktop
  /// and for phone, in sizes that fit the page; its own size is not used.
  Html& charts(const std::vector<LineChart>& charts);
  /// Pictures side by side, as many in a row as fit; maps of attention in boxes of one size, with a scale of
  /// their tints, of which a phone shows two in a row where they are small. Their `name`, unless it is empty,
  /// stands above the first.
  Html& pictures(const std::vector<std::string>& svgs, std::string_view name = {});

  // ---- Words and their weights

  /// Words, each with a share of 1, as bars one below the other; the first is what was chosen among them, or
  /// the first `best` are, where they are equally good: these are in colour. The shares stand there as
  /// numbers, or in per cent.
  Html& bars(std::string_view label, const std::vector<std::pair<std::string, double>>& shares,
             bool in_percent = false, std::size_t best = 1);
  /// A sentence whose words are shaded by their weights, from 0 to 1, with a label unless it is empty. Throws
  /// std::invalid_argument if there are not as many weights as words.
  Html& weighted_words(std::string_view label, const std::vector<std::string>& words,
                       const std::vector<double>& weights);

  /// A sentence of which some words are marked, because of what `label` says. Throws std::invalid_argument if
  /// there are not as many marks as words.
  Html& marked_words(std::string_view label, const std::vector<std::string>& words,
                     const std::vector<bool>& marks);

  // ---- Boxes and choices

  /// Boxes side by side, at most four in a row, and as many as fit where each takes at least so many pixels.
  Html& cards(const std::vector<Html>& cards, int narrowest);

  /// How the reader chooses: by buttons where the names are few and short, else from a list; by a slider; or
  /// as words of a sentence, by pointing, tapping or tabbing at one.
  enum class Chooser { automatic, slider, words };

  /// Alternatives of which the reader sees one at a time. All choosers of a page with the same label move
  /// together, but words. The one numbered `start`, from 0, is seen first. Without scripts each alternative
  /// can be opened and closed by itself. Throws std::invalid_argument if there is no such start.
  Html& choices(std::string_view label, const std::vector<Choice>& choices,
                Chooser chooser = Chooser::automatic, std::size_t start = 0);

  // ---- The page as HTML

  /// HTML as it is: for what this class has no name for. Never for text from outside.
  Html& markup(std::string_view html);

  /// Links to the sections so far, by their headings up to a colon.
  std::string links_to_sections() const;
  /// How many sections there are so far.
  std::size_t section_count() const { return sections_.size(); }
  /// The page so far.
  const std::string& str() const { return html_; }

 private:
  std::string html_;
  std::vector<std::string> sections_;  // their headings
};

/// One alternative and what it shows.
struct Html::Choice {
  std::string name;
  Html content;
  std::string note = {};  ///< small, beside the name
};

}  // namespace gradual
