// Knobs that change the source for both compilers.
#include "studies/explain/text_knobs.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/translate/translate.hpp"
#include "studies/explain/rewrite.hpp"
#include "studies/explain/source_hunks.hpp"

namespace parallax::text_knobs {
namespace {

/// A change of a source in this language.
std::function<void(Program&)> rewrite(SourceLanguage language,
                                      std::function<Rewritten(const SourceToChange&)> how) {
    return [how = std::move(how), language](Program& program) {
        // Requested edits are applied before the rewrite.
        program.source = edited_source(program);
        program.edits.clear();
        Rewritten text;
        try {
            text = how({program.source, language});
        } catch (const Refused&) {
            // C++ that is not read so far, as raw strings
        }
        if (!text) return;
        program.source = std::move(*text);
        program.written.reset();  // without the change
    };
}

/// The same, where types have to be known: of OpenCL C.
std::function<void(Program&)> rewrite(
    std::function<Rewritten(std::string_view, const TranslateOptions&)> how) {
    return [how = std::move(how)](Program& program) {
        const TranslateOptions options = translate_options(program);
        rewrite(SourceLanguage::opencl,
                [&](const SourceToChange& text) { return how(text.source, options); })(program);
    };
}

bool is_cuda(const KnobSite& site) {
    return source_language(site) == SourceLanguage::cuda;
}

/// A source in this side's language, and the names of its launched kernels.
struct SourceOfOther {
    std::string source;
    std::vector<std::string> kernels;
};

/// Its macros, as NVRTC is given them.
std::vector<Define> macros_of(const Program& program) {
    std::vector<Define> macros = program.defines;
    for (const Constant& one : program.constants) {
        macros.push_back({one.name, std::to_string(one.value)});
    }
    for (const std::string& option : program.options) {
        if (!option.starts_with("-D")) continue;
        const std::size_t equals = std::min(option.find('='), option.size());
        macros.push_back({option.substr(2, equals - 2),
                          equals < option.size() ? option.substr(equals + 1) : "1"});
    }
    return macros;
}

/// The other side's; empty: both have one source, or it has no translation.
SourceOfOther source_of_other(const KnobSite& site) {
    const Program& other = *site.other_program;
    SourceOfOther made{edited_source(other), kernels_of(*site.other_plan)};
    if (other.language != Language::portable && other.language != Language::native) return {};
    const bool is_cuda_here = is_cuda(site),
               is_cuda_there = other.language == Language::native && site.other_backend != "opencl";
    if (is_cuda_here == is_cuda_there) {
        return made.source == edited_source(site.program) ? SourceOfOther() : made;
    }
    if (other.language == Language::portable) {
        made.source = to_cuda(other.name, made.source, translate_options(other)).body;
        return made;
    }
    OpenClTranslation translation =
        to_opencl(other.name, made.source, {.defines = macros_of(other), .kernels = made.kernels},
                  false, from_cuda::Dialect::nvidia);
    for (std::string& kernel : made.kernels) {
        for (const auto& [cuda, opencl] : translation.kernels) {
            if (plain_name(cuda) == plain_name(kernel)) kernel = opencl;
        }
    }
    made.source = std::move(translation.text);
    return made;
}

/// They are asked for at every turn of a search, and clang may have to read a source.
const SourceDifferences& differences(const KnobSite& site) {
    constexpr std::size_t most = 12;
    static std::mutex mutex;
    static std::map<std::string, SourceDifferences> known;
    const std::scoped_lock lock(mutex);
    const auto [found, is_new] = known.try_emplace(
        fmt::format("{} {} {} {}", digest_of(site.program), site.device.backend,
                    digest_of(*site.other_program), fmt::join(kernels_of(site.plan), " ")));
    if (!is_new) return found->second;
    try {
        const SourceOfOther other = source_of_other(site);
        if (other.source.empty()) return found->second;
        const std::string own = edited_source(site.program);
        const SourceToChange mine(own, source_language(site)),
            theirs(other.source, source_language(site));
        found->second =
            source_differences(mine, kernels_of(site.plan), theirs, other.kernels, most);
    } catch (const Interrupted&) {
        throw;
    } catch (const Error&) {
        // A source without a translation has nothing to take over.
    }
    return found->second;
}

/// Words of a source in a sentence: on one line, and not too many.
std::string in_quotes(std::string_view words) {
    constexpr std::size_t most = 48;
    std::string line;
    for (const char c : words) {
        const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!is_blank || (!line.empty() && line.back() != ' ')) line += is_blank ? ' ' : c;
    }
    if (line.ends_with(' ')) line.pop_back();
    if (line.size() > most) line = line.substr(0, most) + " ...";
    return fmt::format("'{}'", line);
}

/// `restrict` as the source's language has it.
const char* restrict_word(const KnobSite& site) {
    return is_cuda(site) ? "__restrict__" : "restrict";
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

SourceLanguage source_language(const KnobSite& site) {
    const bool is_own = site.program.language == Language::native;
    return is_own && site.device.backend != "opencl" ? SourceLanguage::cuda
                                                     : SourceLanguage::opencl;
}

Changes other_source(const KnobSite& site) {
    if (!site.other_program || !site.other_plan) return {};
    const auto taken = [](std::string source) {
        return [source = std::move(source)](Program& program) {
            program.source = source;
            program.edits.clear();
            program.written.reset();
        };
    };
    Changes changes;
    const SourceDifferences& found = differences(site);
    for (const SourceHunk& hunk : found.hunks) {
        const std::string where = hunk.places == 1
                                      ? fmt::format("line {}", hunk.line)
                                      : fmt::format("line {} and {} other place{}", hunk.line,
                                                    hunk.places - 1, hunk.places == 2 ? "" : "s");
        const std::string own = in_quotes(hunk.own), other = in_quotes(hunk.other);
        changes.push_back(
            {.setting = fmt::format("{} for {} in line {}", hunk.other.empty() ? "nothing" : other,
                                    hunk.own.empty() ? "nothing" : own, hunk.line),
             .cause = hunk.own.empty()
                          ? fmt::format("Only the other source has {}, at {}.", other, where)
                      : hunk.other.empty()
                          ? fmt::format("Only this source has {}, in {}.", own, where)
                          : fmt::format("In {} this source has {}, and the other one {}.", where,
                                        own, other),
             .remedy = hunk.own.empty() ? fmt::format("Write {} at {}.", other, where)
                       : hunk.other.empty()
                           ? fmt::format("Take out {} in {}.", own, where)
                           : fmt::format("Write {} for {} in {}.", other, own, where),
             .program = taken(hunk.changed),
             .is_seen = true});
    }
    if (found.hunks.size() > 1 && found.all) {
        changes.push_back({.setting = "the other source's body",
                           .cause =
                               "The two sources differ in more than one place, and all of them "
                               "together make the difference.",
                           .remedy = "Write the kernel as the other source has it.",
                           .program = taken(*found.all),
                           .is_seen = true});
    }
    return changes;
}

Changes alignment(const KnobSite& site) {
    KnobChange change{
        .setting = "aligned(16)",
        .cause =
            "Local arrays are not known to start at a multiple of 16 bytes, so loads of "
            "neighbouring elements cannot be merged into one wide load.",
        .remedy = fmt::format("Declare local arrays with {}.",
                              is_cuda(site) ? "__align__(16)" : "__attribute__((aligned(16)))")};
    for (const Constant& constant : site.program.constants) {
        if (constant.name != "ALIGN") continue;
        if (constant.value >= 16) return {};
        change.setting = "ALIGN=16";
        change.constants = {{"ALIGN", 16}};
        return {change};
    }
    change.program = rewrite(source_language(site), [](const SourceToChange& text) {
        return align_local_arrays(text, 16);
    });
    return {change};
}

Changes doubles(const KnobSite& site) {
    if (site.program.type == ElementType::f64) return {};
    return {{.setting = "float literals",
             .cause = "Literals without f, or variables of type double, pull float arithmetic up "
                      "to double.",
             .remedy = "Write 1.0f for 1.0, and float for double.",
             .program = rewrite(source_language(site), without_doubles)}};
}

Changes volatility(const KnobSite& site) {
    Changes changes{{.setting = "no volatile",
                     .cause = "volatile forces every access to memory, one at a time.",
                     .remedy = "Take out volatile; synchronise with barriers instead.",
                     .program = rewrite(source_language(site), [](const SourceToChange& text) {
                         return without_volatile(text);
                     })}};
    const std::string source = edited_source(site.program);
    const SourceToChange text(source, source_language(site));
    const Rewritten temporaries = without_volatile(text, true);
    if (!temporaries) return changes;
    KnobChange alone{
        .setting = "no volatile temporaries",
        .cause =
            "A variable that no other item can see is volatile, so compilers may keep it in "
            "memory and not in a register.",
        .remedy = "Take volatile away from the kernel's own variables.",
        .program = rewrite(source_language(site), [](const SourceToChange& given) {
            return without_volatile(given, true);
        })};
    if (temporaries == without_volatile(text)) return {alone};
    changes.insert(changes.begin(), alone);
    return changes;
}

Changes aliasing(const KnobSite& site) {
    const KnobChange none{.setting = "no restrict",
                          .cause = "With restrict the compiler chooses worse.",
                          .remedy = "Leave out restrict.",
                          .program = rewrite(source_language(site), without_restrict)};
    if (passes_one_twice(site)) return {none};
    Changes changes;
    const auto add = [&](std::string setting, std::string cause, std::string remedy,
                         const std::string& only) {
        changes.push_back(
            {.setting = std::move(setting),
             .cause = std::move(cause),
             .remedy = std::move(remedy),
             .program = rewrite(source_language(site), [only](const SourceToChange& t) {
                 return restrict_pointers(t, false, only);
             })});
    };
    add("restrict on all pointers",
        "The compiler has to reckon with buffers that overlap, so loads wait for earlier stores.",
        fmt::format("Declare pointers that do not overlap as {}.", restrict_word(site)), {});
    changes.push_back(none);
    const std::string source = edited_source(site.program);
    const auto pointers =
        pointers_without_restrict({source, source_language(site)}, kernels_of(site.plan));
    constexpr std::size_t most = 4;
    if (pointers.size() < 2 || pointers.size() > most) return changes;
    for (const std::string& name : pointers) {
        add(fmt::format("restrict on {}", name),
            fmt::format("The compiler has to reckon with '{}' overlapping other buffers.", name),
            fmt::format("Declare '{}' as {} where it overlaps nothing.", name, restrict_word(site)),
            name);
    }
    return changes;
}

Changes read_only_loads(const KnobSite& site) {
    if (passes_one_twice(site)) return {};
    return {{.setting = "restrict on pointers to const",
             .cause = "Inputs are not known to be read only, so they are not loaded through the "
                      "read-only path.",
             .remedy = fmt::format("Declare inputs as const and {}.", restrict_word(site)),
             .program = rewrite(source_language(site), [](const SourceToChange& text) {
                 return restrict_pointers(text, true);
             })}};
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
    constexpr std::size_t most = 6;
    if (is_cuda(site)) {
        Changes changes;
        for (const std::string& name : cuda_float_functions(edited_source(site.program))) {
            if (changes.size() == most) break;
            changes.push_back(
                {.setting = fmt::format("__{0} for {0}", name),
                 .cause = fmt::format(
                     "{}() takes many instructions to be right to the last digits.", name),
                 .remedy = fmt::format("Call __{}().{}", name, trade),
                 .program = rewrite(SourceLanguage::cuda,
                                    [name](const SourceToChange& text) {
                                        return cuda_fast_function(text.source, name);
                                    }),
                 .trade = true});
        }
        return changes;
    }
    Changes changes{{.setting = "products for small powers",
                     .cause = "pow() with a small whole exponent goes the way of every exponent.",
                     .remedy = "Write x * x for pow(x, 2.0f), and x * x * x for pow(x, 3.0f).",
                     .program = rewrite(powers_as_products)}};
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

Changes sums_by_exchange(const KnobSite& site) {
    if (site.device.backend != "opencl" || !site.device.has("ptx")) return {};
    return {{.setting = "an atomic addition for a loop of compare-and-exchange",
             .cause = "A float is added to memory by a loop of compare-and-exchange, which every "
                      "item that comes in between sends round again. CUDA has atomicAdd().",
             .remedy = "Add by inline PTX (red.global.add.f32) in place of the loop; or add up "
                       "within the group first, and once a group to memory.",
             .program = rewrite(sums_at_once),
             .is_seen = std::ranges::none_of(site.other, [](const auto& one) {
                 return one.second->ptx.find(".cas.") != std::string::npos;
             })}};
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
    const SourceLanguage language = source_language(site);
    const std::string source =
        is_cuda(site) ? whole : only_kernels(whole, kernels_of(site.plan)).value_or(whole);
    const auto change = [&](Unroll what, unsigned factor, std::string setting, std::string cause,
                            const std::string& pragma) {
        return KnobChange{
            .setting = std::move(setting),
            .cause = std::move(cause),
            .remedy = fmt::format("Put {} before {}.", pragma,
                                  loops_at(lines_of_unrolled({source, language}, what, factor))),
            .program = rewrite(language, [what, factor](const SourceToChange& text) {
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

Changes index_width(const KnobSite& site) {
    return {{.setting = "32-bit indices",
             .cause = "Indices are calculated with 64 bits, which takes several instructions "
                      "for one.",
             .remedy = fmt::format("Use {} for indices where 32 bits can count the elements.",
                                   is_cuda(site) ? "unsigned int" : "uint"),
             .program = rewrite(source_language(site), narrow_indices),
             .reverse = "64-bit indices"},
            {.setting = "64-bit indices",
             .cause = "Indices of 32 bits have to be widened for every address.",
             .remedy = "Use size_t for indices.",
             .program = rewrite(source_language(site), widen_indices),
             .reverse = "32-bit indices"}};
}

Changes padding(const KnobSite& site) {
    return {{.setting = "one more column in local arrays",
             .cause = "The elements of a column of a local array lie in the same bank, so they "
                      "are read one after the other.",
             .remedy = "Give local arrays a spare column.",
             .program = rewrite(source_language(site), pad_local_arrays)}};
}

Changes group_size_said(const KnobSite& site) {
    const auto launches = launches_of(site.plan);
    const char* const word = is_cuda(site) ? "__launch_bounds__" : "reqd_work_group_size";
    return {
        {.setting = fmt::format("{} said", word),
         .cause = "The compiler does not know the work-group size, and holds registers back "
                  "for the largest.",
         .remedy = is_cuda(site)
                       ? "Declare the kernel with __launch_bounds__(threads)."
                       : "Declare the kernel with __attribute__((reqd_work_group_size(x, y, z))).",
         .alike = "work-group size said",
         .program = rewrite(source_language(site),
                            [launches](const SourceToChange& text) {
                                Rewritten all;
                                for (const Launch* launch : launches) {
                                    const std::string now = all.value_or(std::string(text.source));
                                    if (auto next =
                                            require_group_size({now, text.language}, launch->kernel,
                                                               launch->geometry.items)) {
                                        all = std::move(next);
                                    }
                                }
                                return all;
                            })},
        {.setting = fmt::format("{} not said", word),
         .cause = "Knowing the work-group size, the compiler chooses worse.",
         .remedy = fmt::format("Leave out {}.", word),
         .alike = "work-group size not said",
         .program = rewrite(source_language(site), without_group_size)}};
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
