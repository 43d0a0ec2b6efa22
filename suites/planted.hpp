// Errors planted in copies of the kernels, and the check that must detect each of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/suite/suite.hpp"
#include "measure/run_case.hpp"
#include "suites/case_words.hpp"

namespace parallax {

/// Verification's result for a planted error. Races are verified on a device that runs a
/// work-group's work-items in order (PoCL), and on the host, which shuffles them and so detects
/// what PoCL hides; elsewhere the result is a matter of chance.
enum class ExpectedFinding {
    wrong,    ///< an output element is wrong, or was never written
    before,   ///< only the guard zone before a buffer is damaged
    behind,   ///< only the guard zone after a buffer is damaged
    altered,  ///< only an input was changed
    blind,    ///< undetected if work-items run in order: only Oclgrind and the host can detect it
    unfit     ///< not run: it may crash the process, so only Oclgrind runs it
};

/// Oclgrind's own report on the kernel.
enum class Oclgrind {
    silent,         ///< the kernel has no undefined behaviour in OpenCL
    race,           ///< a data race
    uninitialized,  ///< an uninitialised value is used
    outside,        ///< an access outside of all buffers and arrays
    divergence      ///< a barrier that not all work-items of a work-group reach
};

/// What few planted errors need to say.
struct PlantedMore {
    ExpectedFinding finding = ExpectedFinding::wrong;
    Oclgrind oclgrind = Oclgrind::silent;
    std::string_view pattern = {};         ///< the input pattern that shows it; empty: several do
    std::optional<ElementType> type = {};  ///< empty: the suite's first
    std::vector<Constant> constants = {};
    Shape shape = {};        ///< of the case; empty: the suite's last check shape
    bool is_race = false;    ///< whether the result depends on the order of work-items
    bool is_benign = false;  ///< a race with the right result in any order of whole work-items
    /// The case for Oclgrind, where its usual small case would not show the error.
    Shape oclgrind_shape = {};
};

/// One planted error.
struct Planted : PlantedMore {
    std::string_view suite;  ///< set by planted_errors()
    std::string_view variant;
    std::string_view name;  ///< unique
    std::vector<SourceEdit> changes;
    std::string_view why;  ///< why it must be detected, in one sentence
};

/// An error that makes elements wrong, unless `more` says otherwise.
inline Planted wrong(std::string_view variant, std::string_view name,
                     std::vector<SourceEdit> changes, std::string_view why, PlantedMore more = {}) {
    return {std::move(more), {}, variant, name, std::move(changes), why};
}
/// The same, which Oclgrind sees as an access outside of all buffers and arrays.
inline Planted wrong_outside(std::string_view variant, std::string_view name,
                             std::vector<SourceEdit> changes, std::string_view why,
                             PlantedMore more = {}) {
    Planted made = wrong(variant, name, std::move(changes), why, std::move(more));
    made.oclgrind = Oclgrind::outside;
    return made;
}
/// An error that damages only the guard zone after a buffer.
inline Planted past_end(std::string_view variant, std::string_view name,
                        std::vector<SourceEdit> changes, std::string_view why,
                        PlantedMore more = {}) {
    Planted made = wrong_outside(variant, name, std::move(changes), why, std::move(more));
    made.finding = ExpectedFinding::behind;
    return made;
}
/// A race.
inline Planted race(std::string_view variant, std::string_view name,
                    std::vector<SourceEdit> changes, std::string_view why, PlantedMore more = {}) {
    Planted made = wrong(variant, name, std::move(changes), why, std::move(more));
    made.oclgrind = Oclgrind::race;
    made.is_race = true;
    return made;
}
/// A race that work-items in order hide.
inline Planted hidden_race(std::string_view variant, std::string_view name,
                           std::vector<SourceEdit> changes, std::string_view why,
                           PlantedMore more = {}) {
    Planted made = race(variant, name, std::move(changes), why, std::move(more));
    made.finding = ExpectedFinding::blind;
    return made;
}

/// All planted errors, each with its suite.
const std::vector<Planted>& planted_errors();

/// The errors of one suite, and its case for an interpreter, which takes at most a second: odd
/// extents, several work-groups, all loops entered.
struct PlantedErrors {
    Shape small_shape;
    std::vector<Constant> small_constants;  ///< override the suite's and the variant's
    std::vector<Planted> errors;
};

/// One for each of suites(), in order: suites/planted/NAME.cpp has those of suite NAME.
const std::vector<PlantedErrors>& planted_by_suite();

/// The case for verification.
Case case_of(const Planted&);

/// The original program of a case, in a backend's source; none: in any.
Program program_of(const Case&, std::string_view backend = {});

/// The same with the error.
Program program_with(const Planted&, const Case&);

/// The case for an interpreter (PlantedErrors).
Case small_case(const Suite&, const Variant&, std::optional<ElementType> type = {},
                const Shape& shape = {}, const std::vector<Constant>& constants = {});
Case small_case(const Planted&);

}  // namespace parallax
