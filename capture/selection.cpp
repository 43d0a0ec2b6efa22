// Selects the launches to keep: the first of each kind, those that take most of the time, and some
// later ones.
#include <algorithm>

#include <fmt/format.h>

#include "capture/state.hpp"

namespace parallax::capture {
namespace {

/// Maximum number of kinds per kernel; further ones are counted with the kernel only.
constexpr std::size_t most_kinds = 64;
/// A late case is kept at this launch of its kernel, and then each time that the number of launches
/// has been multiplied by `factor`.
constexpr std::uint64_t first_late = 8, factor = 4;
constexpr std::ptrdiff_t most_late = 2;

/// Seconds of keeping after which large contents of further kinds are too much.
constexpr double most_seconds = 2;

/// Whether a launch may be kept in addition to the first ones: its contents are small, or keeping
/// has taken little of the program's time so far.
bool is_cheap(std::uint64_t bytes) {
    constexpr std::uint64_t small = std::uint64_t{16} << 20;
    constexpr double share = 0.05;
    const State& s = state();
    return bytes <= small || s.snapshot_seconds < share * seconds_since(s.start);
}

double seconds_of(const Kind& kind) {
    double all = kind.sum.seconds;
    for (const Sum* other : kind.others) all += other->seconds;
    return all;
}

using Cases = std::vector<std::shared_ptr<Kind>>;

/// The case with the least time, except for the first one and late ones.
Cases::iterator lightest(Cases& cases) {
    auto found = cases.end();
    for (auto one = cases.begin(); one != cases.end(); ++one) {
        if (one == cases.begin() || (*one)->is_late) continue;
        if (found == cases.end() || seconds_of(**one) < seconds_of(**found)) found = one;
    }
    return found;
}

/// The case to be replaced; none while there is room.
Cases::iterator to_give_way(Cases& cases, const Kind& next) {
    const auto is_late = [](const std::shared_ptr<Kind>& one) { return one->is_late; };
    const auto late = std::ranges::count_if(cases, is_late);
    if (next.is_late && late == most_late) return std::ranges::find_if(cases, is_late);
    if (cases.size() < state().settings.per_kernel) return cases.end();
    const auto light = lightest(cases);
    return light != cases.end() ? light : std::ranges::find_if(cases, is_late);
}

/// Its launches count for `to` from now on.
void join(Kind& to, const Kind& from) {
    to.others.push_back(&from.sum);
    to.others.insert(to.others.end(), from.others.begin(), from.others.end());
}

void remove_case(Tally& tally, Cases::iterator place) {
    State& s = state();
    const std::shared_ptr<Kind> gone = *place;
    s.refused_bytes = State::none_refused;  // there is room again
    tally.cases.erase(place);
    std::error_code error;
    std::filesystem::remove(s.store->folder() / (gone->name + ".json"), error);
    s.store->drop(gone->files);
    gone->name.clear();
    gone->files.clear();
    gone->why_not = "others of the kernel, of more time or from further on, were kept in its place";
    std::shared_ptr<Kind>& now = tally.kinds[gone->key];
    if (now && now != gone) join(*now, *gone);
}

}  // namespace

std::shared_ptr<Tally> tally_of(const std::string& kernel, const std::string& program,
                                const std::string& options) {
    auto& tally = state().tallies[program + ' ' + kernel];
    if (!tally) {
        tally = std::make_shared<Tally>();
        tally->kernel = kernel;
        tally->options = options;
        tally->program = program;
    }
    return tally;
}

std::shared_ptr<Kind> choose_kind(Tally& tally, const std::string& key) {
    const auto known = tally.kinds.find(key);
    if (known != tally.kinds.end()) return known->second;
    if (tally.kinds.size() >= most_kinds) return nullptr;
    auto kind = std::make_shared<Kind>();
    kind->key = key;
    tally.kinds[key] = kind;
    return kind;
}

std::shared_ptr<Kind> late_kind(const Tally& tally, const std::string& key, std::uint64_t bytes) {
    const std::uint64_t next = std::max(tally.next_late, first_late);
    if (state().settings.per_kernel < 2 || tally.cases.empty() || tally.sum.count + 1 < next ||
        bytes >= state().refused_bytes || !is_cheap(bytes)) {
        return nullptr;
    }
    auto kind = std::make_shared<Kind>();
    kind->key = key;
    kind->is_late = true;
    return kind;
}

std::string why_not_kept(Tally& tally, const Kind& kind, std::uint64_t bytes) {
    const bool is_known = std::ranges::any_of(
        tally.cases, [&](const std::shared_ptr<Kind>& one) { return one->form == kind.form; });
    // Reading them again would end as the last time.
    if (bytes >= state().refused_bytes) return Store::too_much;
    if (is_known && !is_cheap(bytes))
        return "more than 16 MiB of contents, and another was kept that differs in values alone";
    if (!tally.cases.empty() && state().snapshot_seconds > most_seconds && !is_cheap(bytes))
        return "more than 16 MiB of contents, and keeping others took more than 2 s";
    if (tally.cases.size() < state().settings.per_kernel) return {};
    const auto light = lightest(tally.cases);
    if (light != tally.cases.end() && seconds_of(kind) > 2 * seconds_of(**light) &&
        is_cheap(bytes)) {
        return {};
    }
    return fmt::format("{} others of the kernel were kept (--per-kernel)", tally.cases.size());
}

bool is_kept_already(const Tally& tally, const Kind& kind, const std::vector<std::string>& before) {
    return std::ranges::any_of(tally.cases, [&](const std::shared_ptr<Kind>& one) {
        return one->key == kind.key && one->before == before;
    });
}

void keep_case(Tally& tally, const std::shared_ptr<Kind>& kind) {
    state().store->hold(kind->files);
    if (const auto place = to_give_way(tally.cases, *kind); place != tally.cases.end()) {
        remove_case(tally, place);
    }
    std::shared_ptr<Kind>& now = tally.kinds[kind->key];
    if (now && now != kind && now->name.empty()) join(*kind, *now);
    now = kind;
    tally.cases.push_back(kind);
    if (kind->is_late) tally.next_late = factor * tally.sum.count;
}

void give_up_late(Tally& tally, const Kind& kind) {
    const auto now = tally.kinds.find(kind.key);
    if (now != tally.kinds.end()) join(*now->second, kind);
    tally.next_late = factor * tally.sum.count;
}

}  // namespace parallax::capture
