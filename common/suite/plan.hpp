// A case's operations on a device: its buffers, launches, copies and their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/types.hpp"

namespace parallax {

/// The purpose of a buffer.
enum class Role {
    input,    ///< holds inputs; must not change
    output,   ///< compared with the reference
    scratch,  ///< written and read by the kernels only
    state,    ///< inputs at first, changed by the kernels and not compared
    in_out    ///< inputs at first, compared afterwards; timed launches find the results of the
              ///< previous one, so it is checked after launches of verification only
};

/// Whether it is initialised with inputs.
constexpr bool is_loaded(Role role) {
    return role == Role::input || role == Role::state || role == Role::in_out;
}
/// Whether kernels change the inputs that it holds at first.
constexpr bool is_changed(Role role) {
    return role == Role::state || role == Role::in_out;
}
/// Whether its content is a result.
constexpr bool is_compared(Role role) {
    return role == Role::output || role == Role::in_out;
}

/// The numbers of one type within a struct.
struct StructPart {
    std::uint64_t offset = 0;  ///< in bytes
    ElementType type = ElementType::f32;
    std::uint64_t count = 1;
    bool operator==(const StructPart&) const = default;
};

/// Which orders of an output's elements are right.
enum class Order {
    given,  ///< each element at its index
    any,    ///< rows of BufferSpec::row elements may come in any order
    race    ///< several work-items write one element, and any of them may be last
};

struct BufferSpec {
    std::string name;
    Role role = Role::input;
    ElementType type = ElementType::f32;
    std::uint64_t elements = 0;
    Placement placement = Placement::device;
    /// Set: kernels access it as an image of these extents, with the same number of elements.
    std::optional<ImageExtents> image = {};
    /// Compared instead of all elements, for structs that mix types and for vectors of three.
    std::vector<StructPart> parts = {};
    std::uint64_t struct_bytes = 0;
    Order order = Order::given;
    std::uint64_t row = 1;  ///< elements that stay together (Order::any); divides `elements`

    std::uint64_t bytes() const { return elements * size_of(type); }
    bool operator==(const BufferSpec&) const = default;
};

/// A copy with zeros between the compared parts, where kernels may leave anything.
/// @param bytes  elements from `first` on of a buffer that has parts
HostArray only_parts(std::span<const std::byte> bytes, const BufferSpec&, std::uint64_t first = 0);

/// A buffer of the plan, as an index into `Plan::buffers`.
struct BufferIndex {
    std::size_t index = 0;
    bool operator==(const BufferIndex&) const = default;
};

/// An argument of a kernel, for any device.
using LaunchArgument = std::variant<BufferIndex, Scalar, LocalBytes>;

/// A buffer that is a `__constant__` or `__device__` variable of the kernel's CUDA source.
struct SymbolBuffer {
    std::string symbol;
    BufferIndex buffer;
    bool operator==(const SymbolBuffer&) const = default;
};

/// An address that the bytes of an argument by value hold (PointerMemory).
struct PointerBuffer {
    std::size_t argument = 0, at = 0;
    BufferIndex buffer;
    std::uint64_t offset = 0;
    bool operator==(const PointerBuffer&) const = default;
};

/// One launch of a kernel, for any device.
struct Launch {
    std::string kernel;
    Geometry geometry;
    std::vector<LaunchArgument> arguments;
    std::optional<std::uint32_t> local_carveout = {};  ///< Dispatch::local_carveout
    std::vector<SymbolBuffer> symbols = {};            ///< Dispatch::symbols
    std::vector<PointerBuffer> pointers = {};          ///< Dispatch::pointers
    bool is_cooperative = false;                       ///< Dispatch::is_cooperative

    /// Sum of its dynamic local parameters.
    std::uint64_t local_bytes() const;
    bool operator==(const Launch&) const = default;
};

/// One copy between buffers; one of them may be the host's.
struct CopyBuffer {
    BufferIndex source, target;
    std::uint64_t source_offset = 0, target_offset = 0;  ///< in bytes
    std::uint64_t bytes = 0;                             ///< 0: the whole source
    bool operator==(const CopyBuffer&) const = default;
};

/// One step of a plan.
struct Step {
    Step(Launch launch) : what(std::move(launch)) {}
    Step(CopyBuffer copy) : what(copy) {}
    Step(std::variant<Launch, CopyBuffer> one, unsigned in_queue,
         std::vector<std::size_t> waits = {})
        : what(std::move(one)), queue(in_queue), after(std::move(waits)) {}

    std::variant<Launch, CopyBuffer> what;
    unsigned queue = 0;                   ///< Command::queue
    std::vector<std::size_t> after = {};  ///< earlier steps: Command::after

    const Launch* launch() const { return std::get_if<Launch>(&what); }
    const CopyBuffer* copy() const { return std::get_if<CopyBuffer>(&what); }
    bool operator==(const Step&) const = default;
};

/// A case's operations: the same value for every device.
struct Plan {
    std::vector<BufferSpec> buffers;
    std::vector<Step> steps;

    /// Whether all steps run on the device, one after the other.
    bool is_plain() const;
    bool operator==(const Plan&) const = default;
};

/// Calls `call(buffer, input)` for each buffer that is initialised, with its indices among all
/// buffers and among the inputs.
template <class Call>
void for_loaded(const Plan& plan, const Call& call) {
    for (std::size_t i = 0, next = 0; i < plan.buffers.size(); ++i) {
        if (is_loaded(plan.buffers[i].role)) call(i, next++);
    }
}

/// The launches of a plan, in order; valid as long as the plan.
std::vector<const Launch*> launches_of(const Plan&);
/// The kernel of each launch, in order.
std::vector<std::string> kernels_of(const Plan&);

}  // namespace parallax
