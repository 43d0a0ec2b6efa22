// A kernel's PTX as blocks of instructions, and what a work-item does in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device_info.hpp"
#include "studies/explain/ptx_text.hpp"

namespace parallax {

/// One operand: a register, a number, or the name of something, plus an offset.
struct PtxOperand {
    int reg = -1;                ///< place in PtxProgram::registers; -1: none
    std::uint64_t bits = 0;      ///< a number; behind a register or a name, what is added to it
    std::string_view word = {};  ///< `tile`, `%tid.x`, a label; empty: none
    bool negated = false;        ///< `!%p1`
};

struct PtxInstruction {
    const PtxStatement* statement = nullptr;
    std::string_view base;             ///< `ld` of `ld.global.f32`
    char kind = 'b', from_kind = 'b';  ///< of its types, the second as the first: u, s, f, b, p
    unsigned bits = 32, from_bits = 32, vector = 1;
    int guard = -1;
    bool guard_negated = false;
    std::vector<PtxOperand> targets, sources;
    std::vector<int> defines, reads;  ///< registers
    bool in_memory = false;           ///< `sources` begin with an address
};

struct PtxBlock {
    std::size_t first = 0, last = 0;       ///< its instructions are [first, last)
    std::vector<std::string_view> labels;  ///< before it
    int branch = -1, next = -1;            ///< where it goes to; -1: nowhere
};

/// Classes of what two compilers do differently with one text.
enum class PtxKind {
    address,     ///< integers that addresses are made of
    test,        ///< setting predicates of integers
    choice,      ///< branches, selections, predicated instructions
    access,      ///< loads and stores
    conversion,  ///< `cvt`
    fused,       ///< multiply-adds of floats
    unfused,     ///< products, sums of floats
    other,       ///< all else that does work
    count_
};
inline constexpr auto ptx_kinds = static_cast<std::size_t>(PtxKind::count_);

/// The entry of a kernel that calls nothing.
class PtxProgram {
public:
    struct Register {
        std::string_view name, type;  ///< `%rd12`, `.b64`
        int definitions = 0;
    };

    /// @param text  outlives it
    /// @throws Unsupported for a kernel that is not there, calls functions, jumps by a table, or
    /// declares registers twice, as inline assembly does
    PtxProgram(const PtxText& text, std::string_view kernel);

    const PtxText& text() const { return *text_; }
    const PtxFunction& function() const { return *function_; }
    std::vector<Register> registers;
    std::vector<PtxInstruction> code;
    std::vector<PtxBlock> blocks;
    /// `.shared` arrays of the kernel and of the text: name, and what is behind it in its
    /// declaration.
    std::vector<std::pair<std::string_view, std::string_view>> shared;
    std::vector<PtxKind> kinds;  ///< of each instruction; moves and what only names are `count_`

    /// Registers that are read later from the block's begin on, for each block.
    std::vector<std::vector<bool>> live_at_begin() const;

private:
    void declare(const PtxStatement&);
    void decode(const PtxStatement&);
    PtxOperand operand(std::string_view) const;
    void operands(std::string_view, std::vector<PtxOperand>&) const;
    void make_blocks();
    void sort_kinds();

    const PtxText* text_;
    const PtxFunction* function_ = nullptr;
    std::unordered_map<std::string_view, int> places_;
    std::vector<std::pair<std::string_view, std::string_view>> families_;
    std::vector<std::pair<std::string_view, std::size_t>> labels_;  ///< before which instruction
};

/// A launch of which single work-items are followed.
struct PtxLaunch {
    std::vector<std::vector<std::byte>> parameters;  ///< as the kernel's list has them
    struct Buffer {
        std::uint64_t address = 0;
        std::span<const std::byte> bytes;
    };
    std::vector<Buffer> buffers;
    Size items, groups;
};

/// What one work-item does, alone: what others would have written is made up, from the address.
struct PtxWalk {
    struct Visit {
        int block = 0;
        std::uint64_t effects = 0;             ///< bytes stored and barriers so far
        std::uint64_t loaded = 0;              ///< bytes, so far
        std::vector<std::uint64_t> registers;  ///< at the block's begin
    };
    std::vector<Visit> log;      ///< the first visits
    std::vector<double> visits;  ///< of each block
    std::uint64_t written = 0;   ///< a sum over the addresses of what it stored
    std::uint64_t loaded = 0;    ///< bytes, in all
    bool ended = false;          ///< within the steps that it was given
};

/// @param place  of the item in its group; @param group  of the group
PtxWalk walk(const PtxProgram&, const PtxLaunch&, const Size& place, const Size& group,
             std::uint64_t most_steps = 1'000'000);

}  // namespace parallax
