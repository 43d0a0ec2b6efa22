// Errors planted in copies of the kernels, and who must notice each of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/suite.hpp"
#include "measure/run_case.hpp"
#include "suites/case_words.hpp"

namespace parallax {

/// What verification says of a planted error. An error that is a race is judged on a device that
/// runs the items of a group one after the other (PoCL), and on the host, which scrambles their
/// order and so sees what PoCL hides; elsewhere its outcome is a matter of luck.
enum class Gate {
    wrong,    ///< an element of the output is not what it must be, or was never written
    before,   ///< the guard zone before a buffer is damaged, nothing else
    behind,   ///< the guard zone behind a buffer is damaged, nothing else
    altered,  ///< an input is not what it was, nothing else
    blind,    ///< nothing where items run in order: only Oclgrind and the host can see it
    unfit     ///< not run: it writes where it may destroy the process, so only Oclgrind gets it
};

/// What Oclgrind says, of its own, while it runs the kernel.
enum class Oclgrind {
    silent,         ///< the kernel does nothing that OpenCL leaves undefined
    race,           ///< a data race
    uninitialized,  ///< a value that nobody wrote is used
    outside,        ///< an access outside of any buffer or array
    divergence      ///< a barrier that not all items of a group reach
};

/// One planted error.
struct Planted {
    std::string_view suite = {};  ///< planted_errors() says it
    std::string_view variant;
    std::string_view name;  ///< unique
    std::vector<SourceEdit> changes;
    Gate gate = Gate::wrong;
    Oclgrind oclgrind = Oclgrind::silent;
    std::string_view why;                  ///< it must be noticed, in one sentence
    std::string_view pattern = {};         ///< the inputs that give it away; empty: several do
    std::optional<ElementType> type = {};  ///< nothing: the suite's first
    std::vector<Constant> constants = {};
    Shape shape = {};        ///< of the case; empty: the suite's last check shape
    bool is_race = false;    ///< whether the outcome depends on the order of the items
    bool is_benign = false;  ///< a race that leaves the right answer in any order of whole items
    /// What Oclgrind runs, where its own small case would not show the error.
    Shape oclgrind_shape = {};
};

/// All of them, each with its suite.
const std::vector<Planted>& planted_errors();

/// The errors of one suite, and its case for an interpreter, which takes a second or less: odd
/// extents, several groups, all loops entered.
struct PlantedErrors {
    Shape small_shape;
    std::vector<Constant> small_constants;  ///< over the suite's and the variant's
    std::vector<Planted> errors;
};

/// One for each of suites(), in its order: suites/planted/NAME.cpp has those of suite NAME.
const std::vector<PlantedErrors>& planted_by_suite();

/// @throws UsageError when there is none of that name.
const Planted& planted_named(std::string_view name);

/// The case that verification tries.
Case case_of(const Planted&);

/// The unharmed program of a case, in the text that a backend takes; none: in any.
Program program_of(const Case&, std::string_view backend = {});

/// The same with the error in it.
Program program_with(const Planted&, const Case&);

/// The case for an interpreter (PlantedErrors).
Case small_case(const Suite&, const Variant&, std::optional<ElementType> type = {},
                const Shape& shape = {});
Case small_case(const Planted&);

}  // namespace parallax
