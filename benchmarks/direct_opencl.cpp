// Runs cases with plain OpenCL: no code between the API's calls and the device.
#include <array>

#include <CL/opencl.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "benchmarks/direct.hpp"
#include "common/error.hpp"

namespace parallax::benchmarks {
namespace {

/// Calls `call`; translates OpenCL's errors to DeviceError.
template <class F>
auto guarded(F&& call) {
    try {
        return call();
    } catch (const cl::BuildError& error) {
        std::string log;
        for (const auto& [device, words] : error.getBuildLog()) log += words;
        throw DeviceError(
            fmt::format("Direct OpenCL: {} failed with code {}. The compiler says: {}",
                        error.what(), error.err(), log));
    } catch (const cl::Error& error) {
        throw DeviceError(
            fmt::format("Direct OpenCL: {} failed with code {}.", error.what(), error.err()));
    }
}

/// The UUID from cl_khr_device_uuid. Empty: the device lacks the extension.
std::optional<Uuid> uuid_of(const cl::Device& device) {
    constexpr cl_device_info device_uuid_khr = 0x106A;
    Uuid uuid{};
    std::size_t size = 0;
    const cl_int code = clGetDeviceInfo(device(), device_uuid_khr, sizeof uuid, uuid.data(), &size);
    if (code != CL_SUCCESS || size != sizeof uuid) return {};
    return uuid;
}

std::vector<cl::Device> devices_of(const cl::Platform& platform) {
    std::vector<cl::Device> devices;
    try {
        platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error& error) {
        if (error.err() != CL_DEVICE_NOT_FOUND) throw;
    }
    return devices;
}

/// The device that `wanted` describes: by UUID if it has one, else by index and name.
cl::Device find(const DeviceInfo& wanted) {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    unsigned place = 0;
    for (const cl::Platform& platform : platforms) {
        const bool same_platform =
            platform.getInfo<CL_PLATFORM_NAME>().find(wanted.platform) != std::string::npos;
        for (const cl::Device& device : devices_of(platform)) {
            const bool in_place = place++ == wanted.index;
            const bool same_name =
                device.getInfo<CL_DEVICE_NAME>().find(wanted.name) != std::string::npos;
            if (!same_platform || !same_name) continue;
            if (wanted.uuid ? uuid_of(device) == wanted.uuid : in_place) return device;
        }
    }
    throw DeviceError(
        fmt::format("Direct OpenCL: {} ({}) is not there.", wanted.id(), wanted.name));
}

class DirectOpenCl final : public Direct {
public:
    explicit DirectOpenCl(const DeviceInfo& wanted) {
        guarded([&] {
            device_ = find(wanted);
            config_ = cl::Context(device_);
            queue_ = cl::CommandQueue(config_, device_, cl::QueueProperties::Profiling);
        });
    }

    void prepare(const Job& job, std::span<const HostArray> inputs) override {
        guarded([&] {
            release();
            plan_ = job.plan;
            allocate(inputs);
            for (const auto& step : plan_.steps) {
                if (const Launch* launch = step.launch()) {
                    add(*launch, job.kernels.at(launch->kernel));
                } else {
                    const CopyBuffer& copy = *step.copy();
                    Step one;
                    one.source = buffers_.at(copy.source.index);
                    one.target = buffers_.at(copy.target.index);
                    one.bytes = bytes_of(copy.source.index);
                    steps_.push_back(one);
                }
            }
            queue_.finish();
        });
    }

    void release() override {
        steps_.clear();
        programs_.clear();
        buffers_.clear();
    }

    double run(unsigned repeats) override {
        return guarded([&] {
            cl::Event before, after;
            queue_.enqueueMarkerWithWaitList(nullptr, &before);
            for (unsigned i = 0; i < repeats; ++i) {
                for (const Step& step : steps_) {
                    if (step.bytes > 0) {
                        queue_.enqueueCopyBuffer(step.source, step.target, 0, 0, step.bytes);
                    } else {
                        queue_.enqueueNDRangeKernel(step.kernel, cl::NullRange, step.all,
                                                    step.group);
                    }
                }
            }
            queue_.enqueueMarkerWithWaitList(nullptr, &after);
            queue_.finish();
            const cl_ulong start = before.getProfilingInfo<CL_PROFILING_COMMAND_END>();
            const cl_ulong end = after.getProfilingInfo<CL_PROFILING_COMMAND_END>();
            return 1e-9 * static_cast<double>(end - start);
        });
    }

    std::vector<HostArray> outputs() override {
        return guarded([&] {
            std::vector<HostArray> arrays;
            for (std::size_t i = 0; i < buffers_.size(); ++i) {
                const BufferSpec& spec = plan_.buffers[i];
                if (!is_compared(spec.role)) continue;
                HostArray& array = arrays.emplace_back(spec.type, spec.elements);
                queue_.enqueueReadBuffer(buffers_[i], CL_TRUE, 0, bytes_of(i),
                                         array.bytes().data());
            }
            return arrays;
        });
    }

private:
    /// A launch, or a copy if `bytes` is not 0.
    struct Step {
        cl::Kernel kernel;
        cl::NDRange all, group;
        cl::Buffer source, target;
        std::size_t bytes = 0;
    };

    std::size_t bytes_of(std::size_t buffer) const {
        const BufferSpec& spec = plan_.buffers.at(buffer);
        return spec.elements * size_of(spec.type);
    }

    void allocate(std::span<const HostArray> inputs) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const bool is_input = is_loaded(plan_.buffers[i].role);
            const cl_mem_flags flags =
                plan_.buffers[i].role == Role::input ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
            const cl::Buffer& buffer = buffers_.emplace_back(config_, flags, bytes_of(i));
            if (is_input) {
                queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes_of(i),
                                          inputs[next++].bytes().data());
            } else {
                queue_.enqueueFillBuffer(buffer, cl_uchar{0xff}, 0, bytes_of(i));
            }
        }
    }

    void add(const Launch& launch, const KernelSource& given) {
        cl::Program& program = programs_[launch.kernel];
        if (!program()) {
            program = cl::Program(config_, given.text);
            program.build({device_}, fmt::format("{}", fmt::join(given.options, " ")).c_str());
        }
        // A kernel object for each launch, so that its arguments are set only once.
        Step step;
        step.kernel = cl::Kernel(program, launch.kernel.c_str());
        cl_uint index = 0;
        for (const auto& argument : launch.arguments) {
            if (const auto* buffer = std::get_if<BufferIndex>(&argument)) {
                step.kernel.setArg(index++, buffers_.at(buffer->index));
            } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
                step.kernel.setArg(index++, cl::Local(local->bytes));
            } else {
                const std::span<const std::byte> value =
                    parallax::bytes_of(std::get<Scalar>(argument));
                step.kernel.setArg(index++, value.size(), value.data());
            }
        }
        const auto& [groups, items] = launch.geometry;
        step.all = {groups.x * items.x, groups.y * items.y, groups.z * items.z};
        step.group = {items.x, items.y, items.z};
        steps_.push_back(step);
    }

    cl::Device device_;
    cl::Context config_;
    cl::CommandQueue queue_;
    Plan plan_;
    std::vector<cl::Buffer> buffers_;
    std::map<std::string, cl::Program> programs_;
    std::vector<Step> steps_;
};

}  // namespace

std::unique_ptr<Direct> open_direct_opencl(const DeviceInfo& info) {
    return std::make_unique<DirectOpenCl>(info);
}

}  // namespace parallax::benchmarks
