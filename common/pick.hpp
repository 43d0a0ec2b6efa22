// What a word of a command line picks of the suites.
#pragma once

namespace parallax {

struct Suite;
struct Variant;

/// A suite, or one variant of it.
struct CasePick {
    const Suite* suite = nullptr;
    const Variant* variant = nullptr;  ///< null: all of the suite
};

}  // namespace parallax
