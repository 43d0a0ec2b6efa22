// Functions of CLBlast where other cases have a kernel.
#pragma once

#include <memory>
#include <string_view>

#include "backends/opencl/api.hpp"
#include "common/device/device.hpp"

namespace parallax::opencl {

/// One call of CLBlast, which compiles its kernels at the first launch.
class ClblastCode final : public Code {
public:
    /// @param program  its text is kernels/clblast.inc, which is compiled into this program
    /// @throws Unsupported without CLBlast, or without a call of that name; UsageError for another
    /// text.
    ClblastCode(std::shared_ptr<Shared>, const Program& program, std::string_view name);
    /// Lets CLBlast forget the context, whose address another one may have later.
    ~ClblastCode() override;

    /// Enqueues the call. @throws DeviceError, or UsageError for a launch that does not fit it
    void enqueue(cl::CommandQueue&, const Dispatch&) const;

private:
    struct Call;
    std::shared_ptr<Shared> shared_;
    std::unique_ptr<Call> call_;
};

}  // namespace parallax::opencl
