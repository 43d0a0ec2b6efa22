// Which mutants there are of the suites, and which cases can tell one from its kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "benchmarks/mutation/ends.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// All mutants of the suites' texts, suite after suite, portable ones before native ones, each text
/// once: the same list in every process of a program.
std::vector<Tried> all_mutants();

/// Whether the device, as in `cuda:0`, takes the text of the mutant: the host takes all of them,
/// and Oclgrind nobody's native text.
bool takes(std::string_view device, const Tried&);

/// What a backend's device builds in the mutant's place, unharmed. On the host a native text of
/// OpenCL is translated as others are.
Program program_for(const Case&, const Mutant&, std::string_view backend);

/// Of `count` things `most` ones, or all, evenly, in rounds that are even themselves: what a time
/// that is over leaves out is a bit of everything.
std::vector<std::size_t> evenly(std::size_t count, std::size_t most);

/// Of `count` things `most` ones, or all, by chance and in an order by chance: the same ones for
/// the same seed.
std::vector<std::size_t> by_chance(std::size_t count, std::size_t most, std::uint64_t seed);

/// The cases that can tell: of the variants that launch the mutant's kernel, or of all where its
/// function is no kernel; of each type, of each choice of a constant, and of constants at their
/// ends. Their shape is the largest timed one that a CPU has done soon, or, on a device that only
/// checks, a check shape: verification tries both.
std::vector<Case> cases_for(const Suite&, const Mutant&, const DeviceInfo&);

/// The small cases of the variants that launch the mutant's kernel, or of all where its function is
/// no kernel: for an interpreter.
std::vector<Case> small_cases_for(const Suite&, const Mutant&, const DeviceInfo&);

}  // namespace parallax
