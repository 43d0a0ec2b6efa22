// What the records of experiments tell about published claims that do not hold today.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"
#include "studies/published/then_and_now.hpp"

namespace parallax {
namespace {

// Shares from which on a limit is what counts.
constexpr double nearly_all = 0.95;  // and as far above all
constexpr double most_of_it = 0.8;

/// Sentences about one experiment at one place.
class Finder {
public:
    Finder(const Experiment& experiment, const Today& today, const DeviceAndApi& place)
        : today_(today), place_(place) {
        for (const Evidence& e : experiment.evidence) {
            together_.push_back(case_named(e.of));
            if (!e.fast.empty()) together_.push_back(case_named(e.fast));
        }
    }

    /// A sentence without its full stop; nothing: a record is missing.
    std::optional<std::string> finding(const Evidence& e) const {
        using enum Evidence::Kind;
        const Record* of = measured(case_named(e.of), together_);
        if (of == nullptr) return {};
        const std::string name = name_for(e.of, *of);
        switch (e.kind) {
            case asked_by_byte: return asked(of->bytes_per_second() * e.number, name, e);
            case asked_by_operation: return asked(of->operations_per_second() * e.number, name, e);
            case share: return share_of(*of, name);
            case launches: return launching(*of, name, e);
            case step: return gained(e, name);
        }
        return {};
    }

private:
    static std::string name_for(const std::string& words, const Record& record) {
        CaseKey c = case_named(words);
        c.shape = record.key.shape;
        return words_of(c);
    }

    const Record* measured(const CaseKey& c, std::span<const CaseKey> together) const {
        const Record* best = today_.best(c, place_, together);
        return best && best->timing ? best : nullptr;
    }

    const Record* ceiling(const char* variant) const {
        const CaseKey c{"ceiling", variant};
        return measured(c, {&c, 1});
    }

    std::optional<std::string> asked(double wanted, const std::string& name,
                                     const Evidence& e) const {
        const Record* copy = ceiling("copy");
        if (!copy || copy->work.bytes <= 0 || wanted <= 0) return {};
        const double moved = copy->bytes_per_second();
        const std::string limit = wanted <= moved
                                      ? "memory could deliver all of it"
                                      : fmt::format("at least {:.0f} % of it comes out of caches",
                                                    100 * (1 - moved / wanted));
        return fmt::format("{} asks for {} ({}), a copy moves {}: {}", name, rate(wanted, "B"),
                           e.because, rate(moved, "B"), limit);
    }

    std::optional<std::string> share_of(const Record& of, const std::string& name) const {
        const Record* copy = ceiling("copy");
        if (!copy || copy->work.bytes <= 0 || of.work.bytes <= 0) return {};
        const double moved = of.bytes_per_second() / copy->bytes_per_second();
        return fmt::format("{} moves {}, {:.0f} % of what a copy moves{}", name,
                           rate(of.bytes_per_second(), "B"), 100 * moved,
                           moved > 2 - nearly_all ? ": that copy is not its limit"
                           : moved >= nearly_all  ? ": nothing is left to gain"
                                                  : "");
    }

    std::optional<std::string> launching(const Record& of, const std::string& name,
                                         const Evidence& e) const {
        const Record* launch = ceiling("launch");
        if (launch == nullptr) return {};
        const double taken = e.number * launch->seconds();
        return fmt::format(
            "{} takes {}, {:.0f} empty launches take {}{}", name, duration(of.seconds()), e.number,
            duration(taken),
            taken >= most_of_it * of.seconds() ? ": launching is what takes the time" : "");
    }

    std::optional<std::string> gained(const Evidence& e, const std::string& name) const {
        const CaseKey slow = case_named(e.of), fast = case_named(e.fast);
        const auto times = today_.faster(slow, fast, place_, together_);
        if (!times) return {};
        return fmt::format("{} is {:.2f} times as fast as {}{}",
                           name_for(e.fast, *measured(fast, together_)), *times, name,
                           e.because.empty() ? "" : fmt::format(" ({})", e.because));
    }

    const Today& today_;
    const DeviceAndApi& place_;
    std::vector<CaseKey> together_;
};

}  // namespace

std::vector<std::string> reasons_for(const ThenAndNow& view, const Today& today) {
    std::vector<std::string> sentences;
    for (const Experiment& experiment : experiments()) {
        std::vector<std::string> found, missing;
        for (std::size_t i = 0; i < view.places.size(); ++i) {
            const bool is_open = std::ranges::any_of(view.lines, [&](const ThenNowLine& line) {
                const auto& kept = line.now[i].kept;
                return kept && kept != Kept::kept && kept != Kept::smaller &&
                       std::ranges::find(experiment.claims, line.claim->name) !=
                           experiment.claims.end();
            });
            if (!is_open) continue;
            const Finder finder(experiment, today, view.places[i]);
            std::vector<std::string> texts;
            for (const Evidence& e : experiment.evidence) {
                if (auto text = finder.finding(e)) texts.push_back(std::move(*text));
            }
            const std::string place = view.places[i].title();
            if (texts.size() < experiment.evidence.size()) missing.push_back(place);
            if (!texts.empty()) {
                found.push_back(fmt::format(" On {}: {}.", place, fmt::join(texts, "; ")));
            }
        }
        if (found.empty() && missing.empty()) continue;
        std::string sentence = fmt::format("{}{}", experiment.question, fmt::join(found, ""));
        if (!missing.empty()) {
            sentence += fmt::format(" '{}' makes the records that are missing on {}.",
                                    experiment.command, fmt::join(missing, " and on "));
        }
        sentences.push_back(std::move(sentence));
    }
    return sentences;
}

}  // namespace parallax
