// Tests of the classes of single instructions.
#include "studies/explain/instruction_classes.hpp"

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace parallax::classes_test {
namespace {

using enum InstructionClass;

TEST(Classes, OfPtx) {
    const std::vector<std::pair<std::string_view, InstructionClass>> expected{
        {"ld.global.f32", global_load_32},
        {"ld.global.v2.u8", global_load_32},
        {"ld.global.nc.v4.f32", global_load_128},
        {"ld.global.nc.L1::no_allocate.L2::128B.v2.f32", global_load_64},
        {"ld.f64", global_load_64},
        {"ld.global.v2.b64", global_load_128},
        {"ldu.global.b128", global_load_128},
        {"ld.param.u64", constant_load},
        {"ld.const.f32", constant_load},
        {"ld.local.v4.f32", local_memory},
        {"st.local.u8", local_memory},
        {"ld.shared.f32", shared_load_32},
        {"ld.volatile.shared::cta.v2.f32", shared_load_64},
        {"ld.shared.v4.b32", shared_load_128},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", shared_load_128},
        {"st.shared.v4.f32", shared_store},
        {"st.global.f32", global_store},
        {"st.f32", global_store},
        {"st.param.b32", move},
        {"fma.rn.f32", fused_multiply_add},
        {"fma.rn.bf16x2", fused_multiply_add},
        {"mad.f32", fused_multiply_add},
        {"fma.rn.f64", double_arithmetic},
        {"add.rn.ftz.f32", float_arithmetic},
        {"min.f16x2", float_arithmetic},
        {"mul.rn.f64", double_arithmetic},
        {"mad.lo.s32", integer},
        {"mad.wide.u32", integer_64},
        {"mul.wide.s16", integer_64},
        {"mul.hi.u32", integer},
        {"add.s64", integer_64},
        {"shl.b64", integer_64},
        {"and.b32", integer},
        {"or.pred", comparison},
        {"prmt.b32.f4e", integer},
        {"div.rn.f32", division},
        {"div.rn.f64", division},
        {"div.s32", integer},
        {"rem.u64", integer_64},
        {"sqrt.rn.f64", division},
        {"rsqrt.approx.ftz.f32", division},
        {"ex2.approx.f32", division},
        {"cvt.rn.f32.s64", conversion},
        {"cvta.to.global.u64", move},
        {"mov.b32", move},
        {"mov.pred", move},
        {"setp.lt.and.s64", comparison},
        {"selp.f32", comparison},
        {"bra.uni", branch},
        {"call.uni", branch},
        {"ret", branch},
        {"bar.sync", barrier},
        {"barrier.cluster.arrive", barrier},
        {"bar.warp.sync", warp},
        {"shfl.sync.bfly.b32", warp},
        {"vote.sync.any.pred", warp},
        {"atom.global.add.f32", atomic},
        {"red.shared.add.u32", atomic},
        {"cp.async.ca.shared.global", other},
        {"membar.gl", other},
        {"", other},
        {"...", other},
    };
    for (const auto& [opcode, wanted] : expected) {
        EXPECT_EQ(name_of(class_of_ptx(opcode)), name_of(wanted)) << opcode;
    }
}

TEST(Classes, OfMachineCode) {
    const std::vector<std::pair<std::string_view, InstructionClass>> expected{
        {"LDG.E", global_load_32},
        {"LDG.E.U8.CONSTANT", global_load_32},
        {"LDG.E.64", global_load_64},
        {"LDG.E.128.CONSTANT", global_load_128},
        {"LD.E.64", global_load_64},
        {"STG.E.128", global_store},
        {"LDS", shared_load_32},
        {"LDS.U.64", shared_load_64},
        {"LDS.128", shared_load_128},
        {"LDSM.16.M88.4", shared_load_128},
        {"STS.128", shared_store},
        {"LDL.LU", local_memory},
        {"STL.64", local_memory},
        {"LDC.64", constant_load},
        {"ULDC", constant_load},
        {"LDCU.128", constant_load},
        {"FFMA.FTZ", fused_multiply_add},
        {"HFMA2.MMA", fused_multiply_add},
        {"FADD", float_arithmetic},
        {"FMNMX", float_arithmetic},
        {"DFMA", double_arithmetic},
        {"DADD", double_arithmetic},
        {"MUFU.RCP", division},
        {"F2F.F64.F32", conversion},
        {"I2FP.F32.S32", conversion},
        {"F2I.TRUNC.NTZ", conversion},
        {"IMAD", integer},
        {"IMAD.SHL.U32", integer},
        {"IMAD.MOV.U32", move},
        {"IMAD.WIDE.U32", integer_64},
        {"UIMAD.WIDE", integer_64},
        {"IADD.64", integer_64},
        {"IADD3.X", integer},
        {"UIADD3", integer},
        {"LEA.HI.X.SX32", integer},
        {"ULEA", integer},
        {"LOP3.LUT", integer},
        {"SHF.L.U64.HI", integer},
        {"ISETP.GE.U32.AND.EX", comparison},
        {"FSETP.GT.AND", comparison},
        {"DSETP.GT.AND", comparison},
        {"SEL", comparison},
        {"FSEL", comparison},
        {"PLOP3.LUT", comparison},
        {"BRA.U", branch},
        {"EXIT", branch},
        {"CALL.REL.NOINC", branch},
        {"RET.REL.NODEC", branch},
        {"BSSY.RECONVERGENT", branch},
        {"BSYNC", branch},
        {"BAR.SYNC.DEFER_BLOCKING", barrier},
        {"ATOMG.E.ADD.STRONG.GPU", atomic},
        {"ATOMS.ADD", atomic},
        {"RED.E.ADD.STRONG.GPU", atomic},
        {"SHFL.BFLY", warp},
        {"VOTE.ANY", warp},
        {"MATCH.ANY", warp},
        {"WARPSYNC", warp},
        {"MOV", move},
        {"UMOV", move},
        {"S2R", move},
        {"CS2R", move},
        {"R2UR", move},
        {"MEMBAR.SC.GPU", other},
        {"HMMA.16816.F32", other},
        {"", other},
    };
    for (const auto& [opcode, wanted] : expected) {
        EXPECT_EQ(name_of(class_of_machine(opcode, "R1, R2, R3")), name_of(wanted)) << opcode;
    }
    EXPECT_EQ(class_of_machine("HFMA2.MMA", "R4, -RZ, RZ, 0, 3.8e-06"), move) << "a constant";
    EXPECT_EQ(class_of_machine("IMAD.U32", "R4, RZ, RZ, UR6"), move);
}

TEST(Classes, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) {
        names.insert(name_of(static_cast<InstructionClass>(i)));
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(count_));
    EXPECT_EQ(name_of(shared_load_128), "128-bit shared loads");
}

}  // namespace
}  // namespace parallax::classes_test
