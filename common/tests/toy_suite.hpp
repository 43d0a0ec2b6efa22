// A suite for tests: twice every element, on the fake device.
#pragma once

#include "common/suite/suite.hpp"
#include "common/tests/fake_device.hpp"

namespace parallax::fake {

/// y = 2 x + 0, element by element, one launch of `twice`; with the constant GROUP.
const Suite& toy_suite();

/// The suites of the tests: the toy suite. Tests may append others temporarily.
std::vector<Suite>& toy_suites();

/// A suite of ceilings with the toy's kernel, on a device that copies: `copy`, `launch`, `fma`.
Suite toy_ceilings();

/// Its source; any source with the kernel's name works on the fake device.
inline constexpr char toy_text[] =
    "__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void twice("
    "__global const T* x, __global T* y, ulong n) {}";

/// The same as a user's kernel whose inputs the device makes, with the kernels for that.
Suite drawn_toy(Script&);

/// Computes the right result.
void twice(const HostLaunch&);

/// A script with `twice`, and the ceiling's kernel.
std::shared_ptr<Script> toy_script();

}  // namespace parallax::fake
