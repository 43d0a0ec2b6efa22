// What the time of an explanation was spent on.
#pragma once

#include <map>
#include <string>

#include "common/profile.hpp"

namespace parallax {

/// Adds up the calling thread's phases while it lives, in the command's profile where it has one.
class SpentTime {
public:
    SpentTime();
    /// For threads that work for the calling one.
    Profile* profile() { return profile_; }
    /// The seconds since its construction, the largest part first: `building 12 s, timing 2 s`.
    std::string in_words() const;

private:
    std::map<std::string, double> seconds() const;

    Profile own_;
    Profile* profile_;
    Profiled profiled_;
    std::map<std::string, double> before_;
};

}  // namespace parallax
