// Functions of CLBlast as baselines for kernels.
#pragma once

#include <memory>
#include <string_view>

#include "backends/opencl/api.hpp"
#include "common/device/device.hpp"

namespace parallax::opencl {

/// One call of CLBlast, which compiles its kernels at the first launch.
class ClblastCode final : public Code {
public:
    /// @param program  its source is kernels/clblast.inc, which is compiled into this program
    /// @throws Unsupported without CLBlast, or without a call of that name; UsageError for another
    /// source.
    ClblastCode(std::shared_ptr<Shared>, const Program& program, std::string_view name);
    /// Clears CLBlast's cache of the context, whose address may be reused.
    ~ClblastCode() override;

    /// Enqueues the call. @throws DeviceError, or UsageError for a launch that does not fit it
    void enqueue(cl::CommandQueue&, const Dispatch&) const;

private:
    struct Call;
    std::shared_ptr<Shared> shared_;
    std::unique_ptr<Call> call_;
};

}  // namespace parallax::opencl
