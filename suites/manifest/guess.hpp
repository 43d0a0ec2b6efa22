// How a kernel may be launched, as far as its text says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
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
    std::string order = {};                  ///< of an output, as JSON; empty: as it is written
    std::string ask = {};
    std::vector<GuessedArgument> members = {};  ///< of a struct, in place of `type`
};

/// What answers are made of, the coarsest last: whole numbers, those that something in floating
/// point was rounded to, floating point, and sums of it in any order.
inline constexpr std::array<std::string_view, 6> answer_kinds{"",      "rounded", "double",
                                                              "float", "half",    "any order"};
/// The coarser of the two.
std::string coarser(const std::string& a, const std::string& b);

/// A launch that the kernel's text allows.
struct LaunchGuess {
    std::vector<std::string> sizes;
    std::vector<std::vector<std::uint64_t>> timed, checked;
    std::vector<GuessedArgument> arguments;
    std::vector<std::string> items, groups;
    std::string bytes;                 ///< that the arguments with a known size have
    std::string answer;                ///< the coarsest of `answer_kinds`
    std::vector<std::string> notes;    ///< what was guessed without the text saying so
    std::vector<std::string> numbers;  ///< those that were, each with its name before it
    std::uint64_t largest = 16;        ///< of a size to be timed
    std::uint64_t step = 16;           ///< sizes are multiples of it, where `whole`
    /// By size: that of a checked launch of several groups, the last of them not full.
    std::map<std::string, std::uint64_t> several;
    bool whole = false;
    int degree = 1;  ///< of sizes in the largest buffer

    /// Makes `timed` and `checked` of the last three.
    void choose_shapes();
};

/// Launches in a row, and the arguments that they share.
struct RowGuess {
    struct Step {
        std::string kernel;
        std::vector<std::string> arguments, items, groups;
    };
    LaunchGuess all;  ///< its `items` and `groups` are empty
    std::vector<Step> steps;
};

/// @throws UsageError naming the parameter, where a manifest cannot launch the kernel
LaunchGuess guess_launch(const KernelReading& kernel);

/// Kernels of one text in a row: arguments of one name are one, and what one kernel writes and a
/// later one reads leads from one to the other.
/// @throws UsageError as `guess_launch`
RowGuess guess_row(const std::vector<KernelReading>& kernels);

}  // namespace parallax::manifest
