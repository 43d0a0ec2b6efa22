// Measures the program's overhead: the same case directly and through Parallax.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "benchmarks/direct.hpp"
#include "common/statistics/statistics.hpp"
#include "measure/run_case.hpp"
#include "measure/timing_loop.hpp"

namespace parallax::benchmarks {

/// The amount of measurements.
struct Extent {
    unsigned rounds = 9;  ///< programs and buffers are recreated on both sides for each
    unsigned quads = 8;   ///< per round: batches in the order A B B A
};

/// One round, with the samples in order.
struct Round {
    unsigned repeats = 0;                  ///< runs in a batch, the same on both sides
    std::vector<double> direct, parallax;  ///< seconds of one run, per batch
    std::vector<bool> direct_first;        ///< which of the two batches came first
    double ratio = 0;                      ///< median over the quads
};

/// The time of a case through Parallax, and directly.
struct Cost {
    Case the_case;
    std::size_t launches = 0;  ///< and copies, per run
    std::vector<Round> rounds;
    Estimate direct, parallax;  ///< seconds of one run, over all samples
    Estimate ratio;             ///< Parallax over direct; a round is one sample
};

/// Measures. Parallax's side uses Device, Binding and `measure` like the program, and sets the
/// batch size; the direct side runs an equal batch next to each. After each round both results are
/// checked: Parallax's must be right, the direct one bitwise identical.
/// @throws Error when they are not; DeviceError; UsageError when the device has no room for both.
Cost cost_of(Device&, Direct&, const Case&, const RunConfig&, const Extent&);

/// The allowed difference of a ratio from 1.
inline constexpr double margin = 0.01;
/// Shorter runs are shown but not judged: launch time is a large share of them.
inline constexpr double least_seconds = 100e-6;

/// An interval needs this confidence for a verdict, which takes at least six rounds.
inline constexpr double least_confidence = 0.95;

/// Whether the interval of the ratio is inside the margin, outside, or contains its edge.
enum class Verdict { within, undecided, outside, too_short };
Verdict verdict_of(const Cost&);
std::string_view word_of(Verdict);

}  // namespace parallax::benchmarks
