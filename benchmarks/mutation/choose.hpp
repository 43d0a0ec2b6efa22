// Lists the mutants of the suites, and the cases that can detect each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/suite/suite.hpp"
#include "studies/mutation/mutant_judge.hpp"
#include "studies/mutation/mutant_results.hpp"

namespace parallax {

/// All mutants of the suites' sources, suite by suite, portable ones before native ones, each
/// source once: the same list in every process.
std::vector<Tried> all_mutants();

/// Whether the device, as in `cuda:0`, can run the mutant's source: the host runs all, Oclgrind no
/// native ones.
bool takes(std::string_view device, const Tried&);

/// The unmodified program that a backend builds. The host translates native OpenCL sources like
/// others.
Program program_for(const Case&, const Mutant&, std::string_view backend);

/// `most` of `count` indices, or all, evenly spread, in rounds that are even themselves, so that a
/// time limit omits some of everything.
std::vector<std::size_t> evenly(std::size_t count, std::size_t most);

/// `most` of `count` indices, or all, in random order; reproducible for a seed.
std::vector<std::size_t> by_chance(std::size_t count, std::size_t most, std::uint64_t seed);

/// The cases that can detect it: of the variants that launch the mutant's kernel, or of all if its
/// function is no kernel; for each type, each choice of a constant, and extreme constants. Their
/// shape is the largest timed one that is fast enough on a CPU or, for a device that only verifies,
/// a check shape: verification tries both.
std::vector<Case> cases_for(const Suite&, const Mutant&, const DeviceInfo&);

/// The same with the unmodified program of each on the device.
std::vector<JudgedCase> judged_cases(const Suite&, const Mutant&, const DeviceInfo&);

/// Small cases for an interpreter, of the variants that launch the mutant's kernel, or of all if
/// its function is no kernel.
std::vector<Case> small_cases_for(const Suite&, const Mutant&, const DeviceInfo&);

}  // namespace parallax
