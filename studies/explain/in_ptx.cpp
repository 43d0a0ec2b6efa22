// Differences between the PTX of two sides, in sentences.
#include "studies/explain/in_ptx.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text_lines.hpp"
#include "studies/explain/evidence.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/instructions.hpp"

namespace parallax {
namespace {

/// The first kernel whose PTX is known of both sides and differs.
Both<const KernelEvidence*> differing(const Explanation& e) {
    for (const KernelEvidence& a : e.evidence.a) {
        const auto b = std::ranges::find(e.evidence.b, a.kernel, &KernelEvidence::kernel);
        if (b == e.evidence.b.end() || !a.ptx || !b->ptx || a.ptx_text == b->ptx_text) continue;
        return {&a, &*b};
    }
    return {};
}

std::string instruction(const std::vector<std::string_view>& lines, std::size_t place) {
    return place < lines.size() ? fmt::format("`{}`", lines[place]) : "nothing more";
}

}  // namespace

std::string counts_in_ptx(const Explanation& e) {
    const auto kernel = differing(e);
    if (!kernel.a) return {};
    const InstructionMix &a = *kernel.a->ptx, &b = *kernel.b->ptx;
    std::vector<std::string> counts{fmt::format("instructions {} and {}", a.total(), b.total())};
    for (const InstructionClass one : moved_classes(a, b)) {
        counts.push_back(fmt::format("{} {} and {}", name_of(one), a[one], b[one]));
    }
    const Both<std::string> names = short_names(e);
    return fmt::format("In the PTX of '{}', {} first and {} second: {}.", kernel.a->kernel, names.a,
                       names.b, fmt::join(counts, ", "));
}

std::string difference_in_ptx(const Explanation& e, bool is_b, std::string_view lines_of,
                              std::string_view file) {
    const auto kernel = differing(e);
    if (!kernel.a) return {};
    const auto a = parallax::lines_of(kernel.a->ptx_text),
               b = parallax::lines_of(kernel.b->ptx_text);
    const std::size_t place = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    std::vector<unsigned> sources;
    const std::string with_lines = normalised_ptx(lines_of, kernel.a->kernel, &sources);
    // Code without a line of its own belongs to the line before it.
    std::size_t known = place < sources.size() ? place + 1 : sources.size();
    while (known > 0 && sources[known - 1] == 0) --known;
    const bool same_code = with_lines == kernel.of(is_b)->ptx_text;
    const Both<std::string> names = short_names(e);
    return fmt::format("{} They first differ {}: {} has {}, {} has {}.", counts_in_ptx(e),
                       same_code && known > 0
                           ? fmt::format("at line {} of {}", sources[known - 1], file)
                           : fmt::format("at line {} of the PTX below", place + 1),
                       names.a, instruction(a, place), names.b, instruction(b, place));
}

}  // namespace parallax
