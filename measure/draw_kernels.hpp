// Kernels that generate inputs on a device, and that summarise buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/device/device.hpp"
#include "common/suite/suite.hpp"
#include "measure/binding.hpp"

namespace parallax {

class ProgramCache;

/// The kernels of one device, each built where it is first needed. Every element follows from its
/// index and a key alone, in integers and in double precision without contraction, so that the host
/// (Suite::inputs) and all devices make the same bits.
class DrawKernels {
public:
    /// @param programs  builds and keeps them; null: they are built here
    DrawKernels(Device& device, ProgramCache* programs) : device_(&device), programs_(programs) {}

    /// Whether a device has what the kernels need.
    static bool run_on(const DeviceInfo& info) { return info.has("double"); }
    /// Lets the cache build what a drawing needs.
    static void ask(Device&, ProgramCache&, const std::vector<DrawnBuffer>&);

    /// The launch that makes a part of a buffer.
    /// @param memory  of all buffers of the plan @param rows  of row_columns: the matrix' rows
    Command draw(const DrawnPart&, std::uint64_t key, const std::shared_ptr<Memory>& buffer,
                 const std::shared_ptr<Memory>& begins, std::uint64_t rows);

    /// A hash of the payload; payloads that differ have the same one by chance only. 0: the memory
    /// is not the device's own.
    std::uint64_t digest(const std::shared_ptr<Memory>&);

private:
    std::shared_ptr<const Code> code(const Program&, const char* kernel);

    Device* device_;
    ProgramCache* programs_;
    std::vector<std::pair<Program, Codes>> built_;
    std::shared_ptr<Memory> sums_;
};

}  // namespace parallax
