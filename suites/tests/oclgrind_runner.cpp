// Runs every variant of every suite once on a small case; started under Oclgrind.
//
// `oclgrind_runner` runs the original kernels; `oclgrind_runner NAME` the one with that planted
// error. It ends with 0 when all outputs were right, 1 when one was wrong, 2 when it cannot run:
// unknown error, or no Oclgrind.
#include <exception>

#include "measure/compare.hpp"
#include "suites/planted.hpp"

namespace parallax {
namespace {

/// The simulator replaces the OpenCL loader in a process started by Oclgrind.
std::unique_ptr<Device> open_simulator() {
    for (const auto& backend : backends()) {
        if (backend->name() != "opencl") continue;
        for (const DeviceInfo& info : backend->find().devices) {
            if (info.name.find("Oclgrind") != std::string::npos) return backend->open(info);
        }
    }
    throw UsageError("There is no Oclgrind device. Start this program by 'oclgrind'.");
}

/// Runs one launch of the plan on integers; without guard zones: Oclgrind checks the bounds itself,
/// and treats a write to a part of a buffer as one to all of it.
bool is_right(Device& device, const Case& c, const Program& program) {
    const InputPattern integers = input_patterns_of(c).front();
    const std::vector<HostArray> inputs = c.suite->inputs(c, integers, 1);
    const std::vector<Expected> expected = c.suite->reference(c, inputs);
    const Plan plan = plan_of(c);
    if (std::ranges::any_of(plan.buffers,
                            [](const BufferSpec& one) { return one.image.has_value(); })) {
        throw Unsupported("Oclgrind takes whatever is read from an image for undefined.");
    }
    const Codes codes = build(device, program, plan);
    std::vector<std::shared_ptr<Memory>> memory;
    auto input = inputs.begin();
    for (const BufferSpec& buffer : plan.buffers) {
        memory.push_back(device.allocate(buffer.bytes(), 0, buffer.placement));
        // Oclgrind treats as initialised only what the host wrote, so outputs are written, too.
        const std::vector<std::byte> poison(memory.back()->bytes(), std::byte{0xff});
        device.write(*memory.back(),
                     buffer.role == Role::input ? (input++)->bytes() : std::span(poison));
    }
    device.run(commands_of(plan, memory, codes));
    auto right = expected.begin();
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const BufferSpec& buffer = plan.buffers[i];
        if (buffer.role == Role::output &&
            compare(device.download(*memory[i], buffer.type), *right++, tolerance_for(c, integers))
                .mismatch)
            return false;
    }
    return true;
}

bool run(Device& device, const Case& c, const Program& program) {
    const bool right = is_right(device, c, program);
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
    const auto device = open_simulator();
    if (count < 2) return run_all(*device);
    const auto planted = std::ranges::find(planted_errors(), words[1], &Planted::name);
    if (planted != planted_errors().end()) return run_planted(*device, *planted);
    throw UsageError(fmt::format("There is no planted error '{}'.", words[1]));
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
