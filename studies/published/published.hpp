// What the documents that this project starts from published: figures, and the rows they belong to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/program.hpp"

namespace parallax {

/// Where a figure was published.
struct Document {
    std::string author;
    std::string title;  ///< in quotation marks where the document says it, else what it is about
    std::string date;   ///< as far as the document says it: `2009-08-31`, `December 2010`; or empty
};

/// `NVIDIA, "OpenCL Optimization" (no date)`
std::string reference_of(const Document&);

/// All of them.
namespace documents {
extern const Document architecture, introduction, overview, optimization, course_page;
}

/// What a published figure counts.
enum class Unit {
    milliseconds,
    gigabytes_per_second,
    gigaflops,     ///< 10^9 floating-point operations in a second
    times_slower,  ///< than the same variant with the constants of `Published::against`
    times_faster,  ///< than what `Published::figure` names
    percent,       ///< of the warps that a multiprocessor can hold
    items          ///< work-items of a group
};

/// One published figure.
struct Published {
    /// What measures the same today; both empty: no variant does.
    std::string suite, variant;
    std::vector<std::uint64_t> shape = {};  ///< empty: the document does not say
    std::vector<Constant> constants = {};   ///< those that the document says
    std::string device;                     ///< as the document names it; empty: it does not
    double value = 0;
    Unit unit = Unit::milliseconds;
    std::string figure = {};  ///< which of several: `overall`, `kernel only`; without a variant:
                              ///< what it is the figure of
    const Document* document = nullptr;
    std::vector<Constant> against = {};  ///< of `times_slower` with a variant
    std::string row = {};                ///< without a variant: the name of the row it belongs to
};

/// All of them, in the order in which the documents go from step to step. They live as long as the
/// program does.
const std::vector<Published>& published();

/// The figures of a variant that were published for these circumstances: each constant that the
/// figure names has its value in `constants`, and the shape, where the document says one, is
/// `shape`. An empty `shape` stands for any.
std::vector<const Published*> published_for(std::string_view suite, std::string_view variant,
                                            const std::vector<Constant>& constants,
                                            const std::vector<std::uint64_t>& shape = {});

/// `135.9 ms`, `26.0 GFLOP/s`, `1.7 times slower`
std::string text_of(const Published&);

/// A table of variants against the values of a constant, as a document prints it: each cell has
/// several figures.
struct PublishedGrid {
    struct Line {
        std::string variant;
        std::string label;  ///< what the document calls it
    };
    struct Figure {
        std::string name;                      ///< Published::figure
        std::vector<Constant> constants = {};  ///< that measure it today
    };
    std::string suite;
    std::string constant;  ///< of the columns
    std::vector<std::int64_t> values;
    std::vector<std::uint64_t> shape;
    std::vector<Line> lines;
    std::vector<Figure> figures;
};

/// Variants of a suite that belong to a row.
struct RowMember {
    std::string suite;
    std::vector<std::string> variants = {};  ///< empty: all
};

/// One of the systems that the documents show, and what runs it today.
struct PublishedRow {
    std::string name;  ///< one word for the command line
    std::string title;
    std::string shows;                  ///< what the documents show, in sentences
    std::string note = {};              ///< what to know before figures are compared; may be empty
    std::vector<std::string> commands;  ///< that run it, never empty
    std::vector<RowMember> members = {};
    bool steps = false;                      ///< each variant is a step beyond the one before
    std::optional<PublishedGrid> grid = {};  ///< stands for the table of `members`
};

/// All of them, in the order of a course.
const std::vector<PublishedRow>& published_rows();

/// What a document works out of the warps that a multiprocessor holds: no device is measured.
struct OccupancyExample {
    std::string compute_capability;
    std::uint64_t items;        ///< of a group
    std::uint32_t registers;    ///< of a work-item
    std::uint32_t local_bytes;  ///< of a group
    double percent;             ///< as published, whole or rounded down
    const Document* document = nullptr;
};
const std::vector<OccupancyExample>& occupancy_examples();

/// One case of a report.
struct ReportedCase {
    std::string_view suite, variant;
    std::vector<Constant> constants;
    std::vector<std::uint64_t> shape;
};

/// What was published for any of the cases, a sentence for each suite, device, kind of figure and
/// document: `reduction: a 31.4 ms, b 23.9 ms on GeForce GTX 285 (NVIDIA, "...", 2009-08-31).`
std::vector<std::string> published_sentences(const std::vector<ReportedCase>&);

}  // namespace parallax
