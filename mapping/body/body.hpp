// Analyses a kernel's body: which arguments it reads and writes, how far, and with what launch.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/body/poly.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {

/// What indices and bounds are made of.
struct Symbol {
    enum class Kind {
        parameter,    ///< a number by value: `number` is its place in the list
        member,       ///< of a struct that is passed by value, or that a pointer leads to
        local_size,   ///< `number` is the dimension, here and in the next five
        global_size,  ///< what unguarded items reach to
        groups,
        local_id,
        group_id,
        global_id,
        loaded,     ///< from the buffer `number`
        quotient,   ///< of `whole` by `by`, rounded down
        remainder,  ///< of the same
        round,      ///< counts a loop's rounds
        ticket,     ///< what an atomic counter held: another number for each item
        other       ///< not known
    };
    Kind kind = Kind::other;
    int number = 0;                   ///< of a remainder: its quotient
    std::string name = {};            ///< of a member
    std::optional<Poly> upper = {};   ///< the most that it can be, where that is known by itself
    Poly lower = {};                  ///< the least
    Poly whole = {}, by = {};         ///< of a quotient; `whole` is the index of what is loaded
    std::set<std::size_t> from = {};  ///< buffers whose numbers it is made of, where it has a bound
    int total = -1;  ///< of where a row ends, the next one's begin that is loaded from `from`: the
                     ///< parameter where the last row does; -1: it is something else
};

/// How a buffer is used at one place of the body.
struct BodyAccess {
    std::size_t parameter = 0;
    std::optional<Poly> most;  ///< the largest index; nothing: not known
    bool loads = false, stores = false;
    bool atomic = false;
    bool partial = false;   ///< not for every element: a condition stands before it
    double apart = 1;       ///< elements from one index to the next
    double together = 1;    ///< elements at one index
    double least = 0;       ///< the number that every index has at least
    std::set<int> items;    ///< dimensions in which each item has an index of its own
    bool is_asked = false;  ///< of an atomic one: what it held is used
};

/// How an image is read or written at one place of the body.
struct BodyImage {
    std::size_t parameter = 0;
    std::vector<std::optional<Poly>> most;  ///< the largest coordinates; nothing: not known
    bool stores = false;
    std::string element;  ///< of what is read or written: `float`, `int`, `uint`, `half`
};

/// How far items go in a dimension, as a guard or a row's length says.
struct BodyExtent {
    int dimension = 0;
    Poly count;  ///< of work-items; of groups if `of_groups`
    bool guarded = false, of_groups = false;
    bool in_choice = false;  ///< of a value (`?:`), so that other places may not have it
    Poly by = Poly(1);       ///< divides `count`: what a group's tile has without its border
    bool in_loop = false;    ///< a loop's bound, and not a condition
};

/// A kernel's body, read.
struct BodyReading {
    std::vector<Symbol> symbols;
    std::vector<BodyAccess> accesses;
    std::vector<BodyImage> images;
    std::vector<BodyExtent> extents;     ///< in the order of the text
    std::vector<Poly> rounds;            ///< of each loop with those that it is in, where known
    int dimensions = 1;                  ///< the highest that is asked for, and one
    std::array<unsigned, 3> required{};  ///< `reqd_work_group_size`, or its hint; 0: not said
    std::array<unsigned, 3> fitting{};   ///< the largest that local arrays and constants take
    std::array<unsigned, 3> apart{};     ///< places from a group's first item to the next one's
    std::set<int> asked;                 ///< dimensions in which it asks for an item's place
    std::set<int> asked_grid;            ///< dimensions in which groups differ
    std::set<int> asked_groups;          ///< those of them in which it asks for the group
    std::set<int> bounding;              ///< quantities that bound an index or multiply one
    std::set<int> compared;              ///< those of them that a condition asks for
    std::set<int> divisors, factors;     ///< quantities that something is divided by, or multiplied
    std::map<std::size_t, std::size_t>
        ends;                           ///< buffers that say where what begins in another ends
    std::set<std::size_t> offsets;      ///< buffers that say where something begins and ends
    std::map<std::size_t, int> totals;  ///< of some of them, the parameter where the last row ends
    std::set<std::size_t> counts;       ///< buffers that say how often something is done
    std::set<std::size_t> truths;       ///< buffers of which a condition asks whether it is 0
    std::map<std::size_t, double> within;  ///< buffers that lead into an array of so many elements
    std::set<std::size_t> bits;            ///< buffers of which bits are taken
    std::set<std::size_t> indices;         ///< buffers whose numbers lead somewhere, or end a loop
    bool is_open = false;                  ///< some index, or what ends some loop, was not followed
    bool takes_roots = false;              ///< or logarithms: of what numbers below 0 have none
    bool converts = false;                 ///< something in floating point becomes a whole number
    /// Calls functions that OpenCL defines for ordinary numbers only.
    bool needs_finite = false;
    /// The largest number that something in floating point is compared with, or kept below.
    double float_edge = 0;
    /// Buffers whose signed numbers are added or multiplied, where a large one may overflow.
    std::set<std::size_t> summed;
    bool sums_any = false;  ///< what is added was not followed: it may be of any buffer
    /// What conditions let data lead to.
    struct Kept {
        bool from_zero = false;  ///< what is below 0 is left out
        Poly end;                ///< and what is not below this
    };
    std::map<std::size_t, Kept> kept;
    std::set<int> grid_strides;  ///< dimensions in which a loop goes on by the whole launch
    std::set<int> moduli;        ///< quantities that something is taken modulo
    /// Buffers of whole numbers that are the bits of these: sums by compare-and-exchange.
    std::map<std::size_t, std::string> float_bits;
    /// Buffers that are written where an atomic counter says, and how many elements each time.
    std::map<std::size_t, double> unordered;
    /// Buffers of which several items write one element, each another number.
    std::set<std::size_t> raced;
    std::set<std::string> rounded;  ///< small integers that something in floating point becomes
    std::optional<std::set<int>> alone;  ///< dimensions in which only the first item does anything
    bool splits_barrier = false;         ///< whether a guard lets some of a group's items to one
    std::set<int> unnamed;               ///< parameters that the body does not name
    /// What pointers are made pointers to, where something is read or written, by place: names of
    /// types, `struct`, and an empty name for what they are by themselves.
    std::map<std::size_t, std::set<std::string>> cast_to;
};

/// One kernel with its body.
struct KernelReading {
    Signature signature;
    BodyReading body;
};

/// What the component of a vector that is passed by value is called as a number of its own, from 0:
/// `dim_x` to `dim_w`, then `dim_s4`.
inline std::string component_of(const std::string& vector, unsigned i) {
    return vector + "_" +
           (i < 4 ? std::string(1, "xyzw"[i]) : std::string("s") + "0123456789abcdef"[i]);
}

/// Reads the kernels of a text. It never refuses a body: what it cannot follow is not known.
/// @throws Refused as `signatures` does
std::vector<KernelReading> read_kernels(std::string_view file, std::string_view source,
                                        const TranslateOptions& options);

}  // namespace parallax
