// Tests of all that is gathered of a built kernel.
#include "studies/explain/evidence.hpp"

#include <gmock/gmock.h>

#include "common/device/ptxas.hpp"
#include "studies/explain/instructions.hpp"
#include "studies/explain/tests/fake_tool.hpp"
#include "studies/explain/tests/sample.hpp"

namespace parallax::evidence_test {
namespace {

using testing::HasSubstr;

DeviceInfo h100() {
    DeviceInfo device;
    device.backend = "cuda";
    device.compute_capability = "9.0";
    return device;
}

const Launch launch{"tiled", {{128, 128, 1}, {32, 8, 1}}, {}};

class Evidence : public FakeTools {
protected:
    Evidence() {
        code.kernel = "tiled";
        code.options = {"-DTILE=32"};
        code.ptx = sample("nvrtc-transpose.ptx");
        code.machine_code = "cubin";
        code.resources = ptxas_resources(sample("opencl-transpose.log"), "tiled");
        show("nvrtc-transpose.sass");
    }
    void show(const std::string& name) const {
        const auto path = tool("show", "cat '" + sample_path(name).string() + "'");
        ::setenv("PARALLAX_NVDISASM", path.c_str(), 1);
    }
    Code code;
};

TEST_F(Evidence, IsComplete) {
    const KernelEvidence e = evidence_of(code, launch, h100());
    EXPECT_EQ(e.kernel, "tiled");
    EXPECT_EQ(e.options, code.options);
    EXPECT_EQ(e.resources.registers, 30u);
    // 30 registers cost as much as 32; 4112 and 1024 bytes are 5248 in steps of 128.
    EXPECT_EQ(e.occupancy, (Occupancy{8, 64, 64, "registers and warps"}));
    EXPECT_EQ(e.why_no_occupancy, "");
    ASSERT_TRUE(e.ptx && e.machine);
    EXPECT_EQ(e.ptx->total(), 109u);
    EXPECT_EQ(e.machine->total(), 138u);
    EXPECT_EQ(e.ptx_text, normalised_ptx(code.ptx, "tiled"));
    EXPECT_EQ(e.machine_text, normalised_machine(sample("nvrtc-transpose.sass"), "tiled"));
    EXPECT_EQ(e.machine_source, (folder() / "show").string());
}

TEST_F(Evidence, LocalMemoryIsStaticAndDynamic) {
    Launch large = launch;
    large.arguments = {LocalBytes{40 * 1024}, BufferIndex{0}, LocalBytes{20 * 1024}};
    EXPECT_EQ(evidence_of(code, large, h100()).occupancy, (Occupancy{3, 24, 64, "local memory"}));
}

TEST_F(Evidence, WhatIsMissingHasAReason) {
    DeviceInfo cpu;
    cpu.backend = "opencl";
    cpu.index = 1;
    code.ptx.clear();
    code.machine_code.clear();
    KernelEvidence e = evidence_of(code, launch, cpu);
    EXPECT_FALSE(e.occupancy || e.ptx || e.machine);
    EXPECT_THAT(e.why_no_occupancy, HasSubstr("opencl:1 has no CUDA compute capability"));
    EXPECT_EQ(e.ptx_text + e.machine_text, "");
    EXPECT_THAT(e.machine_source, HasSubstr("opencl:1 hands out no machine code"));

    DeviceInfo future = h100();
    future.compute_capability = "42.0";
    EXPECT_THAT(evidence_of(code, launch, future).why_no_occupancy, HasSubstr("42.0"));
    code.resources.local_bytes.reset();
    EXPECT_THAT(evidence_of(code, launch, h100()).why_no_occupancy, HasSubstr("much local memory"));
    code.resources.registers.reset();
    e = evidence_of(code, launch, h100());
    EXPECT_FALSE(e.occupancy);
    EXPECT_THAT(e.why_no_occupancy, HasSubstr("many registers"));
}

TEST_F(Evidence, MachineCodeOfOtherKernelsIsNotTaken) {
    show("nvrtc-copy.sass");
    const KernelEvidence e = evidence_of(code, launch, h100());
    EXPECT_FALSE(e.machine);
    EXPECT_EQ(e.machine_text, "");
    EXPECT_THAT(e.machine_source, HasSubstr("no kernel of the name tiled"));
}

TEST_F(Evidence, ADisassemblerThatFailsIsTold) {
    tool("show", "exit 1");
    const KernelEvidence e = evidence_of(code, launch, h100());
    EXPECT_FALSE(e.machine);
    EXPECT_THAT(e.machine_source, HasSubstr("exit code 1"));
    EXPECT_TRUE(e.ptx);
}

}  // namespace
}  // namespace parallax::evidence_test
