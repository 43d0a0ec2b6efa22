// OpenCL's C++ bindings, and what a failed call becomes.
#pragma once

#include <array>
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

/// `CL_OUT_OF_RESOURCES`, or the number of a code that the specification does not name.
std::string error_name(cl_int code);

/// What all objects of one open device share: its context, and what the driver said last. Buffers
/// and kernels hold on to it, so that they may outlive the device object.
class Shared {
public:
    /// Takes the driver's word for an error, from whatever thread it calls in.
    void note(std::string message);
    std::string take_note();

private:
    // Before the context, whose release may still call note().
    std::mutex mutex_;
    std::string said_;

public:
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;                            ///< queue 0
    std::array<cl::Sampler, Sampler::count> samplers;  ///< by their bits, when they are needed
    std::shared_ptr<Builders> builders;                ///< null: this process builds alone
};

/// What a context that could not be made becomes, before which no kernel has run.
/// @throws Unsupported where a daemon of NVIDIA's Multi-Process Service is why, else DeviceError
[[noreturn]] void throw_no_context(const cl::Error&, const DeviceInfo&, Shared&);

/// The error of a failed call as a full sentence with advice.
DeviceError device_error(const cl::Error&, const DeviceInfo&, Shared&);

/// Everything that OpenCL says of a device. `index` and `backend` are set by the caller.
DeviceInfo describe(const cl::Platform&, const cl::Device&);

/// A buffer: a parent with guard zones, and the part of it that kernels see.
class Buffer : public Memory {
public:
    /// @param mapped  whether the driver is to keep it in page-locked memory of the host
    Buffer(std::shared_ptr<Shared> shared, std::size_t bytes, std::size_t guard, bool mapped);

    const cl::Buffer& whole() const { return whole_; }
    const cl::Buffer& payload() const { return payload_; }

private:
    std::shared_ptr<Shared> shared_;
    cl::Buffer whole_, payload_;
};

/// An image, of two or three dimensions, of layers or of a buffer's texels.
class Image : public Memory {
public:
    /// @throws cl::Error
    Image(std::shared_ptr<Shared> shared, const ImageExtents&, ElementType);

    /// What kernels are given.
    const cl::Image& handle() const {
        if (texels_()) return line_;
        if (image()->depth == 0) return flat_;
        if (image()->is_array) return layers_;
        return deep_;
    }
    /// Where the texels of an image of one dimension lie; empty for one of two.
    const cl::Buffer& texels() const { return texels_; }

private:
    std::shared_ptr<Shared> shared_;
    cl::Buffer texels_;
    cl::Image1DBuffer line_;
    cl::Image2D flat_;
    cl::Image3D deep_;
    cl::Image2DArray layers_;
};

/// Page-locked memory of the host: a buffer that the driver keeps there, mapped as long as it
/// lives.
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
    /// The same machine code once more. Of the same text with the same options a driver with a
    /// cache of compiled code takes what it has, and loads it anew. PoCL (3.1, /proc/self/maps)
    /// reads all of its headers, 20 ms, and gives back the code where it lies: it is asked for no
    /// more than another kernel of the same program. @throws cl::Error
    Kernel(const Kernel& first, const DeviceInfo&);

    const cl::Kernel& handle() const { return kernel_; }
    /// The parameters as the text declares them. PTX has none.
    const std::optional<Signature>& signature() const { return signature_; }
    /// The sampler of these bits. @throws cl::Error
    const cl::Sampler& sampler(std::span<const std::byte> bits) const;

private:
    std::shared_ptr<Shared> shared_;
    bool is_ptx_ = false;
    cl::Kernel kernel_;
    std::optional<Signature> signature_;
};

}  // namespace parallax::opencl
