// Infers from a kernel's source how it may be launched.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/body/body.hpp"

namespace parallax::manifest {

/// An argument; unknown parts are empty, and `ask` has the question for the user.
struct GuessedArgument {
    enum class Kind { value, buffer, local, image, sampler } kind = Kind::value;
    std::string name = {}, type = {};
    std::string formula = {};             ///< its value, or its number of elements
    std::vector<std::string> parts = {};  ///< the values of components, or of an array's elements
    unsigned elements = 1;                ///< of an array member
    std::array<std::string, 3> texels = {};  ///< of an image, by axis; empty: no such axis
    bool is_array = false;                   ///< a member; an image whose third axis counts layers
    std::string use = {};                    ///< of a buffer, as in the manifest
    std::string fill = {};                   ///< of a buffer, as JSON
    std::string order = {};                  ///< of an output, as JSON; empty: as written
    std::string ask = {};
    unsigned channels = 4;  ///< of an image
    std::string only = {};  ///< the side that has it, `cuda` or `opencl`; empty: both
    std::vector<GuessedArgument> members = {};  ///< of a struct, instead of `type`
};

/// The kinds of results, the least exact last: integers, rounded floating point as integers,
/// floating point, and floating-point sums in any order.
inline constexpr std::array<std::string_view, 6> answer_kinds{"",      "rounded", "double",
                                                              "float", "half",    "any order"};
/// The less exact of the two.
std::string coarser(const std::string& a, const std::string& b);

/// A launch that the kernel's source allows.
struct LaunchGuess {
    std::vector<std::string> sizes;
    std::vector<std::vector<std::uint64_t>> timed, checked;
    std::vector<GuessedArgument> arguments;
    std::vector<std::string> items, groups;
    std::string bytes;                 ///< of the arguments with a known size
    std::string operations;            ///< of loops; empty: there are none, or of unknown length
    std::string answer;                ///< the least exact of `answer_kinds`
    std::vector<std::string> notes;    ///< guesses that the source does not confirm
    std::vector<std::string> numbers;  ///< guessed numbers, each after its name
    std::uint64_t largest = 16;        ///< for timed sizes
    std::uint64_t step = 16;           ///< divisor of all sizes, where `whole`
    /// By size: a checked launch of several work-groups, the last of them partial.
    std::map<std::string, std::uint64_t> several;
    bool whole = false;
    int degree = 1;  ///< of sizes in the largest buffer

    /// Sets `timed` and `checked` from the last three.
    void choose_shapes();
};

/// Successive launches with their shared arguments.
struct RowGuess {
    struct Step {
        std::string kernel;
        std::vector<std::string> arguments, items, groups;
        bool is_cooperative = false;
    };
    LaunchGuess all;  ///< its `items` and `groups` are empty
    std::vector<Step> steps;
};

/// @throws UsageError with the parameter, where a manifest cannot launch the kernel
LaunchGuess guess_launch(const KernelReading& kernel);

/// Successive kernels of one source: arguments with one name are shared, and a buffer that one
/// kernel writes and a later one reads connects them.
/// @throws UsageError as `guess_launch`
RowGuess guess_row(const std::vector<KernelReading>& kernels);

}  // namespace parallax::manifest
