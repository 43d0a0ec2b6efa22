// What the two sides of a diff are called wherever a person reads of them.
#pragma once

#include <string>
#include <string_view>

#include "records/explanation.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {

/// `OpenCL` of `opencl:1`; the word itself where its backend is no API of its own: `host`.
std::string api_of(std::string_view device);

/// Printable, and not the same: `OpenCL` and `CUDA` where one physical device is both, else the
/// devices or the files (`opencl:0`, `new.jsonl`).
Both<std::string> side_names(const Diff&);

/// Whether these are `OpenCL` and `CUDA`.
bool are_apis(const Both<std::string>& names);

/// What the environment says of a side by this name (`device`, `entry`); empty: not known.
std::string fact_of(const Environment&, std::string_view name);

}  // namespace parallax
