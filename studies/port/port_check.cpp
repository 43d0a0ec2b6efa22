// Compiles both sides of a port and says what the compilers say.
#include "studies/port/port_check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "common/devices.hpp"
#include "common/error.hpp"

namespace parallax::cli {
namespace {

// One of each kind of NVIDIA's current compilers' list; those that NVRTC here has not are left out.
constexpr std::array usual_architectures{75, 80, 90, 120};
// Of a compiler's messages; more of them say the same again.
constexpr std::size_t most_log_bytes = 20'000;

enum class Result { compiles, fails, untried };

/// `add: 12 registers, 0 bytes spilled`; just the name where the compiler does not say.
std::string described(const std::string& kernel, const Resources& resources) {
    std::vector<std::string> parts;
    if (resources.registers) parts.push_back(fmt::format("{} registers", *resources.registers));
    if (resources.spill_bytes) {
        parts.push_back(fmt::format("{} bytes spilled", *resources.spill_bytes));
    }
    if (resources.local_bytes && *resources.local_bytes > 0) {
        parts.push_back(fmt::format("{} bytes of local memory", *resources.local_bytes));
    }
    return parts.empty() ? kernel : fmt::format("{}: {}", kernel, fmt::join(parts, ", "));
}

class Check {
public:
    Check(const PortInput& input, World& world)
        : program_(input.program()),
          kernels_(signatures(input.file, input.text, std::nullopt)),
          world_(world) {}

    bool has_kernels() const { return !kernels_.empty(); }

    void opencl(const std::optional<std::string>& wanted) {
        const Devices devices = find_devices(world_.backends);
        const std::vector<Entry> entries = matching(devices, wanted.value_or("opencl"));
        const Entry& entry = entries.front();
        if (entry.info.backend == "cuda") {
            throw UsageError(
                "-d names the device for the OpenCL text; the CUDA text needs none (--arch).");
        }
        const std::string title = fmt::format("{} ({})", entry.info.id(), entry.info.name);
        std::vector<std::string> built;
        try {
            const auto device = entry.open();
            for (const Signature& kernel : kernels_) {
                const auto code = device->compile(program_, kernel.kernel);
                built.push_back(described(kernel.kernel, code->resources));
            }
            say(title, Result::compiles, fmt::format("{}", fmt::join(built, "; ")), {});
        } catch (const BuildFailed& error) {
            say(title, Result::fails, error.what(), error.log);
        } catch (const DeviceError& error) {
            say(title, Result::untried, error.what(), {});
        } catch (const Unsupported& error) {
            say(title, Result::untried, error.what(), {});
        }
    }

    void cuda(const Backend& backend, const std::optional<int>& wanted) {
        std::vector<int> known;
        try {
            known = backend.architectures();
        } catch (const Unsupported& error) {
            say("cuda", Result::untried, error.what(), {});
            return;
        }
        std::vector<int> chosen;
        for (const int one : usual_architectures) {
            if (std::ranges::find(known, one) != known.end()) chosen.push_back(one);
        }
        if (wanted) {
            if (std::ranges::find(known, *wanted) == known.end()) {
                throw UsageError(
                    fmt::format("--arch sm_{} is none that the compiler here knows. There are: {}.",
                                *wanted, fmt::join(known, ", ")));
            }
            chosen = {*wanted};
        }
        if (chosen.empty()) chosen = known;
        for (const int one : chosen) cuda_for(backend, one);
    }

    void untried(const std::string& side, const std::string& why) {
        say(side, Result::untried, why, {});
    }

    int code() const {
        if (fails_) return exit_wrong;
        return untried_ ? exit_nothing : exit_ok;
    }

private:
    void cuda_for(const Backend& backend, int architecture) {
        const std::string title = fmt::format("cuda sm_{}", architecture);
        try {
            const CompiledProgram made = backend.compile(program_, architecture);
            std::vector<std::string> built;
            for (const CompiledKernel& kernel : made.kernels) {
                built.push_back(described(kernel.name, kernel.resources));
            }
            say(fmt::format("{} ({})", title, made.compiler), Result::compiles,
                fmt::format("{}", fmt::join(built, "; ")), made.log);
        } catch (const BuildFailed& error) {
            say(title, Result::fails, error.what(), error.log);
        } catch (const Unsupported& error) {
            say(title, Result::untried, error.what(), {});
        }
    }

    void say(const std::string& title, Result result, const std::string& what,
             const std::string& log) {
        fails_ = fails_ || result == Result::fails;
        untried_ = untried_ || result == Result::untried;
        const std::string_view word = result == Result::compiles ? "compiles"
                                      : result == Result::fails  ? "does not compile"
                                                                 : "not tried";
        world_.out << harmless(fmt::format("{}: {}; {}\n", title, word, what));
        if (log.empty()) return;
        world_.out << harmless(log.substr(0, most_log_bytes));
        if (log.size() > most_log_bytes) world_.out << "\n...";
        world_.out << (log.ends_with('\n') && log.size() <= most_log_bytes ? "" : "\n");
    }

    Program program_;
    std::vector<Signature> kernels_;
    World& world_;
    bool fails_ = false, untried_ = false;
};

}  // namespace

int parse_architecture(std::string_view word) {
    std::string_view digits = word;
    for (const std::string_view start : {"sm_", "compute_"}) {
        if (digits.starts_with(start)) digits.remove_prefix(start.size());
    }
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size() || number < 10) {
        throw UsageError(fmt::format("--arch '{}' is no architecture. Write it as sm_90.", word));
    }
    return number;
}

int check_port(const PortInput& input, const std::optional<std::string>& device,
               const std::optional<int>& architecture, World& world) {
    Check check(input, world);
    if (!check.has_kernels()) {
        world.err << harmless(fmt::format(
            "parallax: {} has no __kernel: there is nothing to compile.\n", input.file));
        return exit_nothing;
    }
    const auto named = [&](std::string_view name) -> const Backend* {
        for (const auto& backend : world.backends) {
            if (backend->name() == name) return backend.get();
        }
        return nullptr;
    };
    const bool any_device =
        device || std::ranges::any_of(find_devices(world.backends).entries, [](const Entry& entry) {
            return entry.info.backend == "opencl";
        });
    if (any_device) {
        check.opencl(device);
    } else {
        check.untried("opencl",
                      "there is no OpenCL device here. Install one: 'apt install pocl-opencl-icd' "
                      "makes one of the CPU; 'parallax devices' says what is missing.");
    }
    if (const Backend* cuda = named("cuda")) {
        check.cuda(*cuda, architecture);
    } else {
        check.untried("cuda",
                      "this program was built without CUDA. Build it with a CUDA toolkit, or with "
                      "what ./setup.sh fetches.");
    }
    return check.code();
}

}  // namespace parallax::cli
