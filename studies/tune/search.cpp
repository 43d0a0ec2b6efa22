// Iterated local search on a space with gaps. docs/guides/tune.md describes it.
#include "studies/tune/search.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>

namespace parallax {
namespace {

/// Successive jumps without an improvement, after which the search restarts elsewhere.
constexpr unsigned most_fruitless_jumps = 4;
/// Axes that a jump changes.
constexpr std::size_t axes_of_a_jump = 2;
/// Draws of a jump that may hit a gap.
constexpr unsigned most_draws = 20;
/// Points that are told ahead where the order is known.
constexpr std::size_t told_ahead = 16;

class Searching {
public:
    Searching(const SearchSpace& space, std::size_t most, std::uint64_t seed, Costs& costs)
        : space_(space), most_(most), costs_(costs), known_(space.points.size()), random_(seed) {
        for (std::size_t i = 0; i < space.points.size(); ++i) {
            places_[space.points[i]] = i;
            values_.resize(space.points[i].size());
            for (std::size_t axis = 0; axis < values_.size(); ++axis) {
                values_[axis] = std::max(values_[axis], space.points[i][axis] + 1);
            }
        }
        left_.resize(space.points.size());
        std::iota(left_.begin(), left_.end(), std::size_t{0});
    }

    Search in_order(bool shuffled) {
        std::vector<std::size_t> order = left_;
        if (shuffled) shuffle(order);
        if (space_.start) {
            std::erase(order, *space_.start);
            order.insert(order.begin(), *space_.start);
        }
        for (std::size_t i = 0; i < order.size() && !has_ended(); ++i) {
            const std::span<const std::size_t> rest = std::span(order).subspan(i);
            costs_.expect(rest.first(std::min(told_ahead, rest.size())));
            look_at(order[i]);
        }
        return result_;
    }

    Search by_basins() {
        std::size_t home = 0;
        bool has_home = false;
        unsigned fruitless = 0;
        for (std::size_t from = space_.start.value_or(any_left()); !has_ended();) {
            const std::size_t bottom = downhill(from);
            if (!has_home || cost(bottom) < cost(home)) {
                home = bottom;
                has_home = true;
                fruitless = 0;
            } else {
                ++fruitless;
            }
            if (left_.empty()) break;
            if (fruitless > most_fruitless_jumps) {
                has_home = false;
                from = any_left();
            } else {
                from = jump(home);
            }
        }
        return result_;
    }

private:
    bool has_ended() const { return has_ended_ || left_.empty(); }

    std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

    // The library's own shuffle differs from one library to the other.
    void shuffle(std::vector<std::size_t>& list) {
        for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
    }

    std::size_t any_left() { return left_[below(left_.size())]; }

    /// The known cost of the point; failed ones cost more than any other.
    double cost(std::size_t point) const {
        return known_[point].value_or(std::numeric_limits<double>::infinity());
    }

    bool is_known(std::size_t point) const { return !std::ranges::binary_search(left_, point); }

    /// Tries the point where it is not known. @returns whether it is known now
    bool look_at(std::size_t point) {
        if (is_known(point)) return true;
        if (result_.tried.size() >= most_) {
            has_ended_ = true;
            result_.end = Search::End::trials;
            return false;
        }
        const Costs::Cost found = costs_.of(point);
        if (found.has_ended) {
            has_ended_ = true;
            result_.end = Search::End::budget;
            return false;
        }
        known_[point] = found.value;
        std::erase(left_, point);
        result_.tried.push_back(point);
        if (found.value && (!result_.best || *found.value < cost(*result_.best))) {
            result_.best = point;
        }
        return true;
    }

    /// The nearest point in each direction of each axis, in random order.
    std::vector<std::size_t> neighbours(std::size_t of) {
        std::vector<std::size_t> list;
        std::vector<std::size_t> place = space_.points[of];
        for (std::size_t axis = 0; axis < place.size(); ++axis) {
            const std::size_t own = place[axis];
            const auto is_there = [&](std::size_t value) {
                place[axis] = value;
                const auto found = places_.find(place);
                if (found == places_.end()) return false;
                list.push_back(found->second);
                return true;
            };
            for (std::size_t value = own; value > 0 && !is_there(value - 1);) --value;
            for (std::size_t value = own + 1; value < values_[axis] && !is_there(value);) ++value;
            place[axis] = own;
        }
        shuffle(list);
        return list;
    }

    /// Goes to the first cheaper neighbour until there is none. @returns where it ended
    std::size_t downhill(std::size_t from) {
        if (!look_at(from)) return from;
        for (bool moved = true; moved;) {
            moved = false;
            const std::vector<std::size_t> list = neighbours(from);
            std::vector<std::size_t> unknown;
            std::ranges::copy_if(list, std::back_inserter(unknown),
                                 [&](std::size_t point) { return !is_known(point); });
            if (!unknown.empty()) costs_.expect(unknown);
            for (const std::size_t next : list) {
                if (!look_at(next)) return from;
                if (!(cost(next) < cost(from))) continue;
                from = next;
                moved = true;
                break;
            }
        }
        return from;
    }

    /// A point that differs from this one in some axes, drawn; any that was not tried where only
    /// gaps were drawn.
    std::size_t jump(std::size_t from) {
        for (unsigned draw = 0; draw < most_draws; ++draw) {
            std::vector<std::size_t> place = space_.points[from];
            for (std::size_t i = 0; i < axes_of_a_jump; ++i) {
                const std::size_t axis = below(place.size());
                place[axis] = below(values_[axis]);
            }
            const auto found = places_.find(place);
            if (found != places_.end() && !is_known(found->second)) return found->second;
        }
        return any_left();
    }

    const SearchSpace& space_;
    std::size_t most_;
    Costs& costs_;
    std::map<std::vector<std::size_t>, std::size_t> places_;
    std::vector<std::optional<double>> known_;
    std::vector<std::size_t> left_;    ///< not tried yet, ascending
    std::vector<std::size_t> values_;  ///< places on each axis
    std::mt19937_64 random_;
    bool has_ended_ = false;
    Search result_;
};

}  // namespace

std::string_view name_of(Strategy strategy) {
    switch (strategy) {
        case Strategy::basin: return "basin";
        case Strategy::random: return "random";
        case Strategy::all: return "all";
    }
    return {};
}

Search search(const SearchSpace& space, Strategy strategy, std::size_t most, std::uint64_t seed,
              Costs& costs) {
    if (space.points.empty()) return {};
    Searching searching(space, most, seed, costs);
    if (strategy == Strategy::basin) return searching.by_basins();
    return searching.in_order(strategy == Strategy::random);
}

}  // namespace parallax
