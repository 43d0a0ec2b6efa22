// Aligns two PTX texts by what work-items do in them, and counts what differs.
#include "studies/explain/ptx_groups.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace parallax {
namespace {

/// More blocks have more pairs than there is time to look at.
constexpr std::size_t most_blocks = 250, most_pairs = 300'000;
/// Less than this a work-item executes is no difference.
constexpr double least_weight_of_group = 0.5;
/// Less than this share of what is executed is no reason for a gap.
constexpr double little_of_all = 0.01;

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

/// Opcodes of both texts, numbered.
using Opcodes = std::map<std::string, std::size_t>;

/// A region, and what an item does in it.
struct SeenRegion {
    PtxRegion region;
    std::uint64_t key = 0;     ///< of how much was stored when items entered and left it
    std::uint64_t loaded = 0;  ///< bytes, by all items
    PtxCounts kinds{};
    std::vector<double> names;  ///< by opcode
};

void add_to_key(std::uint64_t& key, std::uint64_t value) {
    key = (key ^ value) * 0x9e3779b97f4a7c15;
    key ^= key >> 29;
}

void count_executed(const FollowedPtx& x, Opcodes& opcodes, SeenRegion& seen) {
    for (std::size_t b = 0; b < x.program.blocks.size(); ++b) {
        const double runs = x.visits(b) / static_cast<double>(x.walks.size());
        if (!seen.region.inside[b] || runs == 0) continue;
        const PtxBlock& block = x.program.blocks[b];
        for (std::size_t i = block.first; i < block.last; ++i) {
            const PtxKind kind = x.program.kinds[i];
            if (kind == PtxKind::count_) continue;
            seen.kinds[static_cast<std::size_t>(kind)] += runs;
            const auto known =
                opcodes.emplace(plain_name(x.program.code[i].statement->name), opcodes.size());
            const std::size_t place = known.first->second;
            if (place >= seen.names.size()) seen.names.resize(place + 1);
            seen.names[place] += runs;
        }
    }
}

/// Regions that items entered and left.
std::vector<SeenRegion> seen_regions(const FollowedPtx& x, Opcodes& opcodes) {
    std::vector<SeenRegion> all;
    for (PtxRegion& region : regions_of(x)) {
        const PtxEvents events = events_of(x, region);
        if (events.entries.empty() || events.exits.empty()) continue;
        SeenRegion seen;
        for (const auto* places : {&events.entries, &events.exits}) {
            add_to_key(seen.key, places->size());
            for (const auto& [walk, visit] : *places) {
                add_to_key(seen.key, walk);
                add_to_key(seen.key, x.walks[walk].log[visit].effects);
            }
        }
        std::size_t entry = 0;
        for (const auto& [walk, visit] : events.exits) {
            // The last before it: an item may have ended in the region.
            while (entry + 1 < events.entries.size() &&
                   std::pair(events.entries[entry + 1].walk, events.entries[entry + 1].visit) <
                       std::pair(walk, visit)) {
                ++entry;
            }
            seen.loaded += x.walks[walk].log[visit].loaded -
                           x.walks[walk].log[events.entries[entry].visit].loaded;
        }
        seen.region = std::move(region);
        count_executed(x, opcodes, seen);
        all.push_back(std::move(seen));
    }
    return all;
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
    Opcodes opcodes;
    Both<SeenRegion> whole;
    Both<std::uint64_t> loaded;
    for (const bool is_b : {false, true}) {
        const FollowedPtx& x = is_b ? b : a;
        whole.of(is_b).region = {0, -1, std::vector<bool>(x.program.blocks.size(), true)};
        count_executed(x, opcodes, whole.of(is_b));
        for (const PtxWalk& walk : x.walks) loaded.of(is_b) += walk.loaded;
    }
    const auto more = [](const SeenRegion& x, const SeenRegion& y, std::size_t opcode) {
        return (opcode < x.names.size() ? x.names[opcode] : 0) -
               (opcode < y.names.size() ? y.names[opcode] : 0);
    };
    std::map<std::uint64_t, std::vector<SeenRegion>> of_b;
    for (SeenRegion& seen : seen_regions(b, opcodes)) of_b[seen.key].push_back(std::move(seen));
    std::vector<PtxGroup> groups;
    std::size_t pairs = 0;
    for (const SeenRegion& seen : seen_regions(a, opcodes)) {
        const auto same = of_b.find(seen.key);
        if (same == of_b.end()) continue;
        for (const SeenRegion& other : same->second) {
            if (++pairs > most_pairs) return groups;
            // Where one loads more, all that it loads more is in the region: or else the two begin
            // or end at other places.
            if (seen.loaded != other.loaded && loaded.a - seen.loaded != loaded.b - other.loaded) {
                continue;
            }
            double weight = 0;
            for (std::size_t opcode = 0; opcode < opcodes.size(); ++opcode) {
                const double before = more(whole.a, whole.b, opcode);
                weight += std::fabs(before) - std::fabs(before - more(seen, other, opcode));
            }
            if (weight < least_weight_of_group) continue;
            groups.push_back({seen.region, other.region, seen.kinds, other.kinds,
                              has_loop(a, seen.region) || has_loop(b, other.region), weight});
        }
    }
    return groups;
}

PtxGroup whole_kernels(const FollowedPtx& a, const FollowedPtx& b) {
    Opcodes opcodes;
    PtxGroup whole;
    for (const bool is_b : {false, true}) {
        const FollowedPtx& x = is_b ? b : a;
        SeenRegion seen;
        seen.region = {0, -1, std::vector<bool>(x.program.blocks.size(), true)};
        count_executed(x, opcodes, seen);
        (is_b ? whole.b : whole.a) = std::move(seen.region);
        (is_b ? whole.in_b : whole.in_a) = seen.kinds;
    }
    return whole;
}

std::string words_for(const PtxGroup& group, const std::string& name_a, const std::string& name_b) {
    constexpr std::array<std::string_view, ptx_kinds> names{
        "address arithmetic", "tests of integers", "branches and selections",
        "loads and stores",   "conversions",       "fused multiply-adds",
        "products and sums",  "other instructions"};
    const auto all = [](const PtxCounts& counts) {
        return std::accumulate(counts.begin(), counts.end(), 0.0);
    };
    const double least =
        std::max(least_weight_of_group, little_of_all * std::max(all(group.in_a), all(group.in_b)));
    std::vector<std::pair<double, std::string>> parts;
    for (std::size_t k = 0; k < ptx_kinds; ++k) {
        const double x = group.in_a[k], y = group.in_b[k];
        if (std::fabs(x - y) < least) continue;
        parts.emplace_back(-std::fabs(x - y), fmt::format("{} {:.0f} and {:.0f}", names[k], x, y));
    }
    std::ranges::sort(parts);
    if (parts.size() > 3) parts.resize(3);
    std::vector<std::string> words;
    for (const auto& [weight, text] : parts) words.push_back(text);
    if (words.empty()) return "the same work in another order or with other types";
    return fmt::format("a work-item executes in {} and {}: {}", name_a, name_b,
                       fmt::join(words, ", "));
}

}  // namespace parallax
