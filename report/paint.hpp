// Colours of verdicts on a terminal.
#pragma once

#include <string>
#include <string_view>

#include "studies/diff/diff.hpp"

namespace parallax::report {

/// Gives a text back as it is where colour is off.
class Paint {
public:
    explicit Paint(bool colour) : colour_(colour) {}
    std::string verdict(Verdict, std::string_view text) const;
    std::string heading(std::string_view text) const { return in("1", text); }
    std::string alarm(std::string_view text) const { return in("1;31", text); }

private:
    std::string in(std::string_view code, std::string_view text) const;

    bool colour_;
};

}  // namespace parallax::report
