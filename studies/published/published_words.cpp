// Which published figures belong to a case, and how they are said.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/published/published.hpp"

namespace parallax {
namespace {

bool has_each(const std::vector<Constant>& constants, const std::vector<Constant>& wanted) {
    return std::ranges::all_of(wanted, [&](const Constant& constant) {
        return std::ranges::find(constants, constant) != constants.end();
    });
}

/// What one sentence lists: figures that share everything but variant and value.
struct Group {
    const Published* first;
    std::vector<std::string> figures;

    bool takes(const Published& p) const {
        return p.suite == first->suite && p.device == first->device && p.figure == first->figure &&
               p.document == first->document && p.constants == first->constants &&
               p.shape == first->shape;
    }
};

std::string circumstances(const Published& p) {
    std::vector<std::string> words;
    if (!p.shape.empty()) words.push_back(fmt::format("{}", fmt::join(p.shape, "x")));
    for (const Constant& c : p.constants) words.push_back(fmt::format("{}={}", c.name, c.value));
    return words.empty() ? "" : fmt::format(" with {}", fmt::join(words, ", "));
}

}  // namespace

std::string reference_of(const Document& document) {
    return fmt::format("{}, {}, {}", document.author, document.title,
                       document.date.empty() ? "no date" : document.date);
}

std::vector<const Published*> published_for(std::string_view suite, std::string_view variant,
                                            const std::vector<Constant>& constants,
                                            const std::vector<std::uint64_t>& shape) {
    std::vector<const Published*> found;
    if (suite.empty()) return found;
    for (const Published& p : published()) {
        if (p.suite == suite && p.variant == variant && has_each(constants, p.constants) &&
            (p.shape.empty() || shape.empty() || p.shape == shape)) {
            found.push_back(&p);
        }
    }
    return found;
}

std::string text_of(const Published& p) {
    switch (p.unit) {
        case Unit::milliseconds: return fmt::format("{} ms", p.value);
        case Unit::gigabytes_per_second: return fmt::format("{} GB/s", p.value);
        case Unit::gigaflops: {
            // The documents write 26.0 beside 23.3.
            return p.value < 1 ? fmt::format("{} GFLOP/s", p.value)
                               : fmt::format("{:.1f} GFLOP/s", p.value);
        }
        case Unit::times_slower: {
            std::vector<std::string> words;
            for (const Constant& c : p.against) {
                words.push_back(fmt::format("{}={}", c.name, c.value));
            }
            return fmt::format("{} times slower than with {}", p.value, fmt::join(words, ", "));
        }
        case Unit::times_faster: return fmt::format("{} times", p.value);
        case Unit::percent: return fmt::format("{} %", p.value);
        case Unit::items: return fmt::format("{} work-items", p.value);
    }
    return {};
}

std::vector<std::string> published_sentences(const std::vector<ReportedCase>& cases) {
    std::vector<Group> groups;
    std::vector<const Published*> said;
    for (const ReportedCase& c : cases) {
        for (const Published* p : published_for(c.suite, c.variant, c.constants, c.shape)) {
            if (std::ranges::find(said, p) != said.end()) continue;
            said.push_back(p);
            auto group = std::ranges::find_if(groups, [&](const Group& g) { return g.takes(*p); });
            if (group == groups.end()) group = groups.insert(groups.end(), {p, {}});
            group->figures.push_back(p->variant + " " + text_of(*p));
        }
    }
    std::vector<std::string> sentences;
    for (const Group& group : groups) {
        const Published& p = *group.first;
        sentences.push_back(
            fmt::format("{}: {}{}{}{} ({}).", p.suite, fmt::join(group.figures, ", "),
                        p.figure.empty() ? "" : ", " + p.figure, circumstances(p),
                        p.device.empty() ? " on a GPU that is not named" : " on " + p.device,
                        reference_of(*p.document)));
    }
    return sentences;
}

}  // namespace parallax
