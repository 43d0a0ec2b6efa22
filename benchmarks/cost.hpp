// What the program costs: the same case directly and through Parallax, side by side.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "benchmarks/direct.hpp"
#include "common/statistics/statistics.hpp"
#include "measure/clock.hpp"
#include "measure/run_case.hpp"

namespace parallax::benchmarks {

/// How much is measured.
struct Extent {
    unsigned rounds = 9;  ///< programs and buffers are made anew on both sides for each
    unsigned quads = 8;   ///< of a round: batches in the order A B B A
};

/// One round, with the samples in the order in which they were taken.
struct Round {
    unsigned repeats = 0;                  ///< runs in a batch, the same on both sides
    std::vector<double> direct, parallax;  ///< seconds of one run, batch by batch
    std::vector<bool> direct_first;        ///< which of the two batches came first
    double ratio = 0;                      ///< median over the quads
};

/// What a case costs through Parallax, beside what it costs directly.
struct Cost {
    Case the_case;
    std::size_t launches = 0;  ///< and copies, of one run
    std::vector<Round> rounds;
    Estimate direct, parallax;  ///< seconds of one run, over all samples
    Estimate ratio;             ///< Parallax over direct; a round is one sample
};

/// Measures. Parallax's side is what the program does with a case: Device, Binding and `measure`,
/// which sets the size of the batches; the direct side does a batch of the same size beside each.
/// After each round both answers are looked at: Parallax's must be right, the direct one the same
/// to the bit.
/// @throws Error when they are not; DeviceError; UsageError when the device has no room for both.
Cost cost_of(Device&, Direct&, const Case&, const RunConfig&, const Extent&);

/// How far from 1 a ratio may be.
inline constexpr double margin = 0.01;
/// Shorter runs are shown but not judged: there the launch itself is a large share.
inline constexpr double least_seconds = 100e-6;

/// An interval decides when it has this confidence. That takes six rounds at least.
inline constexpr double least_confidence = 0.95;

/// Whether the interval of the ratio lies inside the margin, wholly outside, or across its end.
enum class Verdict { within, undecided, outside, too_short };
Verdict verdict_of(const Cost&);
std::string_view word_of(Verdict);

}  // namespace parallax::benchmarks
