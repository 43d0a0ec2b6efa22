// Searches for the cheapest of many points with few trials, without knowledge of devices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace parallax {

/// The points that may be tried.
struct SearchSpace {
    /// For each point its position on each axis, from 0 on. Positions without a point are gaps.
    std::vector<std::vector<std::size_t>> points;
    std::optional<std::size_t> start;  ///< the point that is tried first; nothing: any
};

/// Returns the cost of a point. Each point is requested at most once.
class Costs {
public:
    Costs() = default;
    Costs(const Costs&) = delete;
    Costs& operator=(const Costs&) = delete;
    virtual ~Costs() = default;

    /// The result of a trial.
    struct Cost {
        bool has_ended = false;            ///< there was no budget left, and nothing was tried
        std::optional<double> value = {};  ///< above 0; nothing: the point is of no use
    };
    virtual Cost of(std::size_t point) = 0;
    /// These are likely to be asked for next, the likeliest first.
    virtual void expect(std::span<const std::size_t> points) = 0;
};

/// In which order points are tried.
enum class Strategy {
    basin,   ///< downhill from neighbour to neighbour, with jumps out of what no neighbour betters
    random,  ///< each once, in random order
    all      ///< each once, in the order of their list
};
std::string_view name_of(Strategy);

/// The course of a search.
struct Search {
    enum class End { all, trials, budget };
    std::vector<std::size_t> tried;   ///< in the order of the trials, the useless ones too
    std::optional<std::size_t> best;  ///< the cheapest of them; nothing: all were useless
    End end = End::all;               ///< no point was left, the trials were used up, or `Costs`
};

/// Tries points. The same costs, limits and seed give the same search, on every machine.
/// @param most  trials
Search search(const SearchSpace&, Strategy, std::size_t most, std::uint64_t seed, Costs&);

}  // namespace parallax
