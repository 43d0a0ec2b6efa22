// Classes of machine instructions.
#include <unordered_map>

#include "studies/explain/instruction_classes.hpp"

namespace parallax {
namespace {

using enum InstructionClass;
using MachineRows = std::unordered_map<std::string_view, InstructionClass>;

void put(MachineRows& rows, InstructionClass c, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) rows.emplace(name, c);
}

MachineRows machine_rows() {
    MachineRows rows;
    put(rows, global_store, {"STG", "ST"});
    put(rows, shared_store, {"STS", "STSM"});
    put(rows, local_memory, {"LDL", "STL"});
    put(rows, constant_load, {"LDC", "ULDC", "LDCU"});
    put(rows, fused_multiply_add, {"FFMA", "FFMA32I", "FFMA2", "HFMA2", "HFMA2_32I", "UFFMA"});
    put(rows, float_arithmetic,
        {"FADD", "FADD2", "FADD32I", "FMUL", "FMUL2", "FMUL32I", "FMNMX", "FMNMX3", "FSWZADD",
         "HADD2", "HADD2_32I", "HMUL2", "HMUL2_32I", "HMNMX2", "VHMNMX", "UFADD", "UFMUL"});
    put(rows, double_arithmetic, {"DFMA", "DADD", "DMUL", "DMNMX"});
    put(rows, division, {"MUFU", "RRO"});
    put(rows, conversion,
        {"F2F", "F2I", "I2F", "I2I", "I2IP", "I2FP", "F2FP", "F2IP", "FRND", "UI2F", "UI2FP",
         "UF2F", "UF2FP", "UF2I", "UFRND", "UI2I"});
    put(rows, integer,
        {"IMAD",      "IMUL",    "IADD",   "IADD3",  "IADD32I", "VIADD", "VIADDMNMX", "IMNMX",
         "VIMNMX",    "VIMNMX3", "IABS",   "ISCADD", "ISAD",    "IDP",   "IDP4A",     "LEA",
         "LOP",       "LOP3",    "LOP32I", "SHF",    "SHL",     "SHR",   "PRMT",      "POPC",
         "FLO",       "BREV",    "BMSK",   "SGXT",   "BFE",     "BFI",   "XMAD",      "VABSDIFF",
         "VABSDIFF4", "UIMAD",   "UIADD3", "UIADD",  "UVIADD",  "UIABS", "UIMNMX",    "UVIMNMX",
         "ULEA",      "ULOP",    "ULOP3",  "USHF",   "USHL",    "USHR",  "UPRMT",     "UPOPC",
         "UFLO",      "UBREV",   "UBMSK",  "USGXT",  "UISCADD"});
    put(rows, comparison,
        {"ISETP",  "FSETP",  "DSETP", "HSETP2", "HSET2",  "FSET",   "ISET", "DSET",
         "PSETP",  "CSETP",  "ICMP",  "FCMP",   "FCHK",   "SEL",    "FSEL", "PLOP3",
         "UISETP", "UFSETP", "USEL",  "UFSEL",  "UPLOP3", "UPSETP", "UISET"});
    put(rows, branch,
        {"BRA", "BRX",  "BRXU",  "BRA_IMM", "JMP", "JMX", "JMXU", "EXIT", "CALL", "CAL",
         "RET", "BSSY", "BSYNC", "BREAK",   "BRK", "SSY", "SYNC", "PBK",  "PRET", "KILL"});
    put(rows, barrier, {"BAR", "UCGABAR_ARV", "UCGABAR_WAIT", "SYNCS"});
    put(rows, atomic,
        {"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDS", "UREDGR", "SUATOM", "SURED"});
    put(rows, warp, {"SHFL", "VOTE", "VOTEU", "MATCH", "WARPSYNC", "REDUX", "CREDUX", "ELECT"});
    put(rows, move,
        {"MOV", "MOV32I", "UMOV", "S2R", "S2UR", "CS2R", "CS2UR", "R2UR", "P2R", "R2P", "B2R",
         "R2B", "BMOV", "UP2UR", "UR2UP", "VMOV"});
    return rows;
}

bool has_part(std::string_view opcode, std::string_view wanted) {
    bool has = false;
    for_each_part(opcode, [&](std::string_view part) { has = has || part == wanted; });
    return has;
}

}  // namespace

unsigned machine_access_bits(std::string_view opcode) {
    unsigned bits = 32, matrices = 1;
    for_each_part(opcode, [&](std::string_view part) {
        if (part == "64") bits = 64;
        if (part == "128") bits = 128;
        if (part == "256") bits = 256;
        if (part == "2") matrices = 2;
        if (part == "4") matrices = 4;
    });
    return bits * matrices;
}

InstructionClass class_of_machine(std::string_view opcode, std::string_view operands) {
    static const MachineRows rows = machine_rows();
    const std::string_view base = opcode.substr(0, opcode.find('.'));
    const unsigned bits = machine_access_bits(opcode);
    if (base == "LDG" || base == "LD") {
        return by_width(bits, global_load_32, global_load_64, global_load_128);
    }
    if (base == "LDS" || base == "LDSM") {
        return by_width(bits, shared_load_32, shared_load_64, shared_load_128);
    }
    const auto found = rows.find(base);
    if (found == rows.end()) return other;
    const bool adds_to_nothing = operands.find("RZ, RZ,") != std::string_view::npos;
    if (has_part(opcode, "MOV") || (adds_to_nothing && (base == "HFMA2" || opcode == "IMAD.U32"))) {
        return move;
    }
    if (found->second == integer && (has_part(opcode, "WIDE") || has_part(opcode, "64"))) {
        return integer_64;
    }
    return found->second;
}

}  // namespace parallax
