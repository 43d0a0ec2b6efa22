// Converts inferences about a kernel's body to formulas of a manifest.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "mapping/analyze/value_type.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/launch_inference.hpp"

namespace parallax::manifest {
bool is_whole(const std::string& type) {
    const auto known = value_type_named(type);
    return known && !known->is_vector() && !is_float_element(known->element);
}

namespace {

bool has_word(std::string_view name, std::initializer_list<std::string_view> words) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::ranges::any_of(
        words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

bool is_small(std::string_view name) {
    return name == "k" ||
           has_word(name, {"border", "radius", "taps",  "filter",  "mask",    "window", "iter",
                           "steps",  "repeat", "reps",  "halo",    "order",   "neigh",  "kernel",
                           "ksize",  "draws",  "loops", "cluster", "feature", "pooled", "passes"});
}

std::string LaunchInference::name_of_symbol(int one) const {
    if (one <= -101)
        return fmt::format("groups_{}", axis_names.at(static_cast<std::size_t>(-101 - one)));
    if (one < 0) return new_sizes_[static_cast<std::size_t>(-one) - 1];
    const Symbol& what = symbol(one);
    if (what.kind == Of::member) return what.name;
    if (what.kind == Of::local_size)
        return fmt::format("items_{}", axis_names.at(static_cast<std::size_t>(what.number)));
    return parameter(static_cast<std::size_t>(what.number)).name;
}

void LaunchInference::use(const Poly& poly) {
    for (const int one : poly.symbols()) {
        if (one > -100 && (one < 0 || is_number(one))) used_.insert(one);
    }
}

std::string LaunchInference::text_of(const Poly& poly) {
    use(poly);
    // Each of a number of work-items has several elements: the last one has all of them.
    const double only = poly.terms().size() == 1 ? poly.terms().begin()->second : 1;
    for (int items = 2; only > 1 && only != std::floor(only) && items <= 64; ++items) {
        const double each = std::round(only * items);
        if (std::abs(only * items - each) > 1e-9) continue;
        return fmt::format("{} * {}", each, text_of(*poly.over(each)));
    }
    std::string sum;
    bool broken = false;
    // Products first, numbers last.
    std::vector<std::pair<Poly::Product, double>> terms(poly.terms().begin(), poly.terms().end());
    std::ranges::stable_sort(terms, std::greater{}, [](const auto& one) {
        int degree = 0;
        for (const auto& [symbol, power] : one.first) degree += power;
        return std::pair{one.second > 0, degree};
    });
    for (const auto& [product, number] : terms) {
        std::string text, below;
        const double size = std::abs(number);
        const bool part = size < 1 && 1 / size == std::floor(1 / size);
        if (size != 1 && !part) text = fmt::format("{}", size);
        if (part && size != 1) below = fmt::format(" / {}", 1 / size);
        for (const auto& [one, power] : product) {
            for (int i = 0; i < power; ++i) {
                text += (text.empty() ? "" : " * ") + name_of_symbol(one);
            }
            for (int i = 0; i > power; --i) below += " / " + name_of_symbol(one);
        }
        if (text.empty()) text = "1";
        broken = broken || !below.empty() || (!part && size != std::floor(size));
        sum += sum.empty() ? (number < 0 ? "-" : "") : number < 0 ? " - " : " + ";
        sum += text + below;
    }
    if (sum.empty()) return "0";
    return broken ? fmt::format("ceil({})", sum) : sum;
}

double LaunchInference::sample(const Poly& poly, int round) const {
    double sum = 0;
    for (const auto& [product, number] : poly.terms()) {
        double term = number;
        for (const auto& [one, power] : product) {
            term *= std::pow(700.0 + ((one + 1000) * (131 + 89 * round)) % 977, power);
        }
        sum += term;
    }
    return sum;
}

std::string LaunchInference::longest(const Lengths& lengths) {
    Lengths kept;
    for (const Poly& one : lengths) {
        if (amount_or_less(one, 4096) <= 0) continue;  // a bound that was not understood
        // A length that is smaller for all of 16 sizes is assumed to be always smaller.
        const bool below = std::ranges::any_of(lengths, [&](const Poly& other) {
            bool less = &other < &one;
            for (int round = 0; round < 16; ++round) {
                if (sample(other, round) < sample(one, round)) return false;
                less = less || sample(other, round) > sample(one, round);
            }
            return less;
        });
        if (!below) kept.push_back(one);
    }
    if (kept.empty()) return {};
    std::vector<std::string> texts;
    for (const Poly& one : kept) texts.push_back(text_of(one));
    degree_ = std::max(degree_, degree_of(kept.front()));
    if (texts.size() == 1) return texts[0];
    return fmt::format("max({})", fmt::join(texts, ", "));
}

int LaunchInference::degree_of(const Poly& poly) {
    int most = 0;
    for (const auto& [product, number] : poly.terms()) {
        int degree = 0;
        for (const auto& [one, power] : product) degree += std::max(power, 0);
        most = std::max(most, degree);
    }
    return most;
}

void LaunchInference::write_launch() {
    for (std::size_t d = 0; d < dimensions_; ++d) {
        const Extent& extent = extents_[d];
        const bool alone = !body_.asked_grid.contains(static_cast<int>(d)) || is_alone(d);
        if (!alone && (extent.count.number() || extent.count.terms().size() > 1)) {
            doubtful_groups_.push_back(d);
        }
        guess_.items.push_back(fmt::format("{}", items_.at(d)));
        whole_ = whole_ || (!extent.guarded && !extent.of_groups);
        if (!alone && !extent.guarded && !extent.of_groups && !extent.count.number()) {
            const std::string all = text_of(settled(extent.count));
            note(fmt::format(
                "No guard that keeps work-items below {} was read in the text: sizes are multiples "
                "of {}, and no other is tried. Where your program rounds the launch up, write "
                "groups \"ceil(({}) / items_{})\" and a checked size that is no multiple.",
                all, items_.at(d), all, axis_names.at(d)));
        }
        // A work-group that handles several elements without a bounds check handles all of them:
        // the size is a multiple of their number.
        const auto& terms = extent.count.terms();
        const double share = terms.size() == 1 ? terms.begin()->second : 1;
        if (extent.of_groups && !extent.guarded && share < 1 && share > 0) {
            whole_ = true;
            guess_.step = std::max(guess_.step, static_cast<std::uint64_t>(std::ceil(1 / share)));
        }
        if (extent.of_groups) {
            const Poly groups = settled(extent.count);
            guess_.groups.push_back(text_of(groups));
            if (guess_.groups.back().find(" / ") != std::string::npos &&
                !guess_.groups.back().starts_with("ceil")) {
                guess_.groups.back() = fmt::format("ceil({})", guess_.groups.back());
            }
            continue;
        }
        const std::string count = text_of(settled(extent.count));
        const bool one = count.find(" + ") == count.npos && count.find(" - ") == count.npos;
        const std::string over = fmt::format(
            "{} / items_{}", one ? count : fmt::format("({})", count), axis_names.at(d));
        guess_.groups.push_back(extent.guarded ? fmt::format("ceil({})", over) : over);
    }
    // If some work-items of a work-group skip a barrier, only whole work-groups are defined.
    whole_ = whole_ || body_.splits_barrier;
    for (const std::size_t d : doubtful_groups_) {
        note(fmt::format("groups_{} is {}: that follows from a border or a step in the text.",
                         axis_names.at(d), guess_.groups.at(d)));
    }
}

bool LaunchInference::is_bytes(const Parameter& one) {
    return one.kind != Parameter::Kind::scalar &&
           (one.type == "void" || one.type == "char" || one.type == "uchar");
}

std::string LaunchInference::type_of(std::size_t p) const {
    const Parameter& one = parameter(p);
    const bool points = one.kind != Parameter::Kind::scalar && one.kind != Parameter::Kind::image;
    if (const auto bits = body_.float_bits.find(p); bits != body_.float_bits.end()) {
        return bits->second;
    }
    if (!points || (!is_bytes(one) && one.obstacle.empty())) return one.type;
    const auto casts = body_.cast_to.find(p);
    const bool single = casts != body_.cast_to.end() && casts->second.size() == 1 &&
                        value_type_named(*casts->second.begin());
    if (single && is_bytes(one)) return *casts->second.begin();
    // Bytes, if the source reads the buffer as several types, or as none.
    return is_bytes(one) && one.type != "void" ? one.type : "uchar";
}

/// Bytes of an element, if the body counts in elements of a struct, or the other way round.
double LaunchInference::bytes_each(std::size_t p) const {
    const Parameter& one = parameter(p);
    if (is_bytes(one)) {
        const auto type = value_type_named(type_of(p));
        return type ? 1.0 / (element_bytes(type->element) * (type->width == 3 ? 4 : type->width))
                    : 1;
    }
    if (one.obstacle != "packed") return 1;
    std::uint64_t bytes = 0;
    for (const GuessedArgument& member : members_of(one.members)) bytes += bytes_of(member);
    return static_cast<double>(bytes);
}

void LaunchInference::write_arguments() {
    // Lengths first: a number in a length is a size.
    std::vector<std::string> texts;
    for (std::size_t p = 0; p < lengths_.size(); ++p) {
        Lengths lengths = lengths_[p];
        for (Poly& one : lengths) one = one * Poly(bytes_each(p));
        texts.push_back(longest(lengths));
        const Parameter& one = parameter(p);
        if (one.type == "void" && !texts.back().empty() && type_of(p) == "uchar") {
            note(fmt::format("'{}' points to void: it is taken to be bytes.", one.name));
        }
        if (!one.obstacle.empty() && one.obstacle != "packed") texts.back().clear();
    }
    for (auto& [step, value] : followers_) text_of(value);
    for (std::size_t p = 0; p < lengths_.size(); ++p) {
        const Parameter& one = parameter(p);
        GuessedArgument made{.name = one.name, .type = type_of(p)};
        if (one.obstacle.empty()) made.members = members_of(one.members);
        const bool is_sampler = one.type == "sampler_t", is_image = axes_of(one.type) > 0;
        if (made.members.empty() && !is_sampler && !is_image) check_type(one, made.type);
        if (is_sampler) {
            made.kind = GuessedArgument::Kind::sampler;
            note(fmt::format("'{}' is taken to read texels by their number, and the nearest one.",
                             made.name));
        } else if (is_image) {
            write_image(made, p);
        } else if (one.kind == Parameter::Kind::scalar) {
            write_value(made, p);
        } else if (one.kind == Parameter::Kind::local) {
            made.kind = GuessedArgument::Kind::local;
            made.formula = texts[p];
            if (made.formula.empty()) {
                made.ask =
                    "How many elements has a group's local memory? The index is not one "
                    "that the text tells.";
            }
        } else {
            made.kind = GuessedArgument::Kind::buffer;
            made.formula = texts[p];
            write_buffer(made, p);
        }
        guess_.arguments.push_back(std::move(made));
    }
    for (const auto& [low, high] : body_.ascending) put_in_order(low, high);
}

/// Exchanges two guessed numbers where the first is not below the second.
void LaunchInference::put_in_order(int low, int high) {
    std::array<GuessedArgument*, 2> both{};
    std::array<std::string*, 2> said{};
    for (const std::size_t i : {0, 1}) {
        const Symbol& one = body_.symbols.at(static_cast<std::size_t>(i == 0 ? low : high));
        if (one.kind != Of::parameter) return;
        both[i] = &guess_.arguments.at(static_cast<std::size_t>(one.number));
        const auto found = std::ranges::find(guess_.numbers,
                                             fmt::format("{} {}", both[i]->name, both[i]->formula));
        if (found == guess_.numbers.end()) return;
        said[i] = &*found;
    }
    if (std::stod(both[0]->formula) < std::stod(both[1]->formula)) return;
    std::swap(both[0]->formula, both[1]->formula);
    for (const std::size_t i : {0, 1})
        *said[i] = fmt::format("{} {}", both[i]->name, both[i]->formula);
}

void LaunchInference::check_type(const Parameter& one, const std::string& type) const {
    const auto known = value_type_named(type);
    if (known && (known->element != "void")) return;
    throw UsageError(fmt::format(
        "The kernel '{}' has a parameter '{}' of type {}, which is not known here; give the -D "
        "and -I of your build.",
        kernel_.signature.kernel, one.name, one.type));
}

int LaunchInference::find_member(std::size_t p, const std::string& name) const {
    for (std::size_t q = 0; q < body_.symbols.size(); ++q) {
        const Symbol& one = body_.symbols[q];
        const bool own = one.kind == Of::member && one.number == static_cast<int>(p);
        if (own && one.name == name) return static_cast<int>(q);
    }
    return -1;
}

void LaunchInference::write_value(GuessedArgument& made, std::size_t p) {
    for (GuessedArgument& member : made.members) write_member_value(member, p);
    const auto type = value_type_named(made.type);
    if (made.members.empty() && type && type->is_vector()) {
        write_parts(made, *type, p);
    } else if (made.members.empty()) {
        made.formula = value_for(made.name, made.type, find(Of::parameter, static_cast<int>(p)));
    }
}

std::string LaunchInference::guessed(const std::string& name, const std::string& value) {
    guess_.numbers.push_back(fmt::format("{} {}", name, value));
    return value;
}

std::string LaunchInference::value_for(const std::string& name, const std::string& type, int own) {
    if (!is_whole(type)) {
        // A tolerance that is only added or compared should be small.
        const bool scales = body_.factors.contains(own) || body_.divisors.contains(own);
        if (!scales && has_word(name, {"eps", "tol"})) return guessed(name, "1e-05");
        return guessed(name, next_of(std::array{"1.5", "0.75", "1.25", "0.5", "1.75", "0.625",
                                                "1.125", "0.875"},
                                     floats_));
    }
    if (own < 0) return guessed(name, "1");
    if (const auto value = values_.find(own); value != values_.end()) {
        const bool number = value->second.number().has_value();
        return number ? guessed(name, text_of(value->second)) : text_of(value->second);
    }
    if (std::ranges::find(guess_.sizes, name) != guess_.sizes.end()) return name;
    // The operand of a modulo exceeds it, so that it has an effect.
    const auto has = [&](const Poly& poly) {
        return poly.has(own) && !(poly == Poly::of(own));  // a part of another length
    };
    const bool leads =
        std::ranges::any_of(followers_, [&](const auto& one) { return one.second.has(own); }) ||
        std::ranges::any_of(extents_, [&](const Extent& one) { return one.count.has(own); }) ||
        std::ranges::any_of(lengths_,
                            [&](const Lengths& all) { return std::ranges::any_of(all, has); });
    if (body_.moduli.contains(own) && !leads && !body_.compared.contains(own)) {
        return guessed(name, "7");
    }
    // A number that is subtracted from the extent is the length of a filter.
    const bool taken = std::ranges::any_of(
        extents_, [&](const Extent& one) { return one.count.negative().has(own); });
    // What a loop goes through in tiles is longer than a tile.
    const bool in_tiles = std::ranges::any_of(body_.rounds, [&](const Poly& rounds) {
        const auto factor = rounds.factor_of(own);
        const double part = factor ? factor->number().value_or(1) : 1;
        return part > 0 && part < 1;
    });
    if (used_.contains(own) && (in_tiles || !is_small(name)) && !taken &&
        guess_sizes_ + new_sizes_.size() < 6 && is_formula_name(name)) {
        ++guess_sizes_;
        guess_.sizes.push_back(name);
        return name;
    }
    if (used_.contains(own) || body_.bounding.contains(own)) {
        return guessed(name, next_of(std::array{"4", "3", "5", "2", "6"}, bounds_));
    }
    return guessed(name, next_of(std::array{"2", "1", "3", "4", "5"}, others_));
}

}  // namespace parallax::manifest
