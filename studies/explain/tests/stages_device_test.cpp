// The stages on the OpenCL devices that are here, each against itself.
#include <gtest/gtest.h>

#include "common/device/devices.hpp"
#include "kernels/kernel_texts.hpp"
#include "studies/explain/stages.hpp"

namespace parallax::stages_device_test {
namespace {

TEST(StagesOnDevices, EveryPartOfAUseIsMeasured) {
    unsigned tried = 0;
    for (const Entry& entry : find_devices(backends(), "host").entries) {
        ReferenceCache references(1 << 24);
        RunConfig config;
        config.references = &references;
        config.kernel_source = [](std::string_view file) {
            for (const EmbeddedFile& one : embedded_kernels()) {
                if (one.name == file) return std::string(one.text);
            }
            return std::string();
        };
        const Suite& suite = suite_named("transpose");
        StageRequest request;
        request.the_case =
            make_case(suite, variant_named(suite, "padded"), {{100, 50}}, ElementType::f32);
        request.config = &config;
        request.most_seconds = 1;
        const auto a = entry.open(), b = entry.open();
        for (const bool is_b : {false, true}) {
            Device& device = is_b ? *b : *a;
            const Program program = program_of(request.the_case, config);
            request.sides.of(is_b) = {entry, &device, program,
                                      build(device, program, plan_of(request.the_case)),
                                      plan_of(request.the_case)};
        }
        for (const Stage& stage : measure_stages(request)) {
            if (stage.name == "build, cold" || stage.name == "build, warm") continue;
            for (const bool is_b : {false, true}) {
                ASSERT_TRUE(stage.seconds.of(is_b)) << stage.name << ": " << stage.note;
                EXPECT_GT(*stage.seconds.of(is_b), 0) << stage.name;
            }
        }
        ++tried;
    }
    if (tried == 0) GTEST_SKIP() << "no device";
}

}  // namespace
}  // namespace parallax::stages_device_test
