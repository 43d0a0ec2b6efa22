// Runs cases on Oclgrind's device.
#include "suites/simulator.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "common/device/backend.hpp"
#include "common/error.hpp"
#include "measure/compare.hpp"
#include "measure/verification.hpp"

namespace parallax {
namespace {

/// A plan's buffers and commands, without guard zones: Oclgrind checks the bounds itself, and
/// treats a write to a part of a buffer as one to all of it.
class Bare {
public:
    Bare(Device& device, const Plan& plan, const Codes& codes, const std::vector<HostArray>& inputs)
        : device_(&device), plan_(&plan) {
        auto input = inputs.begin();
        for (const BufferSpec& buffer : plan.buffers) {
            memory_.push_back(buffer.image ? device.allocate_image(*buffer.image, buffer.type)
                                           : device.allocate(buffer.bytes(), 0, buffer.placement));
            // Oclgrind treats as initialised only what the host wrote, so outputs are written, too.
            const std::vector<std::byte> poison(memory_.back()->bytes(), std::byte{0xff});
            device.write(*memory_.back(),
                         buffer.role == Role::input ? (input++)->bytes() : std::span(poison));
        }
        commands_ = commands_of(plan, memory_, codes);
    }

    std::vector<HostArray> run() {
        device_->run(commands_);
        std::vector<HostArray> outputs;
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            const BufferSpec& buffer = plan_->buffers[i];
            if (buffer.role == Role::output) {
                outputs.push_back(device_->download(*memory_[i], buffer.type));
            }
        }
        return outputs;
    }

private:
    Device* device_;
    const Plan* plan_;
    std::vector<std::shared_ptr<Memory>> memory_;
    std::vector<Command> commands_;
};

}  // namespace

std::unique_ptr<Device> open_simulator() {
    for (const auto& backend : backends()) {
        if (backend->name() != "opencl") continue;
        for (const DeviceInfo& info : backend->find().devices) {
            if (info.name.find("Oclgrind") != std::string::npos) return backend->open(info);
        }
    }
    throw UsageError("There is no Oclgrind device. Start this program by 'oclgrind'.");
}

bool run_bare(Device& device, const Case& c, const Program& program) {
    const InputPattern integers = input_patterns_of(c).front();
    const std::vector<HostArray> inputs = c.suite->inputs(c, integers, 1);
    const std::vector<Expected> expected = c.suite->reference(c, inputs);
    const Plan plan = plan_of(c);
    if (std::ranges::any_of(plan.buffers,
                            [](const BufferSpec& one) { return one.image.has_value(); })) {
        throw Unsupported("Oclgrind takes whatever is read from an image for undefined.");
    }
    const Codes codes = build(device, program, plan);
    const std::vector<HostArray> outputs = Bare(device, plan, codes, inputs).run();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (compare(outputs[i], expected.at(i), tolerance_for(c, integers)).mismatch) return false;
    }
    return true;
}

}  // namespace parallax
