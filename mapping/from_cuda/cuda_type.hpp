// Types of CUDA C++ as clang spells them, and of OpenCL C.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::from_cuda {

/// The address space of a pointer's target.
enum class Space : std::uint8_t {
    none,  ///< nothing is said yet: a null pointer
    own,   ///< the work-item's
    global,
    local,
    constant
};

/// `__global `, with a blank behind; nothing for a work-item's own.
std::string_view word_of(Space);

/// A type without typedefs.
struct CudaType {
    struct Layer {
        enum class Kind : std::uint8_t { pointer, reference, array, function } kind;
        std::uint64_t extent = 0;  ///< of an array; 0: not said
        bool is_restrict = false, is_const = false, is_volatile = false;  ///< of a pointer
    };
    std::string base;  ///< `unsigned int`, `float4`, `ns::S`
    bool is_const = false, is_volatile = false;
    std::vector<Layer> layers;  ///< from the outermost to the base

    bool is(Layer::Kind kind) const { return !layers.empty() && layers.front().kind == kind; }
    bool is_pointer() const { return is(Layer::Kind::pointer); }
    bool is_reference() const { return is(Layer::Kind::reference); }
    bool is_array() const { return is(Layer::Kind::array); }
    /// Whether values of it hold pointers one after another.
    bool holds_pointers() const;
    /// Without its outermost layer.
    CudaType inner() const;
    /// Without arrays around it.
    CudaType element() const;
    bool is_float() const;
    bool is_integer() const;  ///< of C's own, bool and enums not among them
};

/// @param aliases  the type of a typedef's name; nothing: it is none
/// @returns nothing for text that is no data type
std::optional<CudaType> type_of_text(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>& aliases);

}  // namespace parallax::from_cuda
