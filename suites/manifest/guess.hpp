// How a kernel may be launched, as far as its text says.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mapping/body/body.hpp"

namespace parallax::manifest {

/// An argument; what is not known is empty, and `ask` says what to find out.
struct GuessedArgument {
    enum class Kind { value, buffer, local, image, sampler } kind = Kind::value;
    std::string name = {}, type = {};
    std::string formula = {};             ///< its value, or its number of elements
    std::vector<std::string> parts = {};  ///< the values of components, or of an array's elements
    unsigned elements = 1;                ///< of a member that is an array
    std::array<std::string, 3> texels = {};  ///< of an image, by axis; empty: it has no such axis
    bool is_array = false;                   ///< a member; an image whose third axis counts layers
    std::string use = {};                    ///< of a buffer, as the manifest spells it
    std::string fill = {};                   ///< of a buffer, as JSON
    std::string ask = {};
    std::vector<GuessedArgument> members = {};  ///< of a struct, in place of `type`
};

/// A launch that the kernel's text allows.
struct LaunchGuess {
    std::vector<std::string> sizes;
    std::vector<std::vector<std::uint64_t>> timed, checked;
    std::vector<GuessedArgument> arguments;
    std::vector<std::string> items, groups;
    std::string bytes;   ///< that the arguments with a known size have
    std::string answer;  ///< the coarsest element of floating point among answers; empty: none
    std::vector<std::string> notes;  ///< what was guessed without the text saying so
};

/// @throws UsageError naming the parameter, where a manifest cannot launch the kernel
LaunchGuess guess_launch(const KernelReading& kernel);

}  // namespace parallax::manifest
