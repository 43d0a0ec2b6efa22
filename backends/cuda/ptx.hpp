// What can be read off PTX without a device: kernels and their parameters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::cuda {

/// One parameter of a kernel as PTX declares it.
struct PtxParameter {
    enum class Kind { bits, integer, floating } kind = Kind::bits;  ///< bits: it does not say
    std::size_t bytes = 0;
    bool operator==(const PtxParameter&) const = default;
};

/// One kernel of a PTX text. The dynamic shared array is no parameter of it.
struct PtxKernel {
    std::string name;
    std::vector<PtxParameter> parameters;
};

/// The kernels (`.entry`) of a PTX text, in order. What is not PTX has none.
std::vector<PtxKernel> ptx_kernels(std::string_view ptx);

/// The kernel of that name, or nullptr.
const PtxKernel* find_kernel(const std::vector<PtxKernel>&, std::string_view name);

/// A compiler's log without the lines of ptxas' report: what is left are warnings and errors.
std::string without_report(std::string_view log);

}  // namespace parallax::cuda
