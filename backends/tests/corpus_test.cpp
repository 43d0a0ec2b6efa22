// Tests that all devices agree on every kernel of the corpus.
#include "mapping/tests/corpus.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"
#include "common/tests/thorough.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::corpus::corpus_test {
namespace {

/// A result, or why there is none.
struct Answer {
    std::vector<Bytes> buffers;
    std::string missing;  ///< what the device lacks
    std::string failure;  ///< the error
};

struct Machine {
    Entry entry;
    std::unique_ptr<Device> device;
    std::map<std::string, Answer> answers;  ///< by kernel
};

std::vector<Machine>& machines() {
    static std::vector<Machine> all = [] {
        std::vector<Machine> made;
        for (const Entry& entry : test::devices_together()) {
            made.push_back({entry, entry.open(), {}});
        }
        return made;
    }();
    return all;
}

std::string missing_on(const DeviceInfo& info, const Kernel& kernel) {
    if (!kernel.wrong_on.empty() && info.platform.find(kernel.wrong_on) != info.platform.npos) {
        return kernel.wrong_because;
    }
    // CUDA supports everything, in the prelude or in machine code.
    if (info.backend != "opencl") return {};
    const auto lacks = [&](std::string_view need, std::string_view feature) {
        return kernel.needs.contains(need) && !info.has(feature) &&
               !info.unclaimed.contains(feature);
    };
    if (lacks("double", "double")) return "it has no double";
    if (lacks("half", "half")) return "it has no half arithmetic";
    if (lacks("subgroups", "sub_groups")) return "it has no sub-groups";
    if (lacks("work_group_functions", "work_group_functions")) {
        return "it has no work-group functions";
    }
    return {};
}

/// The language versions to try, in order; none: the backend's default.
std::vector<std::vector<std::string>> versions(const DeviceInfo& info, const Kernel& kernel) {
    if (info.backend != "opencl" || !kernel.needs.contains("CL2.0")) return {{}};
    return {{"-cl-std=CL2.0"}, {"-cl-std=CL3.0"}};
}

std::shared_ptr<const Code> built(Device& device, const Found& found) {
    const Kernel& kernel = *found.kernel;
    const auto all = versions(device.info(), kernel);
    for (std::size_t i = 0;; ++i) {
        Program program{.name = found.file->name,
                        .source = found.file->source,
                        .type = {},
                        .defines = kernel.defines,
                        .options = all[i]};
        try {
            return device.compile(program, kernel.name);
        } catch (const BuildFailed&) {
            if (i + 1 == all.size()) throw;
        }
    }
}

std::vector<Bytes> run(Device& device, const Kernel& kernel,
                       const std::shared_ptr<const Code>& code) {
    std::vector<Bytes> buffers = inputs_of(kernel);
    std::vector<std::shared_ptr<Memory>> memory;
    std::vector<Argument> arguments;
    for (const Parameter& parameter : kernel.parameters) {
        if (std::holds_alternative<Buffer>(parameter)) {
            const Bytes& bytes = buffers[memory.size()];
            memory.push_back(device.allocate(bytes.size()));
            device.write(*memory.back(), bytes);
            arguments.emplace_back(memory.back());
        } else if (const auto* scalar = std::get_if<Scalar>(&parameter)) {
            arguments.emplace_back(*scalar);
        } else {
            arguments.emplace_back(std::get<LocalBytes>(parameter));
        }
    }
    const Command command{Dispatch{code, kernel.geometry(), arguments}};
    device.run(std::span(&command, 1));
    for (std::size_t i = 0; i < memory.size(); ++i) device.read(*memory[i], buffers[i]);
    return buffers;
}

const Answer& answer_of(Machine& machine, const Found& found) {
    const auto [at, fresh] = machine.answers.try_emplace(found.kernel->name);
    if (!fresh) return at->second;
    Answer& answer = at->second;
    answer.missing = missing_on(machine.entry.info, *found.kernel);
    if (!answer.missing.empty()) return answer;
    try {
        const auto code = built(*machine.device, found);
        answer.buffers = run(*machine.device, *found.kernel, code);
        if (machine.entry.info.only_checks) {
            // The host then runs the work-items in another order.
            answer.failure = difference(*found.kernel, answer.buffers,
                                        run(*machine.device, *found.kernel, code));
        }
    } catch (const BuildFailed& error) {
        answer.failure = fmt::format("{}\n{}", error.what(), error.log);
    } catch (const Error& error) {
        answer.failure = error.what();
    }
    return answer;
}

/// The first result that is right by definition: that of an OpenCL device, for the kernel itself or
/// an equivalent one. Null where there is none.
const Answer* reference(const Found& found) {
    for (const bool same : {true, false}) {
        if (!same && found.kernel->like.empty()) break;
        for (Machine& machine : machines()) {
            if (machine.entry.info.backend != "opencl") continue;
            const Answer& answer = answer_of(machine, same ? found : find(found.kernel->like));
            if (!answer.buffers.empty()) return &answer;
        }
    }
    return nullptr;
}

std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (const File& file : files()) {
        for (const Kernel& kernel : file.kernels) names.push_back(kernel.name);
    }
    return names;
}

/// Unless thorough, the sanitized host runs one of twelve: it takes the longest by far.
bool is_for_sanitizers(const std::string& name) {
    static const std::vector<std::string> some = test::every_nth(all_names(), 12);
    return std::ranges::find(some, name) != some.end();
}

class OnDevices : public testing::TestWithParam<std::string> {};

TEST_P(OnDevices, Agree) {
    const Found found = find(GetParam());
    const Answer* right = reference(found);
    unsigned ran = 0;
    for (Machine& machine : machines()) {
        if (machine.entry.info.has("sanitizers") && !is_for_sanitizers(GetParam())) continue;
        SCOPED_TRACE(machine.entry.info.id() + " " + machine.entry.info.name);
        const Answer& answer = answer_of(machine, found);
        EXPECT_EQ(answer.failure, "") << found.kernel->name;
        if (answer.buffers.empty()) continue;
        ++ran;
        if (right) {
            EXPECT_EQ(difference(*found.kernel, right->buffers, answer.buffers), "");
        }
        // Read-only data must not change.
        const std::vector<Bytes> before = inputs_of(*found.kernel);
        std::size_t place = 0;
        for (const Parameter& parameter : found.kernel->parameters) {
            const auto* buffer = std::get_if<Buffer>(&parameter);
            if (!buffer) continue;
            if (buffer->is_output()) {
                ++place;
                continue;
            }
            EXPECT_EQ(before[place], answer.buffers[place]) << "buffer " << place;
            ++place;
        }
    }
    if (ran == 0 && !HasFailure()) GTEST_SKIP() << "no device here has what it needs";
}

/// The kernel as it comes back from CUDA; nothing: a construct goes one way only.
std::optional<Found> there_and_back(const Found& found, File& file, Kernel& kernel,
                                    std::string& refused) {
    kernel = *found.kernel;
    file = {.name = found.file->name, .source = {}, .kernels = {}};
    try {
        const Translation cuda =
            to_cuda(found.file->name, found.file->source, {.defines = kernel.defines});
        const OpenClTranslation back =
            to_opencl(found.file->name, cuda.text(), {.kernels = {kernel.name}}, false);
        file.source = back.text;
    } catch (const Refused& error) {
        refused = error.what();
        return {};
    }
    kernel.defines.clear();
    // CUDA's dynamic memory comes last.
    std::ranges::stable_partition(kernel.parameters, [](const Parameter& one) {
        return !std::holds_alternative<LocalBytes>(one);
    });
    return Found{&file, &kernel};
}

TEST(ThereAndBack, GivesTheSameAnswers) {
    Machine* opencl = nullptr;
    for (Machine& one : machines()) {
        if (one.entry.info.backend == "opencl" && !opencl) opencl = &one;
    }
    if (!opencl) GTEST_SKIP() << "no OpenCL device is here";
    const std::size_t step = test::is_thorough() ? 1 : 60;
    std::size_t same = 0, taken = 0, asked = 0;
    std::map<std::string, int> reasons;
    for (const std::string& name : test::every_nth(all_names(), step)) {
        const Found found = find(name);
        const auto dynamic = [](const Parameter& one) {
            return std::holds_alternative<LocalBytes>(one);
        };
        if (found.kernel->needs.contains("CL2.0") || found.kernel->needs.contains("half") ||
            std::ranges::count_if(found.kernel->parameters, dynamic) > 1) {
            continue;
        }
        const Answer& right = answer_of(*opencl, found);
        if (right.buffers.empty()) continue;
        SCOPED_TRACE(name);
        ++asked;
        File file;
        Kernel kernel;
        std::string refused;
        std::optional<Found> back;
        try {
            back = there_and_back(found, file, kernel, refused);
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        }
        if (!back) {
            ++reasons[refused.substr(refused.find(": ") + 2, 120)];
            continue;
        }
        ++taken;
        try {
            const auto code = built(*opencl->device, *back);
            const std::string differs =
                difference(kernel, right.buffers, run(*opencl->device, kernel, code));
            EXPECT_EQ(differs, "") << file.source;
            same += differs.empty();
        } catch (const BuildFailed& error) {
            ADD_FAILURE() << error.log << file.source;
        }
    }
    for (const auto& [reason, count] : reasons) fmt::print("{} refused: {}\n", count, reason);
    fmt::print("{} kernels, {} taken, {} of them with the same answers\n", asked, taken, same);
    EXPECT_GT(4 * taken, 3 * asked);
}

INSTANTIATE_TEST_SUITE_P(Corpus, OnDevices, testing::ValuesIn(test::every_nth(all_names(), 2)),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace parallax::corpus::corpus_test
