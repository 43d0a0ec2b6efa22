// The content of a report, independent of its format: a study fills it, a renderer per format draws
// it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "records/json_fwd.hpp"
#include "report/grid.hpp"

namespace parallax::report {

/// Columns of a text report at least.
inline constexpr std::size_t least_width = 60;

struct Paragraph {
    std::string text;
};
/// Markdown of this program's own, as lessons are written in: a terminal has its lines filled.
struct Prose {
    std::string markdown;
};
/// Sentences, each a list entry.
struct List {
    Sentences items;
};
/// Warnings at the start of a document.
struct Warnings {
    Sentences items;
};
/// A command as a shell takes it, on one line.
struct ShellCommand {
    std::string line;
};
/// Preformatted lines: a compiler's log, a difference, or code.
struct Preformatted {
    std::string heading;
    std::vector<std::string> lines = {};
    bool is_difference = false;  ///< lines begin with `- ` (A), `+ ` (B), or `  ` (both)
    std::string language = {};   ///< of code, which is never cut off; empty: it is none
};
struct Texts {
    std::vector<Preformatted> items;
};

struct Block;
using Blocks = std::vector<Block>;

/// A part of a report under its title. It is left out where it is empty.
struct Section {
    std::string title;  ///< empty: its blocks have no heading
    Blocks blocks;
    bool is_folded = false;  ///< by formats that can
    unsigned level = 2;      ///< of the heading in Markdown, from 1 on; 0: bold words
    bool is_markup = false;  ///< its title is Prose

    /// Adds to the last list, or begins one.
    void say(std::string sentence);
    bool empty() const;
};

struct Block : std::variant<Paragraph, Prose, List, Warnings, ShellCommand, Grid, Texts, Section> {
    using variant::variant;
};

struct Document {
    std::string title;  ///< of a whole document; a terminal shows none
    Blocks blocks;
};

/// @param width  columns, at least `least_width`
/// @param most   columns of sentences
std::string text_of(const Document&, std::size_t width, bool colour,
                    std::size_t most = std::string::npos);
/// GitHub's. @param most  bytes: each section takes a third of what those before it leave over,
/// loses what does not fit, and says how much that is
std::string markdown_of(const Document&, std::size_t most = std::string::npos);
/// For HTML: `report/page/grid.js` draws these as elements of a page.
Json json_of(const Grid&);
Json json_of(const Section&);
Json json_of(const std::vector<Section>&);
/// `same`, `not-comparable`: the class that an element of this colour has.
std::string tone_name(Verdict);

}  // namespace parallax::report
