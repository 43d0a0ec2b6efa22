// Aligns two PTX texts by what work-items do in them, and counts what differs.
#include "studies/explain/ptx_groups.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace parallax {
namespace {

/// More blocks have more pairs than there is time to look at.
constexpr std::size_t most_blocks = 250;

using EffectKey = std::vector<std::uint64_t>;

/// How much was stored when items entered and left the region.
EffectKey effect_key(const FollowedPtx& x, const PtxEvents& events) {
    EffectKey key;
    for (const auto* places : {&events.entries, &events.exits}) {
        key.push_back(places->size());
        for (const auto& [walk, visit] : *places) {
            key.push_back(walk);
            key.push_back(x.walks[walk].log[visit].effects);
        }
    }
    return key;
}

/// An opcode without what says the same in other words.
std::string plain_name(std::string_view name) {
    std::string plain;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        std::string part(name.substr(begin, end - begin));
        if (part.size() > 1 && (part[0] == 's' || part[0] == 'u' || part[0] == 'b') &&
            part.find_first_not_of("0123456789", 1) == part.npos) {
            part[0] = 'i';
        }
        if (part != "rn") plain += (plain.empty() ? "" : ".") + part;
        begin = end + 1;
    }
    return plain;
}

/// What a region's items execute, by opcode and by kind, an item.
std::map<std::string, double> executed(const FollowedPtx& x, const PtxRegion& region,
                                       PtxCounts& kinds) {
    std::map<std::string, double> names;
    for (std::size_t b = 0; b < x.program.blocks.size(); ++b) {
        if (!region.inside[b]) continue;
        const double runs = x.visits(b) / static_cast<double>(x.walks.size());
        const PtxBlock& block = x.program.blocks[b];
        for (std::size_t i = block.first; i < block.last; ++i) {
            const PtxKind kind = x.program.kinds[i];
            if (kind == PtxKind::count_ || runs == 0) continue;
            kinds[static_cast<std::size_t>(kind)] += runs;
            names[plain_name(x.program.code[i].statement->name)] += runs;
        }
    }
    return names;
}

using Executed = std::map<std::string, double>;

/// How many more of each `a` has.
Executed difference_of(Executed a, const Executed& b) {
    for (const auto& [name, count] : b) a[name] -= count;
    return a;
}

/// Bytes that items load in the region, as far as they were seen, and in all.
std::pair<std::uint64_t, std::uint64_t> loaded_in(const FollowedPtx& x, const PtxEvents& events) {
    std::uint64_t inside = 0, all = 0;
    for (const auto& [walk, visit] : events.exits) inside += x.walks[walk].log[visit].loaded;
    for (const auto& [walk, visit] : events.entries) {
        // An item may end in the region, or not be followed so far.
        const bool leaves = std::ranges::any_of(events.exits, [&](const PtxEvents::Place& exit) {
            return exit.walk == walk && exit.visit > visit;
        });
        if (leaves) inside -= x.walks[walk].log[visit].loaded;
    }
    for (const PtxWalk& walk : x.walks) all += walk.loaded;
    return {inside, all};
}

bool has_loop(const FollowedPtx& x, const PtxRegion& region) {
    for (std::size_t b = 0; b < region.inside.size(); ++b) {
        if (!region.inside[b]) continue;
        const int to = x.program.blocks[b].branch;
        if (to >= 0 && static_cast<std::size_t>(to) <= b &&
            region.inside[static_cast<std::size_t>(to)])
            return true;
    }
    return false;
}

std::size_t blocks_in(const PtxRegion& region) {
    return static_cast<std::size_t>(std::ranges::count(region.inside, true));
}

}  // namespace

double FollowedPtx::visits(std::size_t block) const {
    double sum = 0;
    for (const PtxWalk& walk : walks) sum += walk.visits[block];
    return sum;
}

void follow(FollowedPtx& x, const PtxLaunch& launch) {
    const auto within = [](const Size& wanted, const Size& size) {
        return Size{wanted.x % size.x, wanted.y % size.y, wanted.z % size.z};
    };
    const Size middle{launch.groups.x / 2, launch.groups.y / 2, launch.groups.z / 2};
    // The first item often has a part of its own; numbers that differ tell values apart.
    const std::array<std::pair<Size, Size>, 3> chosen{
        {{{}, {}}, {{5, 3, 2}, {2, 1, 1}}, {{13, 6, 3}, middle}}};
    for (const auto& [place, group] : chosen) {
        x.walks.push_back(
            walk(x.program, launch, within(place, launch.items), within(group, launch.groups)));
    }
    x.live = x.program.live_at_begin();
}

std::vector<PtxRegion> regions_of(const FollowedPtx& x) {
    const auto& blocks = x.program.blocks;
    std::vector<PtxRegion> found;
    if (blocks.size() > most_blocks) return found;
    std::vector<std::vector<int>> before(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (const int to : {blocks[b].branch, blocks[b].next}) {
            if (to >= 0) before[static_cast<std::size_t>(to)].push_back(static_cast<int>(b));
        }
    }
    for (std::size_t head = 0; head < blocks.size(); ++head) {
        if (x.visits(head) == 0) continue;
        for (std::size_t exit = 0; exit < blocks.size(); ++exit) {
            if (exit == head || x.visits(exit) == 0) continue;
            PtxRegion region{static_cast<int>(head), static_cast<int>(exit),
                             std::vector<bool>(blocks.size())};
            std::vector<std::size_t> open{head};
            region.inside[head] = true;
            bool leaves = false;
            while (!open.empty()) {
                const PtxBlock& block = blocks[open.back()];
                open.pop_back();
                for (const int to : {block.branch, block.next}) {
                    if (to < 0) continue;
                    const auto next = static_cast<std::size_t>(to);
                    leaves = leaves || next == exit;
                    if (next == exit || region.inside[next]) continue;
                    region.inside[next] = true;
                    open.push_back(next);
                }
            }
            bool single = leaves;
            for (std::size_t b = 0; b < blocks.size() && single; ++b) {
                if (!region.inside[b] || b == head) continue;
                single = std::ranges::all_of(before[b], [&](int from) {
                    return region.inside[static_cast<std::size_t>(from)];
                });
            }
            if (single) found.push_back(std::move(region));
        }
    }
    return found;
}

PtxEvents events_of(const FollowedPtx& x, const PtxRegion& region) {
    PtxEvents events;
    for (std::size_t w = 0; w < x.walks.size(); ++w) {
        bool was_inside = false;
        const auto& log = x.walks[w].log;
        for (std::size_t v = 0; v < log.size(); ++v) {
            const bool inside = region.inside[static_cast<std::size_t>(log[v].block)];
            if (inside && !was_inside) events.entries.push_back({w, v});
            if (was_inside && log[v].block == region.exit) events.exits.push_back({w, v});
            was_inside = inside;
        }
    }
    return events;
}

std::vector<PtxGroup> groups_of(const FollowedPtx& a, const FollowedPtx& b) {
    const auto whole = [](const FollowedPtx& x) {
        PtxCounts kinds{};
        return executed(x, {0, -1, std::vector<bool>(x.program.blocks.size(), true)}, kinds);
    };
    const auto difference = difference_of(whole(a), whole(b));
    std::map<EffectKey, std::vector<PtxRegion>> of_b;
    for (PtxRegion& region : regions_of(b)) {
        of_b[effect_key(b, events_of(b, region))].push_back(std::move(region));
    }
    std::vector<PtxGroup> groups;
    for (const PtxRegion& region : regions_of(a)) {
        const PtxEvents events = events_of(a, region);
        if (events.entries.empty() || events.exits.empty()) continue;
        const auto same = of_b.find(effect_key(a, events));
        if (same == of_b.end()) continue;
        PtxCounts kinds_a{};
        const auto names_a = executed(a, region, kinds_a);
        const auto [loads_a, sum_a] = loaded_in(a, events);
        for (const PtxRegion& other : same->second) {
            // Where one loads more, all that it loads more is in the region: or else the two begin
            // or end at other places.
            const auto [loads_b, sum_b] = loaded_in(b, events_of(b, other));
            if (loads_a != loads_b && sum_a - loads_a != sum_b - loads_b) continue;
            PtxGroup group{region, other, kinds_a, {}, false, 0};
            for (const auto& [name, more] :
                 difference_of(names_a, executed(b, other, group.in_b))) {
                const auto all = difference.find(name);
                const double before = all == difference.end() ? 0 : all->second;
                group.weight += std::fabs(before) - std::fabs(before - more);
            }
            if (group.weight <= 0) continue;
            group.is_loop = has_loop(a, region) || has_loop(b, other);
            groups.push_back(std::move(group));
        }
    }
    std::ranges::stable_sort(groups, {}, [](const PtxGroup& one) {
        // Alike to a tenth is alike.
        return std::pair(-std::lround(10 * std::log(1 + one.weight)),
                         blocks_in(one.a) + blocks_in(one.b));
    });
    return groups;
}

std::string words_for(const PtxGroup& group, const std::string& name_a, const std::string& name_b) {
    constexpr std::array<std::string_view, ptx_kinds> names{
        "address arithmetic", "tests of integers", "branches and selections",
        "loads and stores",   "conversions",       "fused multiply-adds",
        "products and sums",  "other instructions"};
    std::vector<std::pair<double, std::string>> parts;
    for (std::size_t k = 0; k < ptx_kinds; ++k) {
        const double x = group.in_a[k], y = group.in_b[k];
        if (std::fabs(x - y) < 0.5) continue;
        parts.emplace_back(-std::fabs(x - y), fmt::format("{} {:.0f} and {:.0f}", names[k], x, y));
    }
    std::ranges::sort(parts);
    if (parts.size() > 3) parts.resize(3);
    std::vector<std::string> words;
    for (const auto& [weight, text] : parts) words.push_back(text);
    if (words.empty()) return "the same work in another order or with other types";
    return fmt::format("an item executes, by {}'s PTX and by {}'s: {}", name_a, name_b,
                       fmt::join(words, ", "));
}

}  // namespace parallax
