// Classes of PTX's instructions.
#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "studies/explain/instruction_classes.hpp"

namespace parallax {
namespace {

using enum InstructionClass;

/// How the type in an instruction's name affects its class.
enum class By {
    fixed,       ///< it does not: `of_32` is the class
    arithmetic,  ///< float, double, integer or 64-bit integer
    fused,       ///< as arithmetic, but a multiply-add of floats is fused
    logic,       ///< as arithmetic, but of predicates it sets a predicate
    special      ///< division of floats of any size; integers as arithmetic
};

struct PtxRow {
    By by = By::fixed;
    InstructionClass of_32 = other;
};

using PtxRows = std::unordered_map<std::string_view, PtxRow>;

void put(PtxRows& rows, PtxRow row, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) rows.emplace(name, row);
}

PtxRows make_rows() {
    PtxRows rows;
    put(rows, {By::fused}, {"fma", "mad"});
    put(rows, {By::arithmetic},
        {"add",   "sub",  "mul",  "abs",   "neg",   "min",   "max",   "copysign", "mul24",
         "mad24", "sad",  "addc", "subc",  "madc",  "popc",  "clz",   "bfind",    "fns",
         "brev",  "bfe",  "bfi",  "bmsk",  "shl",   "shr",   "shf",   "lop3",     "prmt",
         "szext", "dp4a", "dp2a", "vadd",  "vsub",  "vmin",  "vmax",  "vabsdiff", "vmad",
         "vshl",  "vshr", "vset", "vadd2", "vsub2", "vadd4", "vsub4", "vabsdiff4"});
    put(rows, {By::logic}, {"and", "or", "xor", "not", "cnot"});
    put(rows, {By::special}, {"div", "rem"});
    put(rows, {By::fixed, division}, {"sqrt", "rsqrt", "rcp", "ex2", "lg2", "sin", "cos", "tanh"});
    put(rows, {By::fixed, comparison}, {"setp", "set", "selp", "slct", "testp", "isspacep"});
    put(rows, {By::fixed, conversion}, {"cvt"});
    put(rows, {By::fixed, move}, {"mov", "cvta"});
    put(rows, {By::fixed, branch}, {"bra", "brx", "call", "ret", "exit", "trap"});
    put(rows, {By::fixed, barrier}, {"bar", "barrier", "mbarrier"});
    put(rows, {By::fixed, atomic}, {"atom", "red"});
    put(rows, {By::fixed, warp}, {"shfl", "vote", "match", "activemask", "redux", "elect"});
    put(rows, {By::fixed, shared_store}, {"stmatrix"});
    return rows;
}

struct Parts {
    std::string_view base, type;
    bool bar_of_warp = false, wide = false;
    std::string_view space;
    unsigned vector = 1;
};

constexpr std::array<std::string_view, 8> state_spaces{
    "global", "shared",      "local",           "param",
    "const",  "shared::cta", "shared::cluster", "param::entry"};

/// Is it the name of a type: `f32`, `bf16x2`, `pred`? `f4e` of `prmt` is none.
bool is_type(std::string_view part) {
    if (part == "pred") return true;
    const bool two = part.starts_with("bf") || part.starts_with("tf");
    if (!two && (part.empty() || std::string_view("fsub").find(part[0]) == part.npos)) return false;
    part.remove_prefix(two ? 2 : 1);
    const std::size_t digits = std::min(part.find_first_not_of("0123456789"), part.size());
    return digits > 0 && (digits == part.size() || part[digits] == 'x');
}

Parts parts_of(std::string_view opcode) {
    Parts parts;
    for_each_part(opcode, [&](std::string_view part) {
        if (parts.base.empty()) {
            parts.base = part;
        } else if (std::ranges::find(state_spaces, part) != state_spaces.end()) {
            if (parts.space.empty()) parts.space = part.substr(0, part.find(':'));
        } else if (part == "v2" || part == "v4" || part == "v8" || part == "x2" || part == "x4") {
            parts.vector = static_cast<unsigned>(part[1] - '0');
        } else if (part == "wide") {
            parts.wide = true;
        } else if (part == "warp") {
            parts.bar_of_warp = true;
        } else if (is_type(part)) {
            parts.type = part;
        }
    });
    return parts;
}

unsigned bits_of(const Parts& parts) {
    unsigned bits = 32;
    const std::size_t digits = parts.type.find_first_of("0123456789");
    if (digits != parts.type.npos) {
        std::from_chars(parts.type.data() + digits, parts.type.data() + parts.type.size(), bits);
    }
    return bits * parts.vector;
}

InstructionClass load(const Parts& parts) {
    const unsigned bits = bits_of(parts);
    if (parts.space == "param" || parts.space == "const") return constant_load;
    if (parts.space == "local") return local_memory;
    if (parts.space == "shared") {
        return by_width(bits, shared_load_32, shared_load_64, shared_load_128);
    }
    return by_width(bits, global_load_32, global_load_64, global_load_128);
}

InstructionClass store(const Parts& parts) {
    if (parts.space == "shared") return shared_store;
    if (parts.space == "local") return local_memory;
    return parts.space == "param" ? move : global_store;  // an argument of a call
}

}  // namespace

InstructionClass class_of_ptx(std::string_view opcode) {
    static const PtxRows rows = make_rows();
    const Parts parts = parts_of(opcode);
    if (parts.base == "ld" || parts.base == "ldu") return load(parts);
    if (parts.base == "st") return store(parts);
    if (parts.base == "ldmatrix") {  // 8 x 8 values of 16 bits are 32 bits per work-item
        return by_width(32 * parts.vector, shared_load_32, shared_load_64, shared_load_128);
    }
    if (parts.base == "bar" && parts.bar_of_warp) return warp;
    const auto found = rows.find(parts.base);
    if (found == rows.end()) return other;
    const auto [kind, fixed] = found->second;
    if (kind == By::fixed) return fixed;
    const bool is_64 = parts.type.ends_with("64");
    if (parts.type.find('f') != std::string_view::npos) {
        if (kind == By::special) return division;
        if (is_64) return double_arithmetic;
        return kind == By::fused ? fused_multiply_add : float_arithmetic;
    }
    if (kind == By::logic && parts.type == "pred") return comparison;
    return is_64 || parts.wide ? integer_64 : integer;
}

}  // namespace parallax
