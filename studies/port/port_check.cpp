// Compiles both sides of a port and says what the compilers say.
#include "studies/port/port_check.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "mapping/preprocess/expand.hpp"
#include "studies/build/built_case.hpp"

namespace parallax {
namespace {

// One of each kind of NVIDIA's current compilers' list; those that NVRTC here has not are left out.
constexpr std::array usual_architectures{75, 80, 90, 120};
// The architecture for printing a source, where NVRTC here supports it.
constexpr int printed_architecture = 90;
// At most this many bytes of a compiler's messages are shown; more repeat the same.
constexpr std::size_t most_log_bytes = 20'000;

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

/// Null: there is none.
const Backend* cuda_of(std::span<const std::unique_ptr<Backend>> backends) {
    const auto cuda = std::ranges::find_if(
        backends, [](const auto& backend) { return backend->name() == "cuda"; });
    return cuda == backends.end() ? nullptr : cuda->get();
}

class PortCheck {
public:
    using Result = PortTrial::Result;
    using Tell = std::function<void(const PortTrial&)>;

    PortCheck(const PortInput& input, const Tell& tell)
        : program_(input.program()),
          original_(input.original.value_or(program_)),
          kernels_(signatures(input.file, input.text, std::nullopt)),
          tell_(tell) {}

    bool has_kernels() const { return !kernels_.empty(); }
    std::vector<PortTrial> take() { return std::move(trials_); }

    void opencl(const Entry& entry) {
        const std::string where = fmt::format("{} ({})", entry.info.id(), entry.info.name);
        attempt(where, [&] {
            std::vector<std::string> built;
            const auto device = entry.open();
            for (const Signature& kernel : kernels_) {
                BuiltKernel one{.kernel = kernel.kernel, .groups_per_unit = {}};
                try {
                    build_kernel(*device, program_, 1, {}, one);
                } catch (const BuildFailed&) {
                    if (!is_left_out(kernel)) throw;
                    continue;
                }
                built.push_back(described(one.kernel, *one.resources));
            }
            say(where, Result::compiles, fmt::format("{}", fmt::join(built, "; ")), {});
        });
    }

    void cuda(const Backend& backend, const std::optional<int>& wanted) {
        std::vector<int> known;
        attempt("cuda", [&] { known = backend.architectures(); });
        if (known.empty()) return;
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
        for (const int one : chosen.empty() ? known : chosen) {
            const std::string where = fmt::format("cuda sm_{}", one);
            attempt(where, [&] {
                const CompiledProgram made = backend.compile(original_, one);
                std::vector<std::string> built;
                for (const CompiledKernel& kernel : made.kernels) {
                    built.push_back(described(kernel.name, kernel.resources));
                }
                say(fmt::format("{} ({})", where, made.compiler), Result::compiles,
                    fmt::format("{}", fmt::join(built, "; ")), made.log);
            });
        }
    }

    void untried(const std::string& side, const std::string& why) {
        say(side, Result::untried, why, {});
    }

private:
    /// Whether it is in a branch of the source that is not taken, while other kernels are.
    bool is_left_out(const Signature& kernel) const {
        std::vector<Signature> left;
        try {
            const auto text =
                expanded(program_.name, program_.source, program_.defines, {}, PathSandbox({}));
            left = signatures(program_.name, text, std::nullopt);
        } catch (const Error&) {  // the compiler's own message says more
        }
        return !left.empty() &&
               std::ranges::find(left, kernel.kernel, &Signature::kernel) == left.end();
    }

    void attempt(const std::string& where, const std::function<void()>& build) {
        try {
            build();
        } catch (const BuildFailed& error) {
            say(where, Result::fails, error.what(), error.log);
        } catch (const DeviceError& error) {
            // A compiler that crashed has not accepted the source.
            const bool has_died = std::ranges::any_of(
                supervision().deadly,
                [&](const FatalStep& one) { return one.reason == error.what(); });
            say(where, has_died ? Result::fails : Result::untried, error.what(), {});
        } catch (const Unsupported& error) {
            untried(where, error.what());
        }
    }

    void say(const std::string& where, Result result, const std::string& what,
             const std::string& log) {
        trials_.push_back({where, result, what, log});
        tell_(trials_.back());
    }

    Program program_, original_;
    std::vector<Signature> kernels_;
    const Tell& tell_;
    std::vector<PortTrial> trials_;
};

}  // namespace

std::string PortTrial::text() const {
    const std::string_view word = result == Result::compiles ? "compiles"
                                  : result == Result::fails  ? "does not compile"
                                                             : "not tried";
    std::string out =
        fmt::format("{}: {}; {}\n", where, word, what) + log.substr(0, most_log_bytes);
    if (log.size() > most_log_bytes) out += "\n...";
    if (!out.ends_with('\n')) out += '\n';
    return out;
}

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

std::vector<PortTrial> check_port(const PortInput& input, const std::optional<std::string>& device,
                                  const std::optional<int>& architecture,
                                  std::span<const std::unique_ptr<Backend>> backends,
                                  const std::function<void(const PortTrial&)>& tell) {
    PortCheck check(input, tell);
    if (!check.has_kernels()) return {};
    const Devices devices = find_devices(backends);
    const bool any_device = std::ranges::any_of(
        devices.entries, [](const Entry& entry) { return entry.info.backend == "opencl"; });
    if (device || any_device) {
        const Entry entry = matching(devices, device.value_or("opencl")).front();
        if (entry.info.backend == "cuda") {
            throw UsageError(
                "-d names the device for the OpenCL text; the CUDA source needs none (--arch).");
        }
        check.opencl(entry);
    } else {
        check.untried("opencl",
                      "there is no OpenCL device here. Install one: 'apt install pocl-opencl-icd' "
                      "makes one of the CPU; 'parallax doctor' says what is missing.");
    }
    if (const Backend* const cuda = cuda_of(backends)) {
        check.cuda(*cuda, architecture);
    } else {
        check.untried("cuda",
                      "this program was built without CUDA. Build it with a CUDA toolkit, or with "
                      "what ./setup.sh fetches.");
    }
    return check.take();
}

std::optional<PortTrial> opencl_refusal(const PortInput& input,
                                        std::span<const std::unique_ptr<Backend>> backends) {
    const std::function<void(const PortTrial&)> nothing = [](const PortTrial&) {};
    PortCheck check(input, nothing);
    const Devices devices = find_devices(backends);
    const auto entry = std::ranges::find_if(devices.entries, [&](const Entry& one) {
        const bool takes_it = input.dialect == from_cuda::Dialect::portable ||
                              one.info.vendor.find("NVIDIA") != one.info.vendor.npos;
        return one.info.backend == "opencl" && takes_it;
    });
    if (entry == devices.entries.end() || !check.has_kernels()) return {};
    check.opencl(*entry);
    for (PortTrial& one : check.take()) {
        if (one.result == PortTrial::Result::fails) return std::move(one);
    }
    return {};
}

std::optional<PortTrial> nvrtc_refusal(const PortInput& input,
                                       std::span<const std::unique_ptr<Backend>> backends) {
    const Backend* const cuda = cuda_of(backends);
    if (!cuda) return {};
    try {
        const std::vector<int> known = cuda->architectures();
        const bool is_known = std::ranges::find(known, printed_architecture) != known.end();
        cuda->compile(input.program(), is_known ? printed_architecture : known.back());
    } catch (const BuildFailed& error) {
        // Its own second half may be missing.
        if (error.log.find("libnvrtc-builtins") != std::string::npos) return {};
        return PortTrial{"cuda", PortTrial::Result::fails, error.what(), error.log};
    } catch (const DeviceError&) {
    } catch (const Unsupported&) {
    }
    return {};
}

}  // namespace parallax
