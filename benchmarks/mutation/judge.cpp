// Builds a mutant in place of its kernel, and has the gate look at it.
#include "benchmarks/mutation/judge.hpp"

#include <map>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/mutation/choose.hpp"
#include "common/error.hpp"
#include "measure/gate.hpp"
#include "suites/planted.hpp"

namespace parallax {
namespace {

bool is_same_code(const Program& program, const Program& mutant) {
    constexpr int generation = 90;
    static std::map<std::string, std::string> known;  // of the kernels as they are
    if (!cuda::nvrtc().available()) return false;
    try {
        const cuda::CompileResult made = cuda::compile_for(mutant, generation);
        const auto [right, is_new] = known.try_emplace(digest_of(program));
        if (is_new) right->second = cuda::compile_for(program, generation).ptx;
        return made.ptx == right->second;
    } catch (const Error&) {
        return false;
    }
}

/// Whether the device does the case with the kernel as it is.
bool is_possible(Device& device, const Case& c, Workloads& workloads,
                 const std::function<void()>& between) {
    try {
        between();
        const Program program = program_of(c);
        const Codes codes = build(device, program, plan_of(c));
        return check_case(device, c, program, codes, 1, workloads, between).right();
    } catch (const DeviceError&) {
        throw;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

End judge(Device& device, const Suite& suite, const Mutant& mutant, Workloads& workloads,
          const std::function<void()>& between) {
    bool was_built = false, is_another = false;
    for (const Case& c : cases_for(suite, mutant, device.info())) {
        const Program right = program_of(c);
        Program program = right;
        program.source = mutant.text;
        between();
        try {
            const Codes codes = build(device, program, plan_of(c));
            was_built = true;
            if (!check_case(device, c, program, codes, 1, workloads, between).right())
                return End::wrong;
        } catch (const BuildFailed&) {
            continue;
        } catch (const DeviceError&) {
            throw;
        } catch (const Refused&) {
            continue;  // the translator's: no CUDA text
        } catch (const Error&) {
            if (is_possible(device, c, workloads, between)) return End::refused;
            continue;
        }
        is_another = is_another || !is_same_code(right, program);
    }
    return !was_built ? End::not_built : is_another ? End::lived : End::same_code;
}

}  // namespace parallax
