// Tests that the suites' kernels give right answers when they went to CUDA and back.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "common/tests/thorough.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/translate/translate.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "suites/case_words.hpp"
#include "suites/planted.hpp"
#include "suites/tests/opened.hpp"

namespace parallax::there_and_back_test {
namespace {

/// Every variant with every type; a sample has one variant of every third suite.
std::vector<Case> cases() {
    std::vector<Case> made;
    std::size_t place = 0;
    for (const Suite& suite : suites()) {
        const bool is_left_out = !test::is_thorough() && place++ % 3 != 0;
        if (suite.is_ceiling || is_left_out) continue;
        for (const Variant& variant : suite.variants) {
            if (!variant.natives.empty() || variant.name == "library") continue;
            const auto& types = variant.types.empty() ? suite.types : variant.types;
            for (const ElementType type : types) {
                if (!test::is_thorough() && type != default_type(suite, variant)) continue;
                made.push_back(make_case(suite, variant, suite.check_shapes.back(), type));
            }
            if (!test::is_thorough()) break;
        }
    }
    return made;
}

/// The program as it comes back.
Program back_of(Program program) {
    const Translation cuda = to_cuda(program.name, program.source, translate_options(program));
    std::vector<Define> constants;
    for (const Constant& one : program.constants) {
        constants.push_back({one.name, fmt::format("{}", one.value)});
    }
    program.source = to_opencl(program.name, cuda.text(), {.defines = constants}, false).text;
    program.defines.clear();
    return program;
}

TEST(ThereAndBack, SuitesPassTheirChecks) {
    Opened* opencl = nullptr;
    for (Opened& one : opened_devices()) {
        if (one.entry.info.backend == "opencl" && !opencl) opencl = &one;
    }
    if (!opencl) GTEST_SKIP() << "no OpenCL device is here";
    try {
        to_opencl("x.cu", "", {}, false);
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    ReferenceCache references(std::uint64_t{1} << 28);
    std::map<std::string, std::set<std::string>> refused;
    std::size_t asked = 0, right = 0;
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.title());
        const DeviceInfo& info = opencl->entry.info;
        if (!missing_capability(info, c).empty()) continue;
        const Plan plan = plan_of(c);
        if (launches_of(plan).empty()) continue;
        ++asked;
        try {
            const Program program = back_of(program_of(c, "opencl"));
            const VerificationResult checked =
                Verifier{*opencl->device, references, 1, {}, !test::is_thorough()}.verify(
                    c, program, opencl->built(program, plan));
            EXPECT_TRUE(checked.right()) << checked.failure->what << "\n" << program.source;
            right += checked.right();
        } catch (const Refused& error) {
            refused[std::string(error.what()).substr(0, 200)].insert(c.title());
        } catch (const BuildFailed& error) {
            ADD_FAILURE() << error.what() << "\n" << error.log;
        } catch (const Unsupported&) {
            --asked;  // a kind of memory that the device has not
        }
    }
    std::size_t count = 0;
    for (const auto& [reason, which] : refused) {
        count += which.size();
        fmt::print("{} refused, {} among them: {}\n", which.size(), *which.begin(), reason);
    }
    fmt::print("{} cases, {} right, {} refused\n", asked, right, count);
    EXPECT_GT(asked, 5u);
}

}  // namespace
}  // namespace parallax::there_and_back_test
