// Tests of the instruction counts in the output of NVIDIA's compilers. The expected counts were
// taken from the samples by hand (grep, sort, uniq).
#include "studies/explain/instructions.hpp"

#include <initializer_list>
#include <utility>

#include <gtest/gtest.h>

#include "studies/explain/tests/sample.hpp"

namespace parallax::instructions_test {
namespace {

using enum InstructionClass;

InstructionMix mix(std::initializer_list<std::pair<InstructionClass, std::uint32_t>> counts) {
    InstructionMix made;
    for (const auto& [c, count] : counts) made[c] = count;
    return made;
}

void expect(const std::optional<InstructionMix>& found, const InstructionMix& wanted,
            std::uint32_t total) {
    ASSERT_TRUE(found);
    for (std::size_t i = 0; i < wanted.count.size(); ++i) {
        EXPECT_EQ(found->count[i], wanted.count[i]) << name_of(static_cast<InstructionClass>(i));
    }
    EXPECT_EQ(found->total(), total);
}

TEST(Instructions, OfTransposeByNvrtc) {
    expect(ptx_mix(sample("nvrtc-transpose.ptx"), "tiled"),
           mix({{global_load_32, 4},
                {global_store, 4},
                {shared_load_32, 4},
                {shared_store, 4},
                {constant_load, 4},
                {conversion, 2},
                {integer_64, 52},
                {comparison, 18},
                {branch, 9},
                {barrier, 1},
                {move, 7}}),
           109);
}

TEST(Instructions, OfTransposeByOpencl) {
    expect(ptx_mix(sample("opencl-transpose.ptx"), "tiled"),
           mix({{global_load_32, 4},
                {global_store, 4},
                {shared_load_32, 4},
                {shared_store, 4},
                {constant_load, 4},
                {conversion, 2},
                {integer, 2},
                {integer_64, 52},
                {comparison, 18},
                {branch, 9},
                {barrier, 1},
                {move, 7}}),
           111);
}

TEST(Instructions, OfManyClassesAndACalledFunction) {
    expect(ptx_mix(sample("nvrtc-classes.ptx"), "classes"),
           mix({{global_load_32, 9},
                {global_load_64, 4},
                {global_load_128, 1},
                {global_store, 2},
                {shared_load_128, 1},
                {shared_store, 1},
                {local_memory, 3},
                {constant_load, 12},
                {fused_multiply_add, 1},
                {float_arithmetic, 17},
                {double_arithmetic, 4},
                {division, 4},
                {conversion, 11},
                {integer, 13},
                {integer_64, 25},
                {comparison, 3},
                {branch, 6},
                {barrier, 1},
                {atomic, 1},
                {warp, 2},
                {move, 20}}),
           141);
}

TEST(Instructions, OfMachineCodeOfTranspose) {
    expect(machine_mix(sample("nvrtc-transpose.sass"), "tiled"),
           mix({{global_load_32, 4},
                {global_store, 4},
                {shared_load_32, 4},
                {shared_store, 4},
                {constant_load, 12},
                {integer, 57},
                {integer_64, 12},
                {comparison, 20},
                {branch, 12},
                {barrier, 1},
                {move, 8}}),
           138);
}

TEST(Instructions, OfMachineCodeOfVectorCopy) {
    expect(machine_mix(sample("nvrtc-copy.sass"), "copy4"),
           mix({{global_load_32, 1},
                {global_load_128, 1},
                {global_store, 2},
                {constant_load, 8},
                {integer, 19},
                {integer_64, 2},
                {comparison, 4},
                {branch, 5},
                {move, 3}}),
           45);
}

TEST(Instructions, OfWhatCuobjdumpPrints) {
    const char* text =
        "Fatbin elf code:\n================\narch = sm_75\n\n\tcode for sm_75\n"
        "\t\tFunction : other\n"
        "        /*0000*/                   EXIT ;                  /* 0x000000000000794d */\n"
        "\t\t..........\n\n"
        "\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM75\"\n"
        "        /*0000*/                   MOV R1, c[0x0][0x28] ;  /* 0x00000a0000017a02 */\n"
        "                                                           /* 0x000fd00000000f00 */\n"
        "        /*0010*/              @!PT SHFL.IDX PT, RZ, RZ, RZ, RZ ; /* 0x000000fffffff389 "
        "*/\n"
        "        /*0020*/              @P0  DFMA R2, R2, R4, R6 ;   /* 0x0000000402020229 */\n"
        "        /*0030*/                   BRA 0x30;               /* 0xfffffff000007947 */\n"
        "        /*0040*/                   NOP;                    /* 0x0000000000007918 */\n"
        "\t\t..........\n\n\n\tcode for sm_80\n\t\tFunction : k\n"
        "        /*0000*/                   EXIT ;                  /* 0x000000000000794d */\n";
    expect(machine_mix(text, "k"), mix({{move, 1}, {warp, 1}, {double_arithmetic, 1}, {branch, 1}}),
           4);
    expect(machine_mix(text, "other"), mix({{branch, 1}}), 1);
}

TEST(Instructions, AKernelThatIsNotThereIsNothing) {
    const std::string ptx = sample("nvrtc-classes.ptx");
    EXPECT_FALSE(ptx_mix(ptx, "class"));
    EXPECT_FALSE(ptx_mix(ptx, "_Z8far_awayPKfi")) << "a function is no kernel";
    EXPECT_FALSE(ptx_mix("", ""));
    EXPECT_FALSE(ptx_mix(".visible .entry k();", "k")) << "declared only";
    EXPECT_FALSE(machine_mix(sample("nvrtc-copy.sass"), "copy5"));
    EXPECT_FALSE(machine_mix("", ""));
    EXPECT_FALSE(machine_mix("\t.section\t.text.k,\"ax\",@progbits\n", "k"));
}

TEST(Instructions, AnyBytesAreSurvived) {
    const std::string ptx = sample("nvrtc-classes.ptx");
    const std::size_t end_of_kernel = ptx.rfind('}');
    for (std::size_t length = 0; length < ptx.size(); length += 7) {
        const auto cut = ptx_mix(std::string_view(ptx).substr(0, length), "classes");
        EXPECT_EQ(cut.has_value(), length > end_of_kernel) << length;
    }
    // OpenCL hands out a zero behind the text.
    EXPECT_EQ(ptx_mix(ptx + '\0', "classes"), ptx_mix(ptx, "classes"));
    const std::string sass = sample("nvrtc-copy.sass");
    for (std::size_t length = 0; length < sass.size(); length += 7) {
        const auto cut = machine_mix(std::string_view(sass).substr(0, length), "copy4");
        EXPECT_LE(cut ? cut->total() : 0, 45u);
        normalised_machine(std::string_view(sass).substr(0, length), "copy4");
    }
    std::string noise;
    for (unsigned i = 0, x = 1; i < 100'000; ++i) {
        x = x * 1664525 + 1013904223;
        noise += static_cast<char>(x >> 24);
    }
    const std::string inside = ".entry k() {\n" + noise;
    EXPECT_LE(normalised_ptx(inside, "k").size(), 4 * inside.size());
    const std::string section = "\t.section\t.text.k,\n" + noise;
    EXPECT_LE(normalised_machine(section, "k").size(), 4 * section.size());
    for (const char* text :
         {".entry k(\"", ".entry k() { \"", ".entry k() {} /*", ".entry", ".entry k() { @",
          ".entry k() { a: b: }", "{", "}", ".entry k() { ; }"}) {
        EXPECT_LE(ptx_mix(text, "k").value_or(InstructionMix{}).total(), 0u) << text;
        EXPECT_EQ(normalised_ptx(text, "k"), "") << text;
    }
}

}  // namespace
}  // namespace parallax::instructions_test
