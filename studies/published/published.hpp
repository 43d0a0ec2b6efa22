// Published results of the documents that this project starts from, their claims about orders and
// factors, and the systems that both belong to. All of it is in docs/published.yaml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// One published result of a variant, which measures the same today.
struct Published {
    CaseKey key;  ///< its constants and shape are those that the document says
    double value = 0;
    std::string unit;      ///< `ms`, `GB/s`, `GFLOP/s`, `times slower than with OFFSET=0`
    std::string text;      ///< `135.9 ms`
    std::string device;    ///< as the document names it; empty: it does not
    std::string figure;    ///< which of several: `overall`
    std::string document;  ///< `NVIDIA, "OpenCL Optimization", no date`
};

/// The speedup of one case over another, according to a document.
struct PublishedStep {
    CaseKey slow;  ///< without a suite: `fast` is compared with nothing
    CaseKey fast;
    std::string stated = {};            ///< `up to 10x`; empty: it follows from both results
    std::optional<double> factor = {};  ///< of `stated`; 1: no difference; nothing: not said

    bool compares() const { return !slow.suite.empty(); }
};

/// A document's claim about cases that belong together.
struct Claim {
    std::string name;  ///< of all claims, its own
    std::string says;  ///< a sentence, in our words
    std::string document;
    std::string figure;  ///< which of several results of a case: `Published::figure`
    std::vector<PublishedStep> steps;
};

/// A document's occupancy calculation, without a measurement.
struct OccupancyExample {
    std::string compute_capability;
    std::uint64_t items;        ///< per work-group
    std::uint32_t registers;    ///< of a work-item
    std::uint32_t local_bytes;  ///< per work-group
    double percent;             ///< as published, whole or rounded down
};

/// One of the systems that the documents show, and what runs it today.
struct PublishedRow {
    std::string name;  ///< one word for the command line
    std::string title;
    std::string shows;                  ///< the documents' conclusions, in sentences
    std::string note;                   ///< caution for comparing the results; or empty
    std::vector<std::string> commands;  ///< that run it, never empty
    std::vector<Claim> claims;
    std::vector<std::string> also;  ///< results without a variant
    std::vector<OccupancyExample> occupancy;
    std::vector<std::string> documents;  ///< of `also` and `occupancy`
};

/// All results, in the order of the documents' steps. They live as long as the program.
const std::vector<Published>& published();
/// All systems, in the order of a course.
const std::vector<PublishedRow>& published_rows();

/// The case of `matvec/warp GROUP=512 1100x100000`: what the words leave out, the document does not
/// say. @throws UsageError for a word that is no size
CaseKey case_named(std::string_view words);
/// The words of a case.
std::string words_of(const CaseKey&);

/// The results of a variant that were published for these circumstances: each constant that the
/// result names has its value in the case, and the shape, where the document states one, is the
/// case's. A case without a shape has any.
std::vector<const Published*> published_for(const CaseKey&);

}  // namespace parallax
