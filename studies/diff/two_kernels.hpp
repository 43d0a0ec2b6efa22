// Two kernels of one problem as the sides of a diff.
#pragma once

#include <string_view>
#include <utility>

#include "common/device/devices.hpp"
#include "common/suite/pick.hpp"

namespace parallax {

/// The backend in whose language a kernel is written; OpenCL's where it is written in both.
std::string_view own_backend(const Variant&);

/// The same of a recorded launch: one of CUDA with its source has the translation, too.
std::string_view recorded_backend(const Variant&);

/// Whether they are launches of two recordings, each with data of its own.
bool are_of_recordings(const CasePick& a, const CasePick& b);

/// Checks that two kernels take the same inputs and give the same outputs.
/// @param a, b  each with its variant
/// @throws UsageError saying in what they differ, or that they are of two suites
void check_same_problem(const CasePick& a, const CasePick& b);

/// Where each of two kernels runs when no device was named: OpenCL C on the first OpenCL device, a
/// kernel in CUDA on a CUDA device, the same physical one where it has both; the host where there
/// is no GPU.
/// @param are_recorded  launches of two recordings: each runs through the API that it was recorded
/// of
/// @throws NothingToCompare when a kernel can run nowhere
std::pair<Entry, Entry> entries_for_kernels(const Devices&, const CasePick& a, const CasePick& b,
                                            bool are_recorded = false);

}  // namespace parallax
