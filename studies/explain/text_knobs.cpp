// Knobs that change the source for both compilers.
#include "studies/explain/text_knobs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/analyze/only_kernels.hpp"
#include "mapping/translate/translate.hpp"
#include "studies/explain/rewrite.hpp"

namespace parallax::text_knobs {
namespace {

/// A change of the source.
std::function<void(Program&)> rewrite(std::function<Rewritten(std::string_view)> how) {
    return [how = std::move(how)](Program& program) {
        if (program.language != Language::portable) return;
        // Requested edits are applied before the rewrite.
        program.source = edited_source(program);
        program.edits.clear();
        if (Rewritten text = how(program.source)) program.source = std::move(*text);
    };
}

/// The same, where types have to be known.
std::function<void(Program&)> rewrite(
    std::function<Rewritten(std::string_view, const TranslateOptions&)> how) {
    return [how = std::move(how)](Program& program) {
        const TranslateOptions options = translate_options(program);
        rewrite([&](std::string_view text) { return how(text, options); })(program);
    };
}

/// Whether a kernel is given one buffer twice: what `restrict` would promise is not so then.
bool passes_one_twice(const KnobSite& site) {
    return std::ranges::any_of(launches_of(site.plan), [](const Launch* launch) {
        std::set<std::size_t> seen;
        return std::ranges::any_of(launch->arguments, [&](const LaunchArgument& argument) {
            const auto* buffer = std::get_if<BufferIndex>(&argument);
            return buffer && !seen.insert(buffer->index).second;
        });
    });
}

/// `the loops of lines 44 and 102`
std::string loops_at(const std::vector<unsigned>& lines) {
    constexpr std::size_t most = 4;
    if (lines.empty()) return "the loops";
    if (lines.size() == 1) return fmt::format("the loop of line {}", lines.front());
    const std::size_t said = std::min(most, lines.size() - 1);
    const auto rest = lines.begin() + static_cast<std::ptrdiff_t>(said);
    return fmt::format("the loops of lines {} and {}", fmt::join(lines.begin(), rest, ", "),
                       said + 1 == lines.size() ? std::to_string(*rest)
                                                : fmt::format("{} more", lines.size() - said));
}

const std::string trade = " That is a trade: answers get less exact, within what the case allows.";

}  // namespace

Changes alignment(const KnobSite& site) {
    KnobChange change{
        .setting = "aligned(16)",
        .cause =
            "Local arrays are not known to start at a multiple of 16 bytes, so loads of "
            "neighbouring elements cannot be merged into one wide load.",
        .remedy = "Declare local arrays with __attribute__((aligned(16)))."};
    for (const Constant& constant : site.program.constants) {
        if (constant.name != "ALIGN") continue;
        if (constant.value >= 16) return {};
        change.setting = "ALIGN=16";
        change.constants = {{"ALIGN", 16}};
        return {change};
    }
    change.program = rewrite([](std::string_view text) { return align_local_arrays(text, 16); });
    return {change};
}

Changes doubles(const KnobSite& site) {
    if (site.program.type == ElementType::f64) return {};
    return {{.setting = "float literals",
             .cause = "Literals without f, or variables of type double, pull float arithmetic up "
                      "to double.",
             .remedy = "Write 1.0f for 1.0, and float for double.",
             .program = rewrite(without_doubles)}};
}

Changes volatility(const KnobSite& site) {
    Changes changes{{.setting = "no volatile",
                     .cause = "volatile forces every access to memory, one at a time.",
                     .remedy = "Take out volatile; synchronise with barriers instead.",
                     .program = rewrite([](std::string_view t) { return without_volatile(t); })}};
    const std::string text = edited_source(site.program);
    const Rewritten temporaries = without_volatile(text, true);
    if (!temporaries) return changes;
    KnobChange alone{
        .setting = "no volatile temporaries",
        .cause =
            "A variable that no other item can see is volatile, so compilers may keep it in "
            "memory and not in a register.",
        .remedy = "Take volatile away from the kernel's own variables.",
        .program = rewrite([](std::string_view t) { return without_volatile(t, true); })};
    if (temporaries == without_volatile(text)) return {alone};
    changes.insert(changes.begin(), alone);
    return changes;
}

Changes aliasing(const KnobSite& site) {
    const KnobChange none{.setting = "no restrict",
                          .cause = "With restrict the compiler chooses worse.",
                          .remedy = "Leave out restrict.",
                          .program = rewrite(without_restrict)};
    if (passes_one_twice(site)) return {none};
    Changes changes;
    const auto add = [&](std::string setting, std::string cause, std::string remedy,
                         const std::string& only) {
        changes.push_back({.setting = std::move(setting),
                           .cause = std::move(cause),
                           .remedy = std::move(remedy),
                           .program = rewrite([only](std::string_view t) {
                               return restrict_pointers(t, false, only);
                           })});
    };
    add("restrict on all pointers",
        "The compiler has to reckon with buffers that overlap, so loads wait for earlier stores.",
        "Declare pointers that do not overlap as restrict.", {});
    changes.push_back(none);
    const auto pointers =
        pointers_without_restrict(edited_source(site.program), kernels_of(site.plan));
    constexpr std::size_t most = 4;
    if (pointers.size() < 2 || pointers.size() > most) return changes;
    for (const std::string& name : pointers) {
        add(fmt::format("restrict on {}", name),
            fmt::format("The compiler has to reckon with '{}' overlapping other buffers.", name),
            fmt::format("Declare '{}' as restrict where it overlaps nothing.", name), name);
    }
    return changes;
}

Changes read_only_loads(const KnobSite& site) {
    if (passes_one_twice(site)) return {};
    return {{.setting = "restrict on pointers to const",
             .cause = "Inputs are not known to be read only, so they are not loaded through the "
                      "read-only path.",
             .remedy = "Declare inputs as const and restrict.",
             .program = rewrite([](std::string_view t) { return restrict_pointers(t, true); })}};
}

Changes division(const KnobSite&) {
    return {{.setting = "division by native_recip",
             .cause = "A division is rounded exactly by the source's own /, which takes many "
                      "instructions.",
             .remedy = "Write a * native_recip(b), or native_divide(a, b), for a / b." + trade,
             .program = rewrite(divide_by_reciprocals),
             .trade = true}};
}

Changes mathematics(const KnobSite& site) {
    Changes changes{{.setting = "products for small powers",
                     .cause = "pow() with a small whole exponent goes the way of every exponent.",
                     .remedy = "Write x * x for pow(x, 2.0f), and x * x * x for pow(x, 3.0f).",
                     .program = rewrite(powers_as_products)}};
    constexpr std::size_t most = 6;
    for (const std::string& name :
         float_functions(edited_source(site.program), translate_options(site.program))) {
        if (changes.size() > most) break;
        const std::string fast = native_name(name);
        changes.push_back(
            {.setting = fmt::format("{} for {}", fast, name),
             .cause =
                 fmt::format("{}() takes many instructions to be right to the last digits.", name),
             .remedy = fmt::format("Call {}(){}.{}", fast,
                                   fast == "native_powr" ? ", for bases that are not negative" : "",
                                   trade),
             .program = rewrite([name](std::string_view t, const TranslateOptions& options) {
                 return native_function(t, options, name);
             }),
             .trade = true});
    }
    return changes;
}

Changes vector_loads(const KnobSite&) {
    return {{.setting = "four loads as one",
             .cause = "Four neighbouring elements are loaded one by one.",
             .remedy = "Load them through a pointer to float4 or the like, where the address is "
                       "known to be a multiple of the vector's size.",
             .program = rewrite(join_vector_loads),
             .reverse = "a vector's load as four"},
            {.setting = "a vector's load as four",
             .cause = "One load of four elements is slower here than four of one.",
             .remedy = "Load the elements one by one.",
             .program = rewrite(split_vector_loads),
             .reverse = "four loads as one"}};
}

Changes branches(const KnobSite&) {
    return {{.setting = "select for branches",
             .cause = "A branch around an assignment is taken item by item where they do not "
                      "agree.",
             .remedy = "Write x = select(x, a, c) for if (c) x = a.",
             .program = rewrite(select_for_branches)}};
}

Changes other_kernels(const KnobSite& site) {
    if (!only_kernels(edited_source(site.program), kernels_of(site.plan))) return {};
    return {{.setting = "no other kernel in the source",
             .cause = "The kernel's own code is the same: where it lies among the other kernels of "
                      "its file decides.",
             .remedy = "Build the kernel in a program of its own.",
             .lean = true}};
}

Changes unrolling(const KnobSite& site) {
    const std::string whole = edited_source(site.program);
    // Only functions that the launched kernels call count; lines are those of the file.
    const std::string source = only_kernels(whole, kernels_of(site.plan)).value_or(whole);
    const auto change = [&](Unroll what, unsigned factor, std::string setting, std::string cause,
                            const std::string& pragma) {
        return KnobChange{.setting = std::move(setting),
                          .cause = std::move(cause),
                          .remedy = fmt::format("Put {} before {}.", pragma,
                                                loops_at(lines_of_unrolled(source, what, factor))),
                          .program = rewrite([what, factor](std::string_view text) {
                              return unroll_loops(text, what, factor);
                          })};
    };
    Changes changes{
        change(Unroll::asked, 0, "#pragma unroll on innermost loops",
               "Loops are not unrolled that would gain by it.", "#pragma unroll"),
        change(Unroll::silent, 0, "no #pragma unroll",
               "What the source says about unrolling makes the compiler choose worse.", ""),
        change(Unroll::forbidden, 0, "#pragma unroll 1 on all loops", "Loops are unrolled too far.",
               "#pragma unroll 1")};
    changes[1].remedy = "Leave unrolling to the compiler: take the pragma out.";
    for (const unsigned factor : {4u, 8u, 2u}) {
        const std::string pragma = fmt::format("#pragma unroll {}", factor);
        changes.push_back(change(Unroll::asked, factor, pragma + " on innermost loops",
                                 fmt::format("Loops are not unrolled {} times.", factor), pragma));
    }
    return changes;
}

Changes index_width(const KnobSite&) {
    return {{.setting = "32-bit indices",
             .cause = "Indices are calculated with 64 bits, which takes several instructions "
                      "for one.",
             .remedy = "Use uint for indices where 32 bits can count the elements.",
             .program = rewrite(narrow_indices),
             .reverse = "64-bit indices"},
            {.setting = "64-bit indices",
             .cause = "Indices of 32 bits have to be widened for every address.",
             .remedy = "Use size_t for indices.",
             .program = rewrite(widen_indices),
             .reverse = "32-bit indices"}};
}

Changes padding(const KnobSite&) {
    return {{.setting = "one more column in local arrays",
             .cause = "The elements of a column of a local array lie in the same bank, so they "
                      "are read one after the other.",
             .remedy = "Give local arrays a spare column.",
             .program = rewrite(pad_local_arrays)}};
}

Changes group_size_said(const KnobSite& site) {
    const auto launches = launches_of(site.plan);
    return {
        {.setting = "reqd_work_group_size said",
         .cause = "The compiler does not know the work-group size, and holds registers back "
                  "for the largest.",
         .remedy = "Declare the kernel with __attribute__((reqd_work_group_size(x, y, z))).",
         .program = rewrite([launches](std::string_view text) {
             Rewritten all;
             for (const Launch* launch : launches) {
                 const std::string now = all.value_or(std::string(text));
                 if (auto next = require_group_size(now, launch->kernel, launch->geometry.items)) {
                     all = std::move(next);
                 }
             }
             return all;
         })},
        {.setting = "reqd_work_group_size not said",
         .cause = "Knowing the work-group size, the compiler chooses worse.",
         .remedy = "Leave out reqd_work_group_size.",
         .program = rewrite(without_group_size)}};
}

Changes local_kind(const KnobSite& site) {
    const std::vector<std::string> kernels = kernels_of(site.plan);
    if (std::set(kernels.begin(), kernels.end()).size() != 1) return {};
    if (!make_local_dynamic(edited_source(site.program), kernels.front(), site.the_case.type,
                            site.program.constants)) {
        return {};
    }
    return {{.setting = "dynamic local memory",
             .cause = "A local array of a size that is known at compile time.",
             .remedy = "Pass the local array as a parameter.",
             .dynamic_local = kernels.front()}};
}

}  // namespace parallax::text_knobs
