// Reads kernels and variables from the machine code of a module (a cubin, an ELF file).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::capture::cuda {

/// A `__device__` or `__constant__` variable.
struct Variable {
    std::string name;
    std::uint64_t bytes = 0;
    std::span<const std::byte> initial;  ///< within the image; empty: zeros
    bool is_address = false;  ///< its initial content has addresses: the loader fills them in
};

/// The machine code of one module. A file that is no such code has neither kernels nor variables.
class ModuleImage {
public:
    explicit ModuleImage(std::string bytes);
    ModuleImage(const ModuleImage&) = delete;
    ModuleImage& operator=(const ModuleImage&) = delete;

    const std::string& bytes() const { return bytes_; }
    const std::string& hash() const { return hash_; }  ///< of the bytes
    /// The instructions of a kernel of this name in the file; nothing: there is none.
    std::optional<std::string_view> kernel(std::string_view name) const;
    std::vector<Variable> variables() const;

private:
    std::string bytes_, hash_;
};

}  // namespace parallax::capture::cuda
