// An open CUDA device, with its memory and its code.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/context.hpp"
#include "common/device/device.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::cuda {

class CudaMemory final : public Memory {
public:
    /// @param mapped  whether it is page-locked host memory
    /// @throws UsageError when there is not enough memory left, DeviceError for all other errors.
    CudaMemory(std::shared_ptr<Context>, std::size_t bytes, std::size_t guard, bool mapped);
    ~CudaMemory() override;

    const Context& context() const { return *context_; }
    /// The address `offset` bytes after the payload's start.
    std::byte* at(std::ptrdiff_t offset) const { return payload_ + offset; }

private:
    std::shared_ptr<Context> context_;
    void* base_ = nullptr;
    std::byte* payload_ = nullptr;
};

/// @throws UsageError when it belongs to another device.
const CudaMemory& memory_of(const Memory&, const Context&);

/// An image that kernels read through texture objects and write through a surface object: a 2D, 3D
/// or layered array, or linear memory.
class CudaImage final : public Memory {
public:
    /// @throws UsageError when there is not enough memory left, DeviceError for all other errors.
    CudaImage(std::shared_ptr<Context>, const ImageExtents&, ElementType);
    ~CudaImage() override;

    const Context& context() const { return *context_; }
    /// As ImageExtents::texture says; of one dimension texels are read by their number.
    cudaTextureObject_t texture() const {
        return argument_.textures.at(array_ ? image()->texture.bits() : 0);
    }
    /// With a texture object for each usable sampler; the first call creates them.
    const ImageArgument& argument() const;
    /// Writes the whole image through the context's stream, and waits. @throws DeviceError
    void write(const std::byte*);
    void read(std::byte*) const;

private:
    cudaTextureObject_t made_texture(const Sampler&) const;
    cudaResourceDesc resource() const;
    cudaMemcpy3DParms copy() const;
    void release() noexcept;
    std::size_t row_bytes() const {
        const std::size_t rows =
            std::max<std::size_t>(image()->height, 1) * std::max<std::size_t>(image()->depth, 1);
        return bytes() / rows;
    }

    std::shared_ptr<Context> context_;
    ElementType type_;
    cudaArray_t array_ = nullptr;  ///< two or more dimensions
    void* linear_ = nullptr;       ///< one dimension
    mutable ImageArgument argument_;
    mutable bool is_whole_ = false;  ///< `argument_` has all of its objects
};

/// @throws UsageError when it belongs to another device.
const CudaImage& image_of(const Memory&, const Context&);

/// Page-locked memory of the host.
class CudaHostMemory final : public HostMemory {
public:
    /// @throws UsageError when the host cannot lock so much, DeviceError for all other errors.
    CudaHostMemory(std::shared_ptr<Context>, std::size_t bytes, bool write_combined);
    ~CudaHostMemory() override;

    std::span<std::byte> bytes() override { return {start_, bytes_}; }

private:
    std::shared_ptr<Context> context_;
    std::byte* start_ = nullptr;
    std::size_t bytes_;
};

struct Assembler;

class CudaCode final : public Code {
public:
    /// Loads the compiled program. @throws BuildFailed, DeviceError.
    CudaCode(std::shared_ptr<Context>, const Program&, const CompileResult& result,
             std::string_view name);
    /// Loads the same machine code again. @throws as above
    explicit CudaCode(const CudaCode& first);
    ~CudaCode() override;

    const Context& context() const { return *context_; }
    const void* handle() const { return kernel_; }

    /// Allows launches with `bytes` of dynamic shared memory; above 48 KB this is required.
    void allow_local(std::uint32_t bytes) const;
    /// Requests this percentage of the multiprocessor's cache as shared memory, or the default.
    void prefer_local(std::optional<std::uint32_t> percent) const;
    /// @throws UsageError when the launch's arguments do not fit the kernel's parameters;
    /// Unsupported for a cooperative launch with more work-groups than can run concurrently
    void check(const Dispatch&) const;
    /// The address of a `__constant__` or `__device__` variable, and its size.
    /// @throws UsageError when the code has none of that name
    std::pair<void*, std::size_t> symbol(const std::string& name) const;
    /// The size of a parameter of the compiled kernel.
    std::size_t parameter_bytes(std::size_t place) const {
        return compiled_.parameters.at(place).bytes;
    }
    std::optional<std::uint32_t> groups_per_unit(const Geometry&,
                                                 std::uint64_t local_bytes) const override;

private:
    /// Loads machine_code, or the driver's assembly of ptx without it.
    cudaFuncAttributes load();
    cudaFuncAttributes load_library();
    void unload() noexcept;

    std::shared_ptr<Context> context_;
    std::string program_name_;  ///< for messages
    PtxKernel compiled_;
    std::optional<Signature> declared_;  ///< of a portable source
    bool is_cubin_ = false;              ///< a file of machine code, which has no PTX
    cudaLibrary_t library_ = nullptr;
    cudaKernel_t kernel_ = nullptr;
    mutable std::uint32_t local_limit_ = 0;
    mutable std::optional<std::uint32_t> local_carveout_;
    std::unique_ptr<Assembler> assembler_;  ///< for PTX; null for machine code
};

class CudaDevice final : public Device {
public:
    /// @param ordinal  CUDA's ordinal of the device
    /// @throws DeviceError when it cannot be opened.
    CudaDevice(DeviceInfo, int ordinal, OpenOptions);

private:
    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard, bool mapped) override;
    std::shared_ptr<Memory> do_allocate_image(const ImageExtents&, ElementType) override;
    std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes, bool write_combined) override;
    void do_write(std::span<const HostWrite>) override;
    void do_read(std::span<const HostRead>) override;
    std::shared_ptr<const Code> do_compile(const Program&, std::string_view kernel) override;
    std::shared_ptr<const Code> do_load_again(const Code&) override;
    void do_renew_queue() override { context_->renew_stream(); }
    unsigned do_expect_builds(std::size_t count) override {
        return static_cast<unsigned>(std::max<std::size_t>(1, count));  // one thread each
    }
    Elapsed do_run(std::span<const Command>, unsigned repeats, unsigned lead_in) override;
    Elapsed timed(std::span<const Command>, unsigned repeats, unsigned lead_in);

    std::shared_ptr<Context> context_;
    bool is_timed_by_host_;
};

}  // namespace parallax::cuda
