// Runs comparisons round-robin.
#include "measure/round_robin.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "measure/paired.hpp"

namespace parallax {

void run_round_robin(std::size_t count, ThreadPool* pool,
                     const std::function<bool(std::size_t)>& turn,
                     const std::function<bool(std::size_t)>& minds_the_host,
                     const std::function<void()>& resumed) {
    const auto one_of_each = [&](std::vector<std::size_t>& of) {
        std::erase_if(of, [&](std::size_t i) { return !turn(i); });
    };
    std::optional<ThreadPool::Pause> rest(pool);
    std::vector<std::size_t> going(count), calm;
    std::iota(going.begin(), going.end(), std::size_t{0});
    one_of_each(going);

    std::ranges::copy_if(going, std::back_inserter(calm),
                         [&](std::size_t i) { return !minds_the_host(i); });
    const std::size_t others = going.size() - calm.size();
    if (others == 0 || (calm.size() >= fewest_interleaved && others >= fewest_interleaved)) {
        std::erase_if(going, [&](std::size_t i) { return !minds_the_host(i); });
        rest.reset();
        if (resumed) resumed();
        while (!calm.empty()) one_of_each(calm);
        rest.emplace(pool);
    }
    while (!going.empty()) one_of_each(going);
}

}  // namespace parallax
