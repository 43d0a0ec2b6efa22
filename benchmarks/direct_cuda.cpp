// Runs cases with the plain CUDA runtime: no code between its calls and the device. NVRTC is called
// as by the backend, because it compiles before anything is timed.
#include <cstring>
#include <utility>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/direct.hpp"
#include "common/error.hpp"

namespace parallax::benchmarks {
namespace {

void check(cudaError_t code, std::string_view call) {
    if (code == cudaSuccess) return;
    cudaGetLastError();
    throw DeviceError(fmt::format("Direct CUDA: {} failed: {} ({}): {}.", call,
                                  cudaGetErrorName(code), static_cast<int>(code),
                                  cudaGetErrorString(code)));
}

// Destructors ignore errors; the runtime must not keep them for the next call.
void quietly(cudaError_t code) {
    if (code != cudaSuccess) cudaGetLastError();
}

struct FreeMemory {
    void operator()(void* memory) const { quietly(cudaFree(memory)); }
};
struct UnloadLibrary {
    void operator()(cudaLibrary_t library) const { quietly(cudaLibraryUnload(library)); }
};
struct DestroyStream {
    void operator()(cudaStream_t stream) const { quietly(cudaStreamDestroy(stream)); }
};
struct DestroyEvent {
    void operator()(cudaEvent_t event) const { quietly(cudaEventDestroy(event)); }
};
/// Owns a handle, which is a pointer.
template <class Handle, class Release>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

/// CUDA's ordinal of the device with this UUID.
int find(const DeviceInfo& wanted) {
    int count = 0;
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
        const auto& bytes = properties.uuid.bytes;
        if (wanted.uuid && std::memcmp(wanted.uuid->data(), bytes, sizeof bytes) == 0)
            return ordinal;
    }
    throw DeviceError(fmt::format("Direct CUDA: {} ({}) is not there.", wanted.id(), wanted.name));
}

dim3 dim3_of(const Size& size) {
    return {static_cast<unsigned>(size.x), static_cast<unsigned>(size.y),
            static_cast<unsigned>(size.z)};
}

class DirectCuda final : public Direct {
public:
    explicit DirectCuda(const DeviceInfo& wanted) : ordinal_(find(wanted)) {
        use();
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
              "cudaStreamCreateWithFlags");
        stream_.reset(stream);
        for (auto* event : {&before_, &after_}) {
            cudaEvent_t made = nullptr;
            check(cudaEventCreateWithFlags(&made, cudaEventDefault), "cudaEventCreateWithFlags");
            event->reset(made);
        }
    }

    ~DirectCuda() override {
        // The members' destructors call the runtime for the current device.
        quietly(cudaSetDevice(ordinal_));
    }

    void prepare(const Job& job, std::span<const HostArray> inputs) override {
        release();
        plan_ = job.plan;
        allocate(inputs);
        for (const auto& step : plan_.steps) {
            if (const Launch* launch = step.launch()) {
                add(*launch, job.file, job.kernels.at(launch->kernel));
            } else {
                const CopyBuffer& copy = *step.copy();
                Step one;
                one.source = buffers_.at(copy.source.index).get();
                one.target = buffers_.at(copy.target.index).get();
                one.bytes = bytes_of(copy.source.index);
                steps_.push_back(std::move(one));
            }
        }
        check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
    }

    void release() override {
        use();
        steps_.clear();
        libraries_.clear();
        buffers_.clear();
    }

    double run(unsigned repeats) override {
        use();
        const cudaStream_t stream = stream_.get();
        check(cudaEventRecord(before_.get(), stream), "cudaEventRecord");
        for (unsigned i = 0; i < repeats; ++i) {
            for (Step& step : steps_) {
                if (step.bytes > 0) {
                    check(cudaMemcpyAsync(step.target, step.source, step.bytes,
                                          cudaMemcpyDeviceToDevice, stream),
                          "cudaMemcpyAsync");
                } else {
                    check(cudaLaunchKernel(step.kernel, step.groups, step.items,
                                           step.pointers.data(), step.local_bytes, stream),
                          "cudaLaunchKernel");
                }
            }
        }
        check(cudaEventRecord(after_.get(), stream), "cudaEventRecord");
        check(cudaEventSynchronize(after_.get()), "cudaEventSynchronize");
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, before_.get(), after_.get()),
              "cudaEventElapsedTime");
        return 1e-3 * static_cast<double>(milliseconds);
    }

    std::vector<HostArray> outputs() override {
        use();
        std::vector<HostArray> arrays;
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            const BufferSpec& spec = plan_.buffers[i];
            if (!is_compared(spec.role)) continue;
            HostArray& array = arrays.emplace_back(spec.type, spec.elements);
            check(cudaMemcpyAsync(array.bytes().data(), buffers_[i].get(), bytes_of(i),
                                  cudaMemcpyDeviceToHost, stream_.get()),
                  "cudaMemcpyAsync");
        }
        check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
        return arrays;
    }

private:
    /// A launch, or a copy if `bytes` is not 0.
    struct Step {
        const void* kernel = nullptr;
        dim3 groups, items;
        std::size_t local_bytes = 0;
        std::vector<std::vector<std::byte>> values;  ///< the arguments' bytes
        std::vector<void*> pointers;                 ///< to the values
        const void* source = nullptr;
        void* target = nullptr;
        std::size_t bytes = 0;
    };

    void use() const { check(cudaSetDevice(ordinal_), "cudaSetDevice"); }

    std::size_t bytes_of(std::size_t buffer) const {
        const BufferSpec& spec = plan_.buffers.at(buffer);
        return spec.elements * size_of(spec.type);
    }

    void allocate(std::span<const HostArray> inputs) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            void* memory = nullptr;
            check(cudaMalloc(&memory, bytes_of(i)), "cudaMalloc");
            buffers_.emplace_back(memory);
            if (is_loaded(plan_.buffers[i].role)) {
                check(cudaMemcpyAsync(memory, inputs[next++].bytes().data(), bytes_of(i),
                                      cudaMemcpyHostToDevice, stream_.get()),
                      "cudaMemcpyAsync");
            } else {
                check(cudaMemsetAsync(memory, 0xff, bytes_of(i), stream_.get()), "cudaMemsetAsync");
            }
        }
    }

    cudaLibrary_t load(const std::string& file, const KernelSource& given) const {
        const cuda::NvrtcOutput made = cuda::nvrtc().compile(given.text, file, given.options);
        if (!made.ok) {
            throw DeviceError(fmt::format("Direct CUDA: NVRTC did not build {} ({}). It says: {}",
                                          file, made.status, made.log));
        }
        const std::string& image = made.cubin.empty() ? made.ptx : made.cubin;
        cudaLibrary_t library = nullptr;
        check(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
              "cudaLibraryLoadData");
        return library;
    }

    void add(const Launch& launch, const std::string& file, const KernelSource& given) {
        auto& library = libraries_[launch.kernel];
        if (!library) library.reset(load(file, given));
        cudaKernel_t kernel = nullptr;
        check(cudaLibraryGetKernel(&kernel, library.get(), launch.kernel.c_str()),
              "cudaLibraryGetKernel");
        Step step;
        step.kernel = kernel;
        step.groups = dim3_of(launch.geometry.groups);
        step.items = dim3_of(launch.geometry.items);
        const auto put = [&](std::span<const std::byte> bytes) {
            step.values.emplace_back(bytes.begin(), bytes.end());
            // Padded to whole words, so that equal numbers have equal bits behind the pointer.
            step.values.back().resize(std::max(bytes.size(), sizeof(std::uint64_t)));
        };
        std::vector<Argument> locals;
        for (const auto& argument : launch.arguments) {
            if (const auto* buffer = std::get_if<BufferIndex>(&argument)) {
                const void* address = buffers_.at(buffer->index).get();
                put(std::as_bytes(std::span(&address, 1)));
            } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
                // The kernel gets the offset of each array except the first, which begins at 0.
                locals.emplace_back(*local);
                const std::uint32_t offset = local_layout(locals).offsets.back();
                if (locals.size() > 1) put(std::as_bytes(std::span(&offset, 1)));
            } else {
                put(parallax::bytes_of(std::get<Scalar>(argument)));
            }
        }
        step.local_bytes = local_layout(locals).bytes;
        // Moving the vectors does not move their elements.
        for (std::vector<std::byte>& value : step.values) step.pointers.push_back(value.data());
        steps_.push_back(std::move(step));
    }

    int ordinal_;
    Owned<cudaStream_t, DestroyStream> stream_;
    Owned<cudaEvent_t, DestroyEvent> before_, after_;
    Plan plan_;
    std::vector<std::unique_ptr<void, FreeMemory>> buffers_;
    std::map<std::string, Owned<cudaLibrary_t, UnloadLibrary>> libraries_;
    std::vector<Step> steps_;
};

}  // namespace

std::unique_ptr<Direct> open_direct_cuda(const DeviceInfo& info) {
    return std::make_unique<DirectCuda>(info);
}

}  // namespace parallax::benchmarks
