// Parses PTX without a device: kernels and their parameters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::cuda {

/// One parameter of a kernel as PTX declares it.
struct PtxParameter {
    enum class Kind { bits, integer, floating } kind = Kind::bits;  ///< bits: untyped
    std::size_t bytes = 0;
    bool operator==(const PtxParameter&) const = default;
};

/// One kernel of a PTX source. The dynamic shared array is no parameter of it.
struct PtxKernel {
    std::string name;
    std::vector<PtxParameter> parameters;
};

/// The kernels (`.entry`) of a PTX source, in order; none for any other input.
std::vector<PtxKernel> ptx_kernels(std::string_view ptx);

/// The kernel of that name, or nullptr.
const PtxKernel* find_kernel(const std::vector<PtxKernel>&, std::string_view name);

/// A compiler's log without ptxas' report, so that only warnings and errors are left.
std::string without_report(std::string_view log);

}  // namespace parallax::cuda
