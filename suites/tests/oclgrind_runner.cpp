// Runs every variant of every suite once on a small case, to be started under Oclgrind, which looks
// on.
//
// `oclgrind_runner` runs the kernels as they are; `oclgrind_runner NAME` one with the planted error
// of that name. It ends with 0 when all outputs were right, 1 when one was not, 2 when it cannot do
// its work: no such error, or no Oclgrind below it.
#include <algorithm>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "common/backend.hpp"
#include "common/error.hpp"
#include "measure/compare.hpp"
#include "measure/gate.hpp"
#include "suites/planted.hpp"

namespace parallax {
namespace {

/// The simulator, which takes the place of the OpenCL loader in a process that Oclgrind starts.
std::unique_ptr<Device> open_simulator() {
    for (const auto& backend : backends()) {
        if (backend->name() != "opencl") continue;
        for (const DeviceInfo& info : backend->find().devices) {
            if (info.name.find("Oclgrind") != std::string::npos) return backend->open(info);
        }
    }
    throw UsageError("There is no Oclgrind device. Start this program by 'oclgrind'.");
}

/// A plan's buffers and commands. Without guard zones: Oclgrind knows the end of every buffer, and
/// takes a write to a part of a buffer for one to all of it.
class Bare {
public:
    Bare(Device& device, const Plan& plan, const Codes& codes, const std::vector<HostArray>& inputs)
        : device_(&device), plan_(&plan) {
        auto input = inputs.begin();
        for (const BufferSpec& buffer : plan.buffers) {
            memory_.push_back(buffer.image ? device.allocate_image(*buffer.image, buffer.type)
                                           : device.allocate(buffer.bytes(), 0, buffer.placement));
            // Oclgrind counts as written only what the host wrote, so outputs get something, too.
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

/// @throws Unsupported for what the simulator cannot judge.
bool run(Device& device, const Case& c, const Program& program) {
    const Filling integers = fillings_of(c).front();
    const std::vector<HostArray> inputs = c.suite->inputs(c, integers, 1);
    const std::vector<Expected> expected = c.suite->reference(c, inputs);
    const Plan plan = plan_of(c);
    if (std::ranges::any_of(plan.buffers,
                            [](const BufferSpec& one) { return one.image.has_value(); })) {
        throw Unsupported("Oclgrind takes whatever is read from an image for undefined.");
    }
    const Codes codes = build(device, program, plan);
    const std::vector<HostArray> outputs = Bare(device, plan, codes, inputs).run();
    bool right = true;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        right = right && !compare(outputs[i], expected.at(i), tolerance_for(c, integers)).mismatch;
    }
    fmt::print("{} {}\n", right ? "right" : "wrong", c.title());
    return right;
}

bool can_run(const DeviceInfo& info, const Variant& variant) {
    if (!variant.natives.empty()) return false;
    return variant.feature.empty() || info.has(variant.feature);
}

int run_all(Device& device) {
    bool right = true;
    for (const Suite& suite : suites()) {
        for (const Variant& variant : suite.variants) {
            if (!can_run(device.info(), variant)) continue;
            const Case c = small_case(suite, variant);
            try {
                right = run(device, c, program_of(c)) && right;
            } catch (const Unsupported& error) {
                fmt::print("unsupported {}: {}\n", c.title(), error.what());
            }
        }
    }
    return right ? 0 : 1;
}

int run_planted(Device& device, const Planted& planted) {
    const Case c = small_case(planted);
    return run(device, c, program_with(planted, c)) ? 0 : 1;
}

int run(int count, char** words) {
    const Planted* planted = count > 1 ? &planted_named(words[1]) : nullptr;
    const auto device = open_simulator();
    return planted ? run_planted(*device, *planted) : run_all(*device);
}

}  // namespace
}  // namespace parallax

int main(int count, char** words) {
    try {
        return parallax::run(count, words);
    } catch (const parallax::BuildFailed& error) {
        fmt::print(stderr, "{}\n{}\n", error.what(), error.log);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
    }
    return 2;
}
