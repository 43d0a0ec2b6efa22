// Builds a mutant instead of its kernel, and verifies it.
#include "benchmarks/mutation/mutant_judge.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/mutation/choose.hpp"
#include "common/error.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/verification.hpp"
#include "suites/planted.hpp"
#include "suites/simulator.hpp"

namespace parallax {
namespace {

/// @param plan  its launches' kernels are compared
bool is_same_code(const Program& program, const Program& mutant, const Plan& plan) {
    constexpr int generation = 90;
    static std::map<std::string, std::string> known;  // of the unmodified kernels
    if (!cuda::nvrtc().available()) return false;
    try {
        const Program own = only_launched(program, plan);
        const cuda::CompileResult made = cuda::compile_for(only_launched(mutant, plan), generation);
        const auto [right, is_new] = known.try_emplace(digest_of(own));
        if (is_new) right->second = cuda::compile_for(own, generation).ptx;
        return made.ptx == right->second;
    } catch (const Error&) {
        return false;
    }
}

/// The same for each shape of verification: other shapes may launch other kernels.
bool is_same_everywhere(const Program& program, const Program& mutant, const Case& c) {
    std::set<std::set<std::string>> seen;
    return std::ranges::all_of(trials_of(c, false, false), [&](const VerificationTrial& trial) {
        const Plan plan = plan_of(trial.the_case);
        std::set<std::string> kernels;
        for (const Launch* launch : launches_of(plan)) kernels.insert(launch->kernel);
        return !seen.insert(kernels).second || is_same_code(program, mutant, plan);
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
        is_right =
            verify_case(device, c, program, codes, 1, references, check_interrupt, is_brief, false)
                .right();
    } catch (const DeviceError&) {
        throw;
    } catch (const Error&) {
    }
    return known[key] = is_right;
}

}  // namespace

End judge(Device& device, const Suite& suite, const Mutant& mutant, ReferenceCache& references,
          const std::function<void()>& check_interrupt, bool is_glance) {
    bool was_built = false, was_judged = false, is_another = false;
    const std::vector<Case> cases = cases_for(suite, mutant, device.info());
    if (cases.empty()) return End::not_tried;
    for (const Case& c : cases) {
        if (is_glance && was_judged) break;
        const Program right = program_for(c, mutant, device.info().backend);
        Program program = right;
        program.source = mutant.text;
        const Plan plan = plan_of(c);
        // At least one case is tried.
        if (was_built && program.source != right.source && is_same_everywhere(right, program, c))
            continue;
        check_interrupt();
        try {
            // Without the file's other kernels, which is faster.
            const Codes codes = build(device, only_launched(program, plan), plan);
            was_built = true;
            if (!verify_case(device, c, program, codes, 1, references, check_interrupt, is_glance,
                             false)
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
        is_another = is_another || !is_same_everywhere(right, program, c);
    }
    if (!was_built) return End::not_built;
    // The device may support none of the unmodified cases.
    if (!was_judged) return End::not_tried;
    return is_another ? End::lived : End::same_code;
}

End judge_simulated(Device& device, const Suite& suite, const Mutant& mutant,
                    const std::function<bool()>& reported,
                    const std::function<void()>& check_interrupt) {
    bool was_built = false, was_refused = false;
    for (const Case& c : small_cases_for(suite, mutant, device.info())) {
        Program program = program_of(c);
        program.source = mutant.text;
        check_interrupt();
        try {
            const bool is_right = run_bare(device, c, only_launched(program, plan_of(c)));
            was_built = true;
            if (reported() || !is_right) return End::wrong;
        } catch (const BuildFailed&) {
            was_refused = true;
        } catch (const DeviceError&) {
            throw;
        } catch (const Unsupported&) {
            continue;
        } catch (const Error&) {
            return End::refused;
        }
    }
    return was_refused && !was_built ? End::not_built : End::lived;
}

}  // namespace parallax
