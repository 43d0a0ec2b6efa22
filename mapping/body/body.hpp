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

/// What a number tells of the order in which work-items reach atomic functions, the least last.
enum class Arrival {
    none,    ///< nothing: it is the same in every order
    place,   ///< the value of a counter: in every order the same numbers, for other work-items
    uneven,  ///< in another order there are other numbers
    linked   ///< the result of an exchange, which says nothing as an index
};

/// Work-items of a work-group, and work-groups: whose ids a value depends on, or whose order.
enum Whose : unsigned { nobody = 0, of_group = 1, of_grid = 2, anybody = 3 };

/// What a value depends on of the work-item, and of the order in which work-items reach atomic
/// functions.
struct Dependence {
    unsigned ids = nobody;     ///< the work-item's own
    unsigned chosen = nobody;  ///< those in a condition that selects one of several values
    unsigned order = nobody;   ///< in another order the work-item has another number
    bool is_uneven = false;    ///< and a counter gives other numbers
    bool is_linked = false;    ///< the result of an exchange
    Dependence& operator|=(const Dependence& other) {
        ids |= other.ids;
        chosen |= other.chosen;
        order |= other.order;
        is_uneven = is_uneven || other.is_uneven;
        is_linked = is_linked || other.is_linked;
        return *this;
    }
};

/// A symbol of indices and bounds.
struct Symbol {
    enum class Kind {
        parameter,    ///< passed by value: `number` is its position in the list
        member,       ///< of a struct that is passed by value or through a pointer
        local_size,   ///< `number` is the dimension, here and in the next five
        global_size,  ///< bound of unguarded work-items
        groups,
        local_id,
        group_id,
        global_id,
        loaded,     ///< from the buffer `number`
        quotient,   ///< of `whole` by `by`, rounded down
        remainder,  ///< of the same
        round,      ///< counts a loop's rounds
        other       ///< not known
    };
    Kind kind = Kind::other;
    int number = 0;                   ///< of a remainder: its quotient
    std::string name = {};            ///< of a member
    std::optional<Poly> upper = {};   ///< the most that it can be, where that is known by itself
    Poly lower = {};                  ///< the least
    Poly whole = {}, by = {};         ///< of a quotient; `whole` is the index of a loaded value
    std::set<std::size_t> from = {};  ///< buffers that it is computed from, where it has a bound
    Arrival arrival = Arrival::none;  ///< its own; the numbers that it is computed from have theirs
    Dependence on = {};               ///< the same
};

/// One use of a buffer in the body.
struct BodyAccess {
    std::size_t parameter = 0;
    std::optional<Poly> most;  ///< the largest index; nothing: not known
    bool loads = false, stores = false;
    bool atomic = false;
    bool partial = false;   ///< not for every element: it is under a condition
    double apart = 1;       ///< elements from one index to the next
    double together = 1;    ///< elements at one index
    double least = 0;       ///< the number that every index has at least
    std::set<int> items;    ///< dimensions in which each work-item has an index of its own
    bool is_asked = false;  ///< of an atomic one: its result is used
};

/// One read or write of an image in the body.
struct BodyImage {
    std::size_t parameter = 0;
    std::vector<std::optional<Poly>> most;  ///< the largest coordinates; nothing: not known
    bool stores = false;
    std::string element;  ///< of the values read or written: `float`, `int`, `uint`, `half`
};

/// The number of work-items in a dimension, from a guard or a row's length.
struct BodyExtent {
    int dimension = 0;
    Poly count;  ///< of work-items; of work-groups if `of_groups`
    bool guarded = false, of_groups = false;
    bool in_choice = false;  ///< of a value (`?:`): not all accesses are guarded
    Poly by = Poly(1);       ///< divisor of `count`: a work-group's tile without its border
    bool in_loop = false;    ///< a loop's bound, and not a condition
};

/// What follows from conditions.
struct ConditionFacts {
    std::vector<BodyExtent> extents;  ///< in source order
    std::set<int> bounding;           ///< symbols that bound an index or multiply one
    std::set<int> compared;           ///< those of `bounding` that occur in a condition
    std::set<std::size_t> ends;       ///< buffers of range ends, where another has the starts
    std::set<std::size_t> offsets;    ///< buffers with the starts and ends of ranges
    std::set<std::size_t> counts;     ///< buffers with trip counts
};

/// The analysis of a kernel's body.
struct BodyReading : ConditionFacts {
    std::vector<Symbol> symbols;
    std::vector<BodyAccess> accesses;
    std::vector<BodyImage> images;
    std::vector<Poly> rounds;            ///< trip count of each loop times those around it, where
                                         ///< known
    int dimensions = 1;                  ///< the highest dimension used, plus one
    std::array<unsigned, 3> required{};  ///< `reqd_work_group_size`, or its hint; 0: not given
    std::array<unsigned, 3> fitting{};   ///< the largest size that local arrays and constants allow
    std::array<unsigned, 3> apart{};     ///< stride from a work-group's first work-item to the next
                                         ///< one's
    std::set<int> asked;                 ///< dimensions whose work-item ids are used
    std::set<int> asked_grid;            ///< dimensions in which work-groups differ
    std::set<int> asked_groups;          ///< dimensions whose work-group ids are used
    std::set<int> divisors, factors;     ///< symbols used as a divisor, or as a factor
    std::set<std::size_t> truths;        ///< buffers that a condition compares with 0
    std::map<std::size_t, double> within;  ///< buffers of indices into an array of this number of
                                           ///< elements
    std::set<std::size_t> bits;            ///< buffers whose bits are extracted
    std::set<std::size_t> indices;         ///< buffers of indices, or of loop ends
    bool is_open = false;                  ///< some index is not known
    bool has_open_loops = false;           ///< some loop's end is not known
    bool takes_roots = false;              ///< uses roots or logarithms
    bool converts = false;                 ///< converts floating point to integers
    /// Calls functions that OpenCL defines for finite numbers only.
    bool needs_finite = false;
    /// The largest number that a floating-point value is compared with or limited to.
    double float_edge = 0;
    /// Buffers whose signed integers are added or multiplied, where large ones may overflow.
    std::set<std::size_t> summed;
    bool sums_any = false;  ///< adds values of unknown origin: they may be from any buffer
    /// The range of loaded indices that conditions allow.
    struct Kept {
        bool from_zero = false;  ///< negative values are excluded
        Poly end;                ///< values from this one on are excluded
        bool scatters = false;   ///< work-items store where the values lead
    };
    std::map<std::size_t, Kept> kept;
    /// The lowest number of buffers whose numbers are indices only under a condition: numbers below
    /// 0, or -1, are skipped.
    std::map<std::size_t, double> lowest;
    std::set<int> grid_strides;  ///< dimensions with a grid-stride loop
    std::set<int> moduli;        ///< symbols used as a modulus
    std::set<std::pair<int, int>> ascending;  ///< symbols: a function wants the first below
    /// Integer buffers with the bits of floating-point sums (compare-and-exchange), and the type.
    std::map<std::size_t, std::string> float_bits;
    /// Buffers that hold the same elements in any order, since an atomic counter gives their places
    /// or their numbers; and how many elements stay together.
    std::map<std::size_t, double> unordered;
    /// Buffers with an element that several work-items write with different values.
    std::set<std::size_t> raced;
    /// Buffers of which the order of work-items decides even which elements are written.
    std::set<std::size_t> unsettled;
    std::set<std::size_t> exchanged;  ///< those of `raced` that an exchange changes
    std::set<std::size_t> updated;    ///< buffers with an element that all work-items add to
    /// The value of elements that compare-and-exchange takes as free.
    std::map<std::size_t, double> vacant;
    std::set<std::string> rounded;  ///< small integer types that floating point is converted to
    std::optional<std::set<int>> alone;  ///< dimensions in which only the first work-item does
                                         ///< anything
    bool splits_barrier = false;         ///< whether a guard lets only some of a work-group's
                                         ///< work-items reach a barrier
    std::set<int> unnamed;               ///< parameters that the body does not use
    /// The types that pointers are cast to for an access, by parameter: names of types, `struct`,
    /// and an empty name for accesses without a cast.
    std::map<std::size_t, std::set<std::string>> cast_to;
};

/// One kernel with its body.
struct KernelReading {
    Signature signature;
    BodyReading body;
};

/// The name of a component, from 0, of a vector that is passed by value: `dim_x` to `dim_w`, then
/// `dim_s4`.
inline std::string component_of(const std::string& vector, unsigned i) {
    return vector + "_" +
           (i < 4 ? std::string(1, "xyzw"[i]) : std::string("s") + "0123456789abcdef"[i]);
}

/// Analyses the kernels of a source. It never rejects a body: constructs that it cannot analyse
/// give unknown values.
/// @throws Refused as `signatures` does
std::vector<KernelReading> read_kernels(std::string_view file, std::string_view source,
                                        const TranslateOptions& options);

}  // namespace parallax
