// Counts what knobs are about, in settings and PTX.
#include "studies/explain/likely.hpp"

#include <algorithm>
#include <map>

#include "common/device/ptx_text.hpp"
#include "studies/explain/evidence.hpp"
#include "studies/explain/instruction_classes.hpp"

namespace parallax {
namespace {

/// Counts that differ by less than this share of the larger one say nothing.
constexpr double same_number = 0.1;

bool names(std::string_view opcode, std::string_view wanted) {
    bool found = false;
    for_each_part(opcode, [&](std::string_view part) { found = found || part == wanted; });
    return found;
}

bool is_wide_load(std::string_view opcode, std::string_view from) {
    return opcode.starts_with("ld") && names(opcode, from) &&
           (names(opcode, "v2") || names(opcode, "v4"));
}

/// Division and square root to the last bit: `div.rn.f32`.
bool is_exact_division(std::string_view opcode) {
    const bool divides =
        opcode.starts_with("div.") || opcode.starts_with("sqrt.") || opcode.starts_with("rcp.");
    return divides && names(opcode, "rn") && names(opcode, "f32");
}

/// Instructions that a knob is about.
struct Sign {
    std::string_view knob;
    bool (*has)(std::string_view opcode);
    bool is_slow = true;  ///< the slower side has more of them, or fewer
};

const std::vector<Sign>& signs() {
    static const std::vector<Sign> all{
        {"atomic sums", [](std::string_view o) { return names(o, "cas"); }},
        {"exact division", is_exact_division},
        {"doubles", [](std::string_view o) { return names(o, "f64"); }},
        {"volatile", [](std::string_view o) { return names(o, "volatile"); }},
        {"volatile", [](std::string_view o) { return names(o, "local"); }},
        {"constant memory", [](std::string_view o) { return names(o, "const"); }},
        {"contraction",
         [](std::string_view o) { return class_of_ptx(o) == InstructionClass::fused_multiply_add; },
         false},
        {"alignment", [](std::string_view o) { return is_wide_load(o, "shared"); }, false},
        {"vector loads", [](std::string_view o) { return is_wide_load(o, "global"); }, false},
        {"denormals", [](std::string_view o) { return names(o, "ftz"); }, false},
        {"restrict", [](std::string_view o) { return names(o, "nc"); }, false},
        {"read-only loads", [](std::string_view o) { return names(o, "nc"); }, false},
    };
    return all;
}

/// Rules and constants in which two programs differ.
std::size_t differences(const FloatRules& x, const FloatRules& y) {
    return static_cast<std::size_t>(x.contract != y.contract) +
           static_cast<std::size_t>(x.exact_division != y.exact_division) +
           static_cast<std::size_t>(x.flush_denormals != y.flush_denormals) +
           static_cast<std::size_t>(x.relaxed != y.relaxed);
}

}  // namespace

PtxSigns::PtxSigns(const Outcome& here, const Outcome& there) {
    InstructionMix mix_here, mix_there;
    count(here, here_, mix_here);
    count(there, there_, mix_there);
    if (mix_here.total() > 0 && mix_there.total() > 0) moved_ = moved_classes(mix_here, mix_there);
}

void PtxSigns::count(const Outcome& outcome, Counts& counts, InstructionMix& mix) {
    counts.assign(signs().size(), 0);
    for (const auto& [name, code] : outcome.codes) {
        const PtxText text(code->ptx);
        for (const PtxFunction* function : text.with_callees(name)) {
            for (const PtxStatement& s : function->body) {
                if (s.kind != PtxStatement::Kind::instruction) continue;
                ++mix[class_of_ptx(s.name)];
                for (std::size_t i = 0; i < counts.size(); ++i) {
                    counts[i] += signs()[i].has(s.name) ? 1 : 0;
                }
            }
        }
    }
}

Likelihood PtxSigns::of(std::string_view knob) const {
    using enum InstructionClass;
    for (std::size_t i = 0; i < signs().size(); ++i) {
        const Sign& sign = signs()[i];
        const double more = double{1} * here_[i] - there_[i];
        const double least = same_number * std::max(here_[i], there_[i]);
        const bool fits = sign.is_slow ? more > least : -more > least;
        if (sign.knob == knob && fits) return Likelihood::by_ptx;
    }
    static const std::map<std::string_view, std::vector<InstructionClass>> about{
        {"contraction", {fused_multiply_add}},
        {"index width", {integer_64, conversion}},
        {"exact division", {division}},
        {"mathematics", {division}},
        {"doubles", {double_arithmetic}},
        {"vector loads", {global_load_64, global_load_128}},
        {"unrolling", {branch}}};
    const auto classes = about.find(knob);
    const bool differs = classes != about.end() &&
                         std::ranges::find_first_of(moved_, classes->second) != moved_.end();
    return differs ? Likelihood::perhaps : Likelihood::unknown;
}

bool is_nearer(const Configuration& changed, const Configuration& before, const Outcome& here,
               const Outcome& there) {
    if (changed.program.options.size() < before.program.options.size()) return true;
    const FloatRules& wanted = there.program.floats;
    if (differences(changed.program.floats, wanted) < differences(before.program.floats, wanted)) {
        return true;
    }
    const auto& own = here.program.constants;
    const auto& others = there.program.constants;
    return std::ranges::any_of(changed.constants, [&](const Constant& one) {
        return std::ranges::find(others, one) != others.end() &&
               std::ranges::find(own, one) == own.end();
    });
}

}  // namespace parallax
