// Runs a mutant on Oclgrind's device.
#include "benchmarks/mutation/simulated_judge.hpp"

#include "benchmarks/mutation/choose.hpp"
#include "common/error.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/verification.hpp"
#include "suites/planted.hpp"
#include "suites/simulator.hpp"

namespace parallax {

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
