// Builds a mutant instead of its kernel, and verifies it.
#include "studies/mutation/mutant_judge.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/verification.hpp"

namespace parallax {
namespace {

/// The compiler's output for a program and one architecture.
struct CompiledCode {
    std::string ptx, machine_code;
};

CompiledCode code_of(const Backend& compiler, const Program& program) {
    constexpr int generation = 90;
    CompiledProgram made = compiler.compile(program, generation);
    return {std::move(made.ptx), std::move(made.machine_code)};
}

/// @param plan  its launches' kernels are compared
bool is_same_code(const Backend* compiler, const Program& program, const Program& mutant,
                  const Plan& plan) {
    static std::map<std::string, CompiledCode> known;  // of the unmodified kernels
    if (!compiler) return false;
    try {
        const Program own = only_launched(program, plan);
        const CompiledCode made = code_of(*compiler, only_launched(mutant, plan));
        const std::string key = digest_of(own);
        if (!known.contains(key)) known[key] = code_of(*compiler, own);
        const CompiledCode& right = known[key];
        return made.ptx == right.ptx ||
               (!made.machine_code.empty() && made.machine_code == right.machine_code);
    } catch (const Error&) {
        return false;
    }
}

/// The same for each shape of verification: other shapes may launch other kernels.
bool is_same_everywhere(const Backend* compiler, const Program& program, const Program& mutant,
                        const Case& c) {
    std::set<std::set<std::string>> seen;
    return std::ranges::all_of(trials_of(c, false, false), [&](const VerificationTrial& trial) {
        const Plan plan = plan_of(trial.the_case);
        std::set<std::string> kernels;
        for (const Launch* launch : launches_of(plan)) kernels.insert(launch->kernel);
        return !seen.insert(kernels).second || is_same_code(compiler, program, mutant, plan);
    });
}

/// Whether the device runs the unmodified case correctly, since compilers have errors, too. Cached.
bool is_possible(Device& device, const Case& c, const Program& program, ReferenceCache& references,
                 const std::function<void()>& check_interrupt, bool is_brief) {
    static std::map<std::string, bool> known;
    std::string key = device.info().id() + program.name + c.title() + (is_brief ? " brief" : "");
    for (const Constant& one : c.constants) key += fmt::format(" {}={}", one.name, one.value);
    if (const auto found = known.find(key); found != known.end()) return found->second;
    bool is_right = false;
    try {
        check_interrupt();
        const Plan plan = plan_of(c);
        const Codes codes = build(device, only_launched(program, plan), plan);
        is_right = Verifier{device, references, 1, check_interrupt, is_brief, false}
                       .verify(c, program, codes)
                       .right();
    } catch (const DeviceError&) {
        throw;
    } catch (const Error&) {
    }
    return known[key] = is_right;
}

}  // namespace

const Backend* device_free_compiler(std::span<const std::unique_ptr<Backend>> backends) {
    const auto found =
        std::ranges::find_if(backends, [](const auto& one) { return one->name() == "cuda"; });
    if (found == backends.end()) return nullptr;
    try {
        return (*found)->architectures().empty() ? nullptr : found->get();
    } catch (const Unsupported&) {
        return nullptr;
    }
}

End judge(Device& device, std::span<const JudgedCase> cases, const Mutant& mutant,
          ReferenceCache& references, const std::function<void()>& check_interrupt,
          const Backend* compiler, bool is_glance) {
    bool was_built = false, was_judged = false, is_another = false;
    if (cases.empty()) return End::not_tried;
    for (const auto& [c, right] : cases) {
        if (is_glance && was_judged) break;
        Program program = right;
        program.source = mutant.text;
        const Plan plan = plan_of(c);
        // At least one case is tried.
        if (was_built && program.source != right.source &&
            is_same_everywhere(compiler, right, program, c)) {
            continue;
        }
        check_interrupt();
        try {
            // Without the file's other kernels, which is faster.
            const Codes codes = build(device, only_launched(program, plan), plan);
            was_built = true;
            if (!Verifier{device, references, 1, check_interrupt, is_glance, false}
                     .verify(c, program, codes)
                     .right()) {
                const bool is_original = mutant.text == right.source;
                if (is_original ||
                    is_possible(device, c, right, references, check_interrupt, is_glance))
                    return End::wrong;
                continue;
            }
        } catch (const BuildFailed&) {
            continue;
        } catch (const DeviceError&) {
            throw;
        } catch (const Refused&) {
            continue;  // the translator's: no CUDA source
        } catch (const Error&) {
            if (is_possible(device, c, right, references, check_interrupt, false))
                return End::refused;
            continue;
        }
        was_judged = true;
        is_another = is_another || !is_same_everywhere(compiler, right, program, c);
    }
    if (!was_built) return End::not_built;
    // The device may support none of the unmodified cases.
    if (!was_judged) return End::not_tried;
    return is_another ? End::lived : End::same_code;
}

}  // namespace parallax
