// Makes sizes, lengths and a launch of what a kernel's body says.
#include "suites/manifest/guess.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "mapping/translate/value_type.hpp"
#include "suites/manifest/formula.hpp"

namespace parallax::manifest {
namespace {

using Of = Quantity::Kind;
constexpr std::array axis_names{"x", "y", "z"};

bool is_integer(const std::string& type) {
    const auto known = value_type_named(type);
    return known && !known->is_vector() && !is_float_element(known->element);
}

/// What is small by its name, and decides how much each item does.
bool is_small(std::string_view name) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    constexpr std::array words{"radius", "taps",  "filter",  "mask",    "window", "iter",   "steps",
                               "repeat", "reps",  "halo",    "order",   "neigh",  "kernel", "ksize",
                               "draws",  "loops", "cluster", "feature", "pooled", "passes"};
    return lower == "k" || std::ranges::any_of(words, [&](std::string_view word) {
               return lower.find(word) != std::string::npos;
           });
}

class Guesser {
public:
    explicit Guesser(const KernelReading& kernel) : kernel_(kernel), body_(kernel.body) {}

    LaunchGuess guess() {
        for (const Parameter& parameter : kernel_.signature.parameters) {
            if (parameter.kind != Parameter::Kind::image) continue;
            throw UsageError(
                fmt::format("The kernel '{}' has a parameter '{}' of type {}, which a "
                            "manifest cannot make; read a buffer there.",
                            kernel_.signature.kernel, parameter.name, parameter.type));
        }
        find_positions();
        find_items();
        find_lengths();
        find_extents();
        find_steps();
        bound_by_data();
        write_launch();
        write_arguments();
        write_sizes();
        return std::move(guess_);
    }

private:
    using Lengths = std::vector<Poly>;
    const Parameter& parameter(std::size_t p) const { return kernel_.signature.parameters[p]; }
    const Quantity& quantity(int one) const {
        return body_.quantities[static_cast<std::size_t>(one)];
    }
    bool is(int one, Of kind) const { return quantity(one).kind == kind; }
    int find(Of kind, int number) const {
        for (std::size_t i = 0; i < body_.quantities.size(); ++i) {
            if (body_.quantities[i].kind == kind && body_.quantities[i].number == number) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }
    bool is_number(int one) const { return is(one, Of::parameter) || is(one, Of::member); }

    /// Numbers that say where a launch works, and not how far: `k * n`.
    void find_positions() {
        const auto note = [&](const Poly& poly) {
            for (const auto& [product, number] : poly.terms()) {
                for (const auto& [one, power] : product) {
                    if (is_number(one) && power < 0) divides_.insert(one);
                }
            }
            for (const int one : poly.quantities()) {
                if (is_number(one) && !body_.bounding.contains(one) && !divides_.contains(one)) {
                    values_[one] = Poly(0);
                }
            }
        };
        for (const BodyAccess& one : body_.accesses) {
            const bool local = parameter(one.parameter).kind == Parameter::Kind::local;
            if (one.most && !local) note(*one.most);
        }
        for (const BodyExtent& one : body_.extents) note(one.count);
    }

    Poly settled(Poly poly) const {
        for (const auto& [one, value] : values_) poly = poly.with(one, value);
        return poly;
    }

    void find_items() {
        dimensions_ = static_cast<std::size_t>(body_.dimensions);
        const std::array<std::array<unsigned, 3>, 3> usual{{{256, 1, 1}, {16, 16, 1}, {8, 8, 4}}};
        items_ = usual.at(dimensions_ - 1);
        unsigned product = 1;
        for (std::size_t d = 0; d < dimensions_; ++d) {
            product *= std::max(1U, body_.fitting[d]);
        }
        for (std::size_t d = 0; d < dimensions_; ++d) {
            const bool required = body_.required[0] != 0;
            const bool fits = body_.fitting[d] != 0 && product <= 1024;
            if (required) {
                items_[d] = std::max(1U, body_.required[d]);
            } else if (fits) {
                items_[d] = body_.fitting[d];
            } else {
                continue;
            }
            if (const int size = find(Of::local_size, static_cast<int>(d)); size >= 0) {
                values_[size] = Poly(items_[d]);
            }
        }
    }

    void find_lengths() {
        lengths_.resize(kernel_.signature.parameters.size());
        for (const BodyAccess& one : body_.accesses) {
            if (one.most) lengths_[one.parameter].push_back(settled(*one.most + Poly(1)));
        }
    }

    /// What a new size is called.
    Poly new_size(std::size_t d) {
        constexpr std::array<std::array<const char*, 3>, 3> names{
            {{"n", "", ""}, {"width", "height", ""}, {"width", "height", "depth"}}};
        std::string name = names.at(dimensions_ - 1).at(d);
        while (std::ranges::any_of(kernel_.signature.parameters,
                                   [&](const Parameter& one) { return one.name == name; })) {
            name += "_";
        }
        new_sizes_.push_back(name);
        return Poly::of(-static_cast<int>(new_sizes_.size()));
    }

    void find_extents() {
        extents_.resize(dimensions_);
        for (std::size_t d = 0; d < dimensions_; ++d) {
            const int dimension = static_cast<int>(d);
            const int all = find(Of::global_size, dimension);
            const int groups = find(Of::groups, dimension);
            const BodyExtent* best = nullptr;
            for (const BodyExtent& one : body_.extents) {
                const bool itself = one.count.has(all) || one.count.has(groups);
                const bool known = std::ranges::none_of(one.count.quantities(), [&](int q) {
                    return is(q, Of::loaded) || is(q, Of::other);
                });
                if (one.dimension != dimension || itself || !known) continue;
                if (!best || (one.guarded && !best->guarded)) best = &one;
            }
            Extent& extent = extents_[d];
            if (best) {
                extent.count = settled(best->count);
                // A border that is left out is launched, too.
                const auto& terms = extent.count.terms();
                const auto border = terms.find({});
                if (border != terms.end() && border->second < 0) {
                    extent.count += Poly(-border->second);
                }
                extent.guarded = best->guarded;
                extent.of_groups = best->of_groups;
            } else if (const auto same = same_as(all)) {
                extent.count = *same;
            } else if (const auto square = only_number(); square && dimensions_ > 1) {
                extent.count = *square;
                note("Both sides of the launch are taken to be alike.");
            } else {
                extent.count = new_size(d);
                extent.of_groups = all < 0 && groups >= 0;
                if (all >= 0 && groups >= 0) extent.of_groups = false;
                if (uses_groups_alone(dimension)) extent.of_groups = true;
            }
            const Poly size = Poly::of(find(Of::local_size, dimension));
            if (all >= 0) {
                const bool exact = !extent.guarded && !extent.of_groups;
                const Poly items =
                    find(Of::local_size, dimension) >= 0 ? settled(size) : Poly(items_.at(d));
                values_[all] = exact              ? extent.count
                               : extent.of_groups ? extent.count * items
                                                  : items * Poly::of(group_name(d));
            }
            if (groups >= 0) {
                values_[groups] = extent.of_groups ? extent.count : Poly::of(group_name(d));
            }
        }
        for (Lengths& lengths : lengths_) {
            for (Poly& one : lengths) one = settled(one);
        }
    }

    /// Numbers below -100 stand for the launch's groups.
    static int group_name(std::size_t d) { return -101 - static_cast<int>(d); }

    /// Whether no index has an item's place in the whole launch.
    bool uses_groups_alone(int dimension) const {
        return find(Of::group_id, dimension) >= 0 &&
               std::ranges::none_of(body_.accesses, [&](const BodyAccess& one) {
                   return one.most && one.most->has(find(Of::global_size, dimension));
               });
    }

    /// A number that another index of the same buffer goes up to.
    std::optional<Poly> same_as(int all) const {
        if (all < 0) return {};
        for (const Lengths& lengths : lengths_) {
            if (std::ranges::find(lengths, Poly::of(all)) == lengths.end()) continue;
            for (const Poly& other : lengths) {
                const auto names = other.quantities();
                if (names.size() == 1 && is_number(*names.begin()) &&
                    other == Poly::of(*names.begin())) {
                    return other;
                }
            }
        }
        return {};
    }

    /// The only number that the other dimensions go up to, where no other bounds anything.
    std::optional<Poly> only_number() const {
        std::set<int> all;
        for (const int one : body_.bounding) {
            if (is_number(one)) all.insert(one);
        }
        const bool used =
            all.size() == 1 && std::ranges::any_of(body_.extents, [&](const BodyExtent& one) {
                return one.count == Poly::of(*all.begin());
            });
        return used ? std::optional(Poly::of(*all.begin())) : std::nullopt;
    }

    /// Numbers that follow from others: what a row takes, what a group's memory has.
    void find_steps() {
        for (std::size_t p = 0; p < lengths_.size(); ++p) {
            const bool local = parameter(p).kind == Parameter::Kind::local;
            for (const Poly& one : Lengths(lengths_[p])) {
                for (const int step : one.quantities()) {
                    if (step < 0 || !is_number(step) || values_.contains(step)) continue;
                    std::optional<Poly> value;
                    if (local && one == Poly::of(step)) {
                        for (const Poly& other : lengths_[p]) {
                            if (!other.has(step) && !other.number()) value = other;
                        }
                    } else if (!local && !body_.compared.contains(step) && one.factor_of(step)) {
                        const Poly row = one.with(step, Poly(0));
                        if (!row.quantities().empty() && row.negative().terms().empty()) {
                            value = row;
                        }
                    }
                    if (!value) continue;
                    values_[step] = *value;
                    followers_[step] = *value;
                }
            }
        }
        for (Lengths& lengths : lengths_) {
            for (Poly& one : lengths) one = whole_rows(settled(one));
        }
    }

    /// `w * h - w - 1` is `w * h`: a border that is left out is there, too.
    static Poly whole_rows(const Poly& poly) {
        const auto inside = [](const Poly::Product& part, const Poly::Product& all) {
            return part != all && std::ranges::all_of(part, [&](const auto& factor) {
                       return std::ranges::any_of(all, [&](const auto& other) {
                           return other.first == factor.first && other.second >= factor.second;
                       });
                   });
        };
        const auto is_part = [&](const Poly::Product& part) {
            return std::ranges::any_of(poly.terms(), [&](const auto& term) {
                return term.second > 0 && inside(part, term.first);
            });
        };
        bool misses = false;
        Poly whole;
        for (const auto& [product, number] : poly.terms()) {
            const bool part = is_part(product);
            misses = misses || number < 0;
            if (number < 0 && !part) return poly;
            if (part) continue;
            Poly term(number);
            for (const auto& [one, power] : product) {
                for (int i = 0; i < power; ++i) term = term * Poly::of(one);
                if (power < 0) return poly;
            }
            whole += term;
        }
        return misses && whole.terms().size() == 1 ? whole : poly;
    }

    /// The lengths of buffers that others lead into, and what those others hold.
    void bound_by_data() {
        constexpr double each = 8;  // neighbours, elements of a row
        const auto length_of = [&](std::size_t b) {
            Poly most = lengths_[b].empty() ? extents_[0].count : lengths_[b].front();
            for (const Poly& one : lengths_[b]) {
                if (sample(one, 0) > sample(most, 0)) most = one;
            }
            return most;
        };
        for (std::size_t p = 0; p < lengths_.size(); ++p) {
            Lengths plain;
            std::vector<std::pair<Poly, int>> led;
            for (Poly one : lengths_[p]) {
                int leads = -1;
                for (const int q : one.quantities()) {
                    if (q < 0 || !is(q, Of::loaded)) continue;
                    const auto from = static_cast<std::size_t>(quantity(q).number);
                    if (body_.offsets.contains(from)) {
                        one = one.with(q, (length_of(from) - Poly(1)) * Poly(each));
                        fills_[from] = fmt::format("{{\"formula\": \"{} * i\"}}", each);
                    } else if (body_.counts.contains(from)) {
                        one = one.with(q, Poly(each));
                        fills_[from] = fmt::format("{{\"random\": [0, {}]}}", each + 1);
                    } else {
                        leads = q;
                    }
                }
                if (leads < 0) {
                    plain.push_back(one);
                } else {
                    led.emplace_back(one, leads);
                }
            }
            for (const auto& [one, leads] : led) {
                const auto from = static_cast<std::size_t>(quantity(leads).number);
                const auto factor = one.factor_of(leads);
                if (!factor) continue;
                const auto known = value_type_named(parameter(from).type);
                const bool bytes = known && element_bytes(known->element) == 1;
                Poly count = bytes           ? Poly(is_signed_element(known->element) ? 128 : 256)
                             : plain.empty() ? extents_[0].count
                                             : plain.front();
                const bool atomic = std::ranges::any_of(body_.accesses, [&](const auto& access) {
                    return access.parameter == p && access.atomic;
                });
                if (!bytes && atomic && plain.empty()) count = Poly(256);
                if (!bytes && !plain.empty()) {
                    // As far as there are whole rows.
                    const Poly rest = one - *factor * Poly::of(leads) - *factor;
                    count = (count - (settled(rest).number().value_or(1) > 0 ? Poly(0) : rest))
                                .over(*factor)
                                .value_or(count);
                } else {
                    plain.push_back(one.with(leads, count - Poly(1)));
                    if (!bytes) {
                        note(fmt::format("'{}' is taken to have {} elements that '{}' leads to.",
                                         parameter(p).name, text_of(count), parameter(from).name));
                    }
                }
                fills_[from] = fmt::format("{{\"random\": [0, {}]}}", json_number(text_of(count)));
            }
            lengths_[p] = std::move(plain);
        }
    }

    static std::string json_number(const std::string& formula) {
        const bool number =
            std::ranges::all_of(formula, [](char c) { return c >= '0' && c <= '9'; });
        return number ? formula : fmt::format("\"{}\"", formula);
    }

    std::string name_of_quantity(int one) const {
        if (one <= -101)
            return fmt::format("groups_{}", axis_names.at(static_cast<std::size_t>(-101 - one)));
        if (one < 0) return new_sizes_[static_cast<std::size_t>(-one) - 1];
        const Quantity& what = quantity(one);
        if (what.kind == Of::member) return what.name;
        if (what.kind == Of::local_size)
            return fmt::format("items_{}", axis_names.at(static_cast<std::size_t>(what.number)));
        return parameter(static_cast<std::size_t>(what.number)).name;
    }

    void use(const Poly& poly) {
        for (const int one : poly.quantities()) {
            if (one > -100 && (one < 0 || is_number(one))) used_.insert(one);
        }
    }

    /// The polynomial as a manifest's formula.
    std::string text_of(const Poly& poly) {
        use(poly);
        std::string sum;
        bool broken = false;
        // Products first, numbers last.
        std::vector<std::pair<Poly::Product, double>> terms(poly.terms().begin(),
                                                            poly.terms().end());
        std::ranges::stable_sort(terms, std::greater{}, [](const auto& one) {
            int degree = 0;
            for (const auto& [quantity, power] : one.first) degree += power;
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
                    text += (text.empty() ? "" : " * ") + name_of_quantity(one);
                }
                for (int i = 0; i > power; --i) below += " / " + name_of_quantity(one);
            }
            if (text.empty()) text = "1";
            broken = broken || !below.empty();
            sum += sum.empty() ? (number < 0 ? "-" : "") : number < 0 ? " - " : " + ";
            sum += text + below;
        }
        if (sum.empty()) return "0";
        return broken ? fmt::format("ceil({})", sum) : sum;
    }

    /// The value for sizes that are all different.
    double sample(const Poly& poly, int round) const {
        double sum = 0;
        for (const auto& [product, number] : poly.terms()) {
            double term = number;
            for (const auto& [one, power] : product) {
                term *= std::pow(700.0 + ((one + 1000) * (round == 0 ? 131 : 89)) % 977, power);
            }
            sum += term;
        }
        return sum;
    }

    /// The largest of the lengths, as a formula; empty where there is none.
    std::string longest(const Lengths& lengths) {
        Lengths kept;
        for (const Poly& one : lengths) {
            const bool below = std::ranges::any_of(lengths, [&](const Poly& other) {
                const bool more =
                    sample(other, 0) >= sample(one, 0) && sample(other, 1) >= sample(one, 1);
                return more && (!(sample(other, 0) == sample(one, 0)) || &other < &one);
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

    static int degree_of(const Poly& poly) {
        int most = 0;
        for (const auto& [product, number] : poly.terms()) {
            int degree = 0;
            for (const auto& [one, power] : product) degree += std::max(power, 0);
            most = std::max(most, degree);
        }
        return most;
    }

    void write_launch() {
        for (std::size_t d = 0; d < dimensions_; ++d) {
            const Extent& extent = extents_[d];
            guess_.items.push_back(fmt::format("{}", items_.at(d)));
            whole_ = whole_ || (!extent.guarded && !extent.of_groups);
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
            const bool one = count.find(' ') == std::string::npos;
            const std::string over = fmt::format(
                "{} / items_{}", one ? count : fmt::format("({})", count), axis_names.at(d));
            guess_.groups.push_back(extent.guarded ? fmt::format("ceil({})", over) : over);
        }
    }

    void note(std::string sentence) { guess_.notes.push_back(std::move(sentence)); }

    void write_arguments() {
        // Lengths first: what they name is a size.
        std::vector<std::string> texts;
        for (const Lengths& lengths : lengths_) texts.push_back(longest(lengths));
        for (auto& [step, value] : followers_) text_of(value);
        for (std::size_t p = 0; p < lengths_.size(); ++p) {
            const Parameter& one = parameter(p);
            GuessedArgument made{.name = one.name, .type = one.type};
            for (const Parameter& member : kernel_.members[p]) {
                made.members.push_back({.name = member.name, .type = member.type});
            }
            if (made.members.empty()) check_type(one);
            if (one.kind == Parameter::Kind::scalar) {
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
    }

    void check_type(const Parameter& one) const {
        const auto known = value_type_named(one.type);
        if (known && (known->element != "void")) return;
        throw UsageError(fmt::format(
            "The kernel '{}' has a parameter '{}' of type {}, which is not known here; give the -D "
            "and -I of your build.",
            kernel_.signature.kernel, one.name, one.type));
    }

    void write_value(GuessedArgument& made, std::size_t p) {
        for (GuessedArgument& member : made.members) {
            int own = -1;
            for (std::size_t q = 0; q < body_.quantities.size(); ++q) {
                const Quantity& one = body_.quantities[q];
                if (one.kind == Of::member && one.number == static_cast<int>(p) &&
                    one.name == member.name) {
                    own = static_cast<int>(q);
                }
            }
            if (member.type.empty()) {
                member.ask = "What is it? Its type is an array or a struct.";
            } else {
                member.formula = value_for(member.name, member.type, own);
            }
        }
        if (made.members.empty()) {
            made.formula =
                value_for(made.name, made.type, find(Of::parameter, static_cast<int>(p)));
        }
    }

    std::string value_for(const std::string& name, const std::string& type, int own) {
        if (!is_integer(type)) return "1.5";
        if (const auto follows = followers_.find(own); follows != followers_.end()) {
            return text_of(follows->second);
        }
        if (own < 0) return "1";
        if (const auto value = values_.find(own); value != values_.end()) {
            return text_of(value->second);
        }
        if (used_.contains(own) && !is_small(name) && guess_sizes_ < 6 && is_formula_name(name)) {
            ++guess_sizes_;
            guess_.sizes.push_back(name);
            return name;
        }
        const char* value = used_.contains(own) || body_.bounding.contains(own) ? "4" : "1";
        if (used_.contains(own)) {
            note(fmt::format("'{}' is {}: it is small by its name.", name, value));
        }
        return value;
    }

    void write_buffer(GuessedArgument& made, std::size_t p) {
        bool loads = false, stores = false, atomic = false, any = false;
        bool reached = false, loads_first = false;
        double apart = HUGE_VAL, together = 0;
        const Parameter& one = parameter(p);
        for (const BodyAccess& access : body_.accesses) {
            if (access.parameter != p) continue;
            any = true;
            loads = loads || access.loads;
            loads_first = loads_first || (access.loads && !reached);
            atomic = atomic || access.atomic;
            if (!access.stores) continue;
            stores = true;
            if (access.partial || !access.most) continue;
            apart = std::min(apart, access.apart);
            together += access.together;
            reached = reached || reaches(*access.most, p);
        }
        const bool partial = !reached || together < apart;
        const auto type = value_type_named(one.type);
        const bool floating = type && is_float_element(type->element);
        if (stores && !loads_first && !partial && !atomic) {
            made.use = "output";
        } else {
            made.use = stores ? "in_out" : "input";
            if (const auto fill = fills_.find(p); fill != fills_.end()) {
                made.fill = fill->second;
            } else if (!loads || atomic) {
                made.fill = "\"zeros\"";
            } else if (floating || (type && type->element == "bool")) {
                made.fill = "\"random\"";
            } else {
                const bool bytes = type && element_bytes(type->element) == 1;
                made.fill = fmt::format("{{\"random\": [0, {}]}}",
                                        !bytes                             ? 16
                                        : is_signed_element(type->element) ? 128
                                                                           : 256);
            }
        }
        guess_.floating = guess_.floating || (stores && (floating || !made.members.empty()));
        for (GuessedArgument& member : made.members) {
            const auto known = value_type_named(member.type);
            if (!known) {
                member.ask = "What is it? Its type is an array or a struct.";
            } else if (made.use != "output") {
                member.fill =
                    is_float_element(known->element) ? "\"random\"" : "{\"random\": [0, 16]}";
            }
        }
        if (!made.members.empty()) made.fill.clear();
        if (!any) {
            made.formula = "1";
            note(fmt::format("'{}' is not used by the kernel.", made.name));
        } else if (made.formula.empty()) {
            made.ask = fmt::format(
                "How many elements has '{}'? It is {} at an index that the text does not bound.",
                made.name, stores ? "written" : "read");
        }
        if (made.formula.empty()) return;
        std::uint64_t bytes = type ? std::uint64_t{element_bytes(type->element)} *
                                         (type->width == 3 ? 4 : type->width)
                                   : 0;
        for (const GuessedArgument& member : made.members) {
            const auto known = value_type_named(member.type);
            bytes += known ? std::uint64_t{element_bytes(known->element)} * known->width : 0;
        }
        const bool knows_launch = made.formula.find("items_") != std::string::npos ||
                                  made.formula.find("groups_") != std::string::npos;
        if (bytes == 0 || knows_launch) return;
        if (!guess_.bytes.empty()) guess_.bytes += " + ";
        const bool single = made.formula.find(" + ") == std::string::npos &&
                            made.formula.find(" - ") == std::string::npos;
        guess_.bytes += fmt::format("{} * {}", bytes * (loads && stores ? 2 : 1),
                                    single ? made.formula : fmt::format("({})", made.formula));
    }

    /// Whether the index goes as far as the buffer does.
    bool reaches(const Poly& most, std::size_t p) {
        const double end = sample(settled(most + Poly(1)), 0);
        return std::ranges::all_of(
            lengths_[p], [&](const Poly& length) { return sample(length, 0) <= end + 0.5; });
    }

    void write_sizes() {
        for (const std::string& name : new_sizes_) guess_.sizes.push_back(name);
        if (guess_.sizes.empty()) guess_.sizes = {"n"};
        std::uint64_t largest = 1048576;
        for (const auto& [degree, size] : {std::pair{2, 1024U}, {3, 128U}, {4, 32U}}) {
            if (degree_ >= degree || static_cast<int>(dimensions_) >= degree) largest = size;
        }
        const std::size_t count = guess_.sizes.size();
        guess_.timed.emplace_back(count, largest);
        std::uint64_t step = 1;
        for (std::size_t d = 0; d < dimensions_; ++d)
            step = std::max<std::uint64_t>(step, items_.at(d));
        if (step < 16) step = 16;
        const bool exact = whole_ || broken_;
        for (const std::uint64_t first : {std::uint64_t{1}, std::uint64_t{3}}) {
            auto& shape = guess_.checked.emplace_back();
            for (std::size_t i = 0; i < count; ++i) {
                shape.push_back(exact ? step * (first + i)
                                      : (first == 1 ? 33 + 4 * i : 100 + 29 * i));
            }
        }
        if (guess_.timed[0][0] % step != 0) {
            for (auto& one : guess_.timed[0]) one = one / step * step + step;
        }
    }

    struct Extent {
        Poly count;
        bool guarded = false, of_groups = false;
    };
    const KernelReading& kernel_;
    const BodyReading& body_;
    LaunchGuess guess_;
    std::size_t dimensions_ = 1, guess_sizes_ = 0;
    std::array<unsigned, 3> items_{};
    std::map<int, Poly> values_;     // of what is no name in the formulas
    std::map<int, Poly> followers_;  // those of them that a formula gives
    std::vector<Lengths> lengths_;   // by parameter
    std::vector<Extent> extents_;
    std::vector<std::string> new_sizes_;
    std::map<std::size_t, std::string> fills_;
    std::set<int> used_, divides_;
    int degree_ = 1;
    bool whole_ = false, broken_ = false;
};

}  // namespace

LaunchGuess guess_launch(const KernelReading& kernel) {
    return Guesser(kernel).guess();
}

}  // namespace parallax::manifest
