// What the documents published that this project starts from: figures, what they state of orders
// and factors, and the systems that both belong to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// Where a figure was published.
struct Publication {
    std::string_view author;
    std::string_view title;  ///< in quotation marks where the document says it, else its subject
    std::string_view date;   ///< as far as the document says it: `2009-08-31`, `no date`
};

/// `NVIDIA, "OpenCL Optimization", no date`
std::string reference_of(const Publication&);

/// The case of `matvec/warp GROUP=512 1100x100000`: what the words leave out, the document does not
/// say. @throws UsageError for a word that is no size
CaseKey case_named(std::string_view words);
/// The words of a case.
std::string words_of(const CaseKey&);

/// What a published figure counts.
enum class Unit {
    milliseconds,
    gigabytes_per_second,
    gigaflops,     ///< 10^9 floating-point operations in a second
    times_slower,  ///< than the same variant with the constant of `Published::against`
    times_faster,
    items  ///< work-items of a group
};

/// One published figure: of a variant, which measures the same today, or of a row alone.
struct Published {
    CaseKey key;              ///< its constants and shape are those that the document says
    std::string_view device;  ///< as the document names it; empty: it does not
    double value = 0;
    Unit unit = Unit::milliseconds;
    std::string figure;  ///< which of several: `overall`; of a row alone: what it is
    const Publication* document = nullptr;
    std::string_view row;      ///< of a figure without a variant: PublishedRow::name
    std::string_view against;  ///< `OFFSET=0`, for `times_slower`
};

/// All of them, in the order in which the documents go from step to step. They live as long as the
/// program does.
const std::vector<Published>& published();

/// The figures of a variant that were published for these circumstances: each constant that the
/// figure names has its value in the case, and the shape, where the document says one, is the
/// case's. A case without a shape has any.
std::vector<const Published*> published_for(const CaseKey&);

/// `135.9 ms`, `26.0 GFLOP/s`, `1.7 times slower than with OFFSET=0`
std::string text_of(const Published&);

/// One of the systems that the documents show, and what runs it today.
struct PublishedRow {
    std::string_view name;  ///< one word for the command line
    std::string_view title;
    std::string_view shows;                  ///< what the documents show, in sentences
    std::string_view note = {};              ///< what to know before figures are compared; or empty
    std::vector<std::string_view> commands;  ///< that run it, never empty
};

/// All of them, in the order of a course.
const std::vector<PublishedRow>& published_rows();

/// What a document works out of the warps that a multiprocessor holds: no device is measured.
struct OccupancyExample {
    std::string_view compute_capability;
    std::uint64_t items;        ///< of a group
    std::uint32_t registers;    ///< of a work-item
    std::uint32_t local_bytes;  ///< of a group
    double percent;             ///< as published, whole or rounded down
    const Publication* document;
};
const std::vector<OccupancyExample>& occupancy_examples();

/// How many times as fast one case is as another, by a document.
struct PublishedStep {
    std::string slow;  ///< as case_named reads it; empty: `fast` is compared with nothing
    std::string fast;
    std::string_view stated = {};  ///< `faster`, `up to 10x`; empty: the figures of both say it
    std::optional<double> factor = {};  ///< of `stated`; 1: no difference; nothing: not said
};

/// What a document states of cases that belong together.
struct Claim {
    std::string_view row;   ///< PublishedRow::name
    std::string name;       ///< of all claims, its own
    std::string_view says;  ///< a sentence, in our words
    std::vector<PublishedStep> steps;
    const Publication* document = nullptr;
    std::string_view figure = {};  ///< which of several figures of a case: Published::figure

    /// Whether it compares any two cases.
    bool compares() const;
};

/// All of them, in the order of the rows.
const std::vector<Claim>& claims();

}  // namespace parallax
