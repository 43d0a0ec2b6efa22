// OpenCL's C++ bindings, and the exceptions for failed calls.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <CL/opencl.hpp>

#include "backends/opencl/builders.hpp"
#include "common/device/device.hpp"
#include "common/error.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::opencl {

/// `CL_OUT_OF_RESOURCES`, or the number of an unknown code.
std::string error_name(cl_int code);

/// State that all objects of one open device share: its context, and the driver's last message.
/// Buffers and kernels keep it alive, so that they may outlive the device object.
class Shared {
public:
    /// Stores the driver's message about an error, from any thread.
    void note(std::string message);
    std::string take_note();

private:
    // Declared before the context, whose release may still call note().
    std::mutex mutex_;
    std::string said_;

public:
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;                            ///< queue 0
    std::array<cl::Sampler, Sampler::count> samplers;  ///< by their bits, created when needed
    std::shared_ptr<Builders> builders;                ///< null: only this process builds
};

/// Converts the error of a context's creation, before which no kernel has run.
/// @throws Unsupported where a daemon of NVIDIA's Multi-Process Service is the cause, else
/// DeviceError
[[noreturn]] void throw_no_context(const cl::Error&, const DeviceInfo&, Shared&);

/// The error of a failed call as a full sentence with advice.
DeviceError device_error(const cl::Error&, const DeviceInfo&, Shared&);

/// All properties that OpenCL reports. The caller sets `index` and `backend`.
DeviceInfo describe(const cl::Platform&, const cl::Device&);

/// A buffer with guard zones, and the sub-buffer for kernels.
class Buffer : public Memory {
public:
    /// @param mapped  whether the driver keeps it in page-locked host memory
    Buffer(std::shared_ptr<Shared> shared, std::size_t bytes, std::size_t guard, bool mapped);

    const cl::Buffer& whole() const { return whole_; }
    const cl::Buffer& payload() const { return payload_; }
    /// From that byte of the payload to its end, for kernels.
    /// @throws Unsupported where no sub-buffer can begin there
    const cl::Buffer& payload_from(std::uint64_t offset) const;

private:
    std::shared_ptr<Shared> shared_;
    cl::Buffer whole_, payload_;
    mutable std::map<std::uint64_t, cl::Buffer> parts_;  ///< kernels do not keep their arguments
};

/// An image of two or three dimensions, of layers or of a buffer's texels.
class Image : public Memory {
public:
    /// @throws cl::Error
    Image(std::shared_ptr<Shared> shared, const ImageExtents&, ElementType);

    /// The kernels' argument.
    const cl::Image& handle() const {
        if (texels_()) return line_;
        if (image()->depth == 0) return flat_;
        if (image()->is_array) return layers_;
        return deep_;
    }
    /// The buffer of a one-dimensional image's texels; empty for others.
    const cl::Buffer& texels() const { return texels_; }

private:
    std::shared_ptr<Shared> shared_;
    cl::Buffer texels_;
    cl::Image1DBuffer line_;
    cl::Image2D flat_;
    cl::Image3D deep_;
    cl::Image2DArray layers_;
};

/// Page-locked host memory: a buffer that the driver allocates there, mapped as long as it lives.
class PageLocked : public HostMemory {
public:
    /// @throws cl::Error
    PageLocked(std::shared_ptr<Shared> shared, std::size_t bytes);
    ~PageLocked() override;

    std::span<std::byte> bytes() override { return {start_, bytes_}; }

private:
    std::shared_ptr<Shared> shared_;
    cl::Buffer buffer_;
    std::byte* start_ = nullptr;
    std::size_t bytes_;
};

/// A built kernel.
class Kernel : public Code {
public:
    /// Compiles. @throws BuildFailed, cl::Error
    Kernel(std::shared_ptr<Shared> shared, const DeviceInfo&, const Program&,
           std::string_view name);
    /// Loads the same machine code again. For equal source and options a driver with a cache reuses
    /// the cached code, and loads it at a new address. PoCL (3.1, /proc/self/maps) reads all of its
    /// headers, 20 ms, and returns the code at the same address: it only creates another kernel of
    /// the same program. @throws cl::Error
    Kernel(const Kernel& first, const DeviceInfo&);

    const cl::Kernel& handle() const { return kernel_; }
    /// The parameters as declared in the source. PTX has none.
    const std::optional<Signature>& signature() const { return signature_; }
    /// The sampler with these bits. @throws cl::Error
    const cl::Sampler& sampler(std::span<const std::byte> bits) const;

private:
    /// A program of this text, OpenCL C or PTX, to be built. @throws cl::Error
    cl::Program program_of(const std::string& text) const;

    std::shared_ptr<Shared> shared_;
    std::optional<PathSandbox> reach_;  ///< what compilers may open for it
    bool is_ptx_ = false;
    cl::Program program_;  ///< kept: Intel's driver forgets a program that only its kernels hold
    cl::Kernel kernel_;
    std::optional<Signature> signature_;
};

}  // namespace parallax::opencl
