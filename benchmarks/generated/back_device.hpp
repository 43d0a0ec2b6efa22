// An OpenCL device whose kernels go to CUDA and back first.
#pragma once

#include <memory>

#include "common/device/device.hpp"
#include "common/error.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::generated {

/// The way back has no rule for a construct, while the way to CUDA had.
struct RefusedBack : Error {
    using Error::Error;
};

/// Compiles for `device` what comes back of a program: OpenCL C, CUDA, OpenCL C.
class BackDevice final : public Device {
public:
    static constexpr const char* word = "back";

    explicit BackDevice(Device& device) : Device(named(device.info())), device_(device) {}

private:
    static DeviceInfo named(DeviceInfo info) {
        info.backend = word;
        return info;
    }
    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard, bool) override {
        return device_.allocate(bytes, guard);
    }
    void do_write(Memory& memory, std::span<const std::byte> data, std::ptrdiff_t offset) override {
        device_.write(memory, data, offset);
    }
    void do_read(const Memory& memory, std::span<std::byte> data, std::ptrdiff_t offset) override {
        device_.read(memory, data, offset);
    }
    std::shared_ptr<const Code> do_compile(const Program& program,
                                           std::string_view kernel) override {
        const Translation cuda = to_cuda(program.name, program.source, translate_options(program));
        Program back = program;
        try {
            back.source = to_opencl(program.name, cuda.text(), {}, false).text;
            back.defines.clear();
        } catch (const Refused& refused) {
            throw RefusedBack(refused.what());
        }
        return device_.compile(back, kernel);
    }
    Elapsed do_run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) override {
        return device_.run(commands, repeats, lead_in);
    }

    Device& device_;
};

}  // namespace parallax::generated
