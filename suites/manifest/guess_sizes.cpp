// Chooses the sizes of a first manifest by a launch's amount of work.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "suites/manifest/launch_inference.hpp"

namespace parallax::manifest {
namespace {

/// The work of a GPU in a second, or of a CPU with some cores in several.
constexpr double most_work = 0x1p34;

}  // namespace

double LaunchInference::amount(int one, double n) const {
    if (one <= -101) return n / items_.at(static_cast<std::size_t>(-101 - one));
    if (one < 0 || is(one, Of::global_size)) return n;
    const auto d = static_cast<std::size_t>(std::max(symbol(one).number, 0));
    if (is(one, Of::local_size)) return items_.at(d);
    if (is(one, Of::groups)) return n / items_.at(d);
    if (is(one, Of::loaded)) return each_row;
    if (!is_number(one)) return 1;
    const bool size = std::ranges::find(guess_.sizes, name_of_symbol(one)) != guess_.sizes.end();
    return size ? n : 4;
}

double LaunchInference::amount(const Poly& poly, double n) const {
    return std::max(amount_or_less(poly, n), 1.0);
}

double LaunchInference::amount_or_less(const Poly& poly, double n) const {
    const Poly known = settled(poly);
    double sum = 0;
    for (const auto& [product, number] : known.terms()) {
        double term = number;
        for (const auto& [one, power] : product) term *= std::pow(amount(one, n), power);
        sum += term;
    }
    return sum;
}

double LaunchInference::work(double n) const {
    constexpr double a_round = 16;
    double items = 1, rounds = 1;
    for (std::size_t d = 0; d < dimensions_; ++d) {
        items *= amount(extents_[d].count, n) * (extents_[d].of_groups ? items_.at(d) : 1);
    }
    for (const Poly& one : rounds_) rounds = std::max(rounds, amount(one, n));
    return a_round * items * rounds;
}

/// Takes two operations a round of the longest loop: a product and a sum.
void LaunchInference::write_operations() {
    constexpr double large = 1024;
    const auto all =
        std::ranges::max_element(rounds_, {}, [&](const Poly& one) { return amount(one, large); });
    if (all == rounds_.end()) return;
    Poly operations = settled(*all) * Poly(2);
    for (std::size_t d = 0; d < dimensions_; ++d) {
        const Extent& extent = extents_[d];
        operations = operations * settled(extent.count) * Poly(extent.of_groups ? items_[d] : 1);
    }
    const auto is_known = [&](int one) { return one < 0 ? one > -101 : is_number(one); };
    if (!std::ranges::all_of(operations.symbols(), is_known)) return;
    guess_.operations = text_of(operations);
    note("'operations' are two a round of the longest loop: count what your kernel does.");
}

void LaunchInference::write_sizes() {
    for (const std::string& name : new_sizes_) guess_.sizes.push_back(name);
    write_operations();
    if (guess_.sizes.empty()) guess_.sizes = {"n"};
    std::uint64_t largest = 1048576;
    for (const auto& [degree, size] : {std::pair{2, 1024U}, {3, 128U}, {4, 32U}}) {
        if (degree_ >= degree || static_cast<int>(dimensions_) >= degree) largest = size;
    }
    while (largest > 16 && work(static_cast<double>(largest)) > most_work) largest /= 2;
    if (const double done = work(static_cast<double>(largest)); done > 0x1p32) {
        note(
            fmt::format("A launch of the timed size does {:.2g} operations or so, seconds of a "
                        "CPU: -n takes a smaller one.",
                        done));
    }
    // If a size counts work-groups, each of them has many work-items.
    const auto items = [&](std::uint64_t n) {
        double all = 1;
        for (std::size_t d = 0; d < dimensions_; ++d) {
            all *= amount(extents_[d].count, static_cast<double>(n)) *
                   (extents_[d].of_groups ? items_.at(d) : 1);
        }
        return all;
    };
    while (largest > 16 && items(largest) > 0x1p25) largest /= 2;
    guess_.largest = largest;
    guess_.degree = degree_;
    // A part of a product must not be a fraction of a size, and rows of blocks must be whole
    // blocks.
    const auto broken = [](const Poly& poly) {
        return std::ranges::any_of(poly.terms(), [](const auto& term) {
            const auto sizes = std::ranges::count_if(
                term.first, [](const auto& factor) { return factor.second > 0; });
            return (term.second > 1 || sizes > 1) && term.second != std::floor(term.second);
        });
    };
    Lengths blocks;
    for (const auto& [follower, length] : followers_) {
        if (broken(length)) blocks.push_back(length);
    }
    for (const Lengths& lengths : lengths_)
        std::ranges::copy_if(lengths, std::back_inserter(blocks), broken);
    guess_.whole = whole_ || !blocks.empty();
    for (const Poly& rounds : rounds_) {
        for (const auto& [product, number] : rounds.terms()) {
            if (blocks.empty() || product.empty() || number >= 1 || number < 0x1p-12) continue;
            guess_.step = std::max(guess_.step, static_cast<std::uint64_t>(std::ceil(1 / number)));
        }
    }
    for (std::size_t d = 0; d < dimensions_; ++d) {
        guess_.step = std::max<std::uint64_t>(guess_.step, items_.at(d));
    }
    if (!blocks.empty()) {
        note(
            fmt::format("Every size is taken to be a multiple of {}. For others a length such as "
                        "'{}' may be wrong: write what your host program allocates, and check one.",
                        guess_.step, text_of(settled(blocks.front()))));
    }
    find_several();
    guess_.choose_shapes();
}

/// Small one-dimensional sizes fit in one work-group: errors between work-groups, or at the end of
/// the last one, need several.
void LaunchInference::find_several() {
    for (std::size_t d = 0; d < dimensions_; ++d) {
        const Extent& extent = extents_[d];
        const Poly count = settled(extent.count);
        const auto sizes = count.symbols();
        if (sizes.size() != 1 || *sizes.begin() <= -101) continue;
        const auto factor = count.factor_of(*sizes.begin());
        const double each = factor ? factor->number().value_or(0) : 0;
        if (each <= 0) continue;
        const double group = (extent.of_groups ? 1 : items_.at(d)) / each;
        const double several = 2 * std::ceil(group) + 100;
        if (group < 40 || std::pow(several, degree_) > 0x1p22 || work(several) > 0x1p28) continue;
        guess_.several[name_of_symbol(*sizes.begin())] = static_cast<std::uint64_t>(several);
    }
}

namespace {

/// The next number with a remainder of a division by `by`, and one of a division by three.
std::uint64_t next_with(std::uint64_t from, std::uint64_t by, std::uint64_t rest,
                        std::uint64_t of_three) {
    while (from % by != rest || from % 3 != of_three) ++from;
    return from;
}

}  // namespace

/// With the timed one, sizes have all remainders by three and by four: rests of vectors, of
/// triples and of unrolled loops are of each length. The last one is odd.
void LaunchGuess::choose_shapes() {
    // The product of many sizes stays below 2^55, the limit of a case.
    while (largest > 16 &&
           static_cast<double>(sizes.size()) * std::log2(static_cast<double>(largest)) > 54) {
        largest /= 2;
    }
    if (whole && largest % step != 0) largest = largest / step * step + step;
    timed = {std::vector(sizes.size(), largest)};
    checked.clear();
    for (const std::uint64_t first : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}}) {
        if (first == 3 && sizes.size() > 4) break;
        auto& shape = checked.emplace_back();
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const std::uint64_t least = degree > 3   ? 5 * first + 4 * i
                                        : first == 1 ? 33 + 4 * i
                                        : first == 2 ? 58 + 16 * i
                                                     : 107 + 28 * i;
            const auto more = several.find(sizes[i]);
            const bool is_more = first == 3 && more != several.end();
            const std::uint64_t from = is_more ? std::max(least, more->second) : least;
            // A step that three divides leaves no choice.
            const std::uint64_t steps = sizes.size() > 4 ? first
                                        : degree > 2 && step > 16
                                            ? 1 + (first == 3 || (first + i) % 2 == 0)
                                            : 2 * first - 1 + i;
            shape.push_back(whole ? step * steps : next_with(from, 4, first, (first - 1 + i) % 3));
        }
    }
    // All work-groups are whole but for one work-item.
    const auto line = sizes.size() == 1 ? several.find(sizes[0]) : several.end();
    if (whole || line == several.end()) return;
    const std::uint64_t but_one = line->second - 101;
    // Behind tiles of up to 16 the last one has one element.
    checked = {{next_with(33, 4, 2, (but_one + 1) % 3)},
               {but_one},
               {next_with(line->second, 16, 1, (but_one + 2) % 3)}};
}

}  // namespace parallax::manifest
