// Combines the inferences for successive kernels.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/text/characters.hpp"
#include "suites/manifest/guess.hpp"

namespace parallax::manifest {
namespace {

using ArgumentKind = GuessedArgument::Kind;
using Words = std::map<std::string, std::string>;

/// The formula with names replaced, in parentheses where needed.
std::string with_words(const std::string& formula, const Words& words) {
    std::string made;
    for (std::size_t i = 0; i < formula.size();) {
        std::size_t end = i;
        while (end < formula.size() && is_word_character(formula[end])) ++end;
        const std::string word = formula.substr(i, std::max<std::size_t>(end - i, 1));
        const auto found = words.find(word);
        if (found == words.end()) {
            made += word;
        } else {
            const bool alone = word == formula || std::ranges::all_of(found->second, [](char c) {
                                   return is_word_character(c);
                               });
            made += alone ? found->second : "(" + found->second + ")";
        }
        i += word.size();
    }
    return made;
}

void replace_words(LaunchGuess& guess, const Words& words) {
    if (words.empty()) return;
    const auto replace = [&](std::string& formula) { formula = with_words(formula, words); };
    const auto replace_all = [&](auto& self, GuessedArgument& one) -> void {
        replace(one.formula);
        for (std::string& part : one.parts) replace(part);
        for (std::string& texel : one.texels) replace(texel);
        for (GuessedArgument& member : one.members) self(self, member);
    };
    for (GuessedArgument& one : guess.arguments) replace_all(replace_all, one);
    for (std::string& one : guess.groups) replace(one);
    replace(guess.bytes);
    replace(guess.operations);
    std::erase_if(guess.sizes, [&](const std::string& size) { return words.contains(size); });
}

bool writes(const GuessedArgument& one) {
    return one.use == "output" || one.use == "in_out";
}

class Row {
public:
    void add(const std::string& kernel, LaunchGuess guess) {
        link(guess);
        replace_words(guess, same_lengths(guess));
        RowGuess::Step step{.kernel = kernel, .items = guess.items, .groups = guess.groups};
        for (GuessedArgument& one : guess.arguments) step.arguments.push_back(name_of(one));
        const auto add_new = [](auto& all, const auto& more) {
            for (const auto& one : more) {
                if (std::ranges::find(all, one) == all.end()) all.push_back(one);
            }
        };
        LaunchGuess& all = row_.all;
        add_new(all.sizes, guess.sizes);
        add_new(all.notes, guess.notes);
        add_new(all.numbers, guess.numbers);
        for (const auto sum : {&LaunchGuess::bytes, &LaunchGuess::operations}) {
            if (!(all.*sum).empty() && !(guess.*sum).empty()) all.*sum += " + ";
            all.*sum += guess.*sum;
        }
        all.answer = coarser(all.answer, guess.answer);
        all.largest = row_.steps.empty() ? guess.largest : std::min(all.largest, guess.largest);
        all.step = std::max(all.step, guess.step);
        all.whole = all.whole || guess.whole;
        for (const auto& [size, least] : guess.several) {
            all.several[size] = std::max(all.several[size], least);
        }
        all.degree = std::max(all.degree, guess.degree);
        row_.steps.push_back(std::move(step));
    }

    RowGuess row() {
        row_.all.choose_shapes();
        // A number that is unexplained in one kernel may be a size in another.
        std::erase_if(row_.all.numbers, [&](const std::string& one) {
            const std::string name = one.substr(0, one.find(' '));
            return std::ranges::find(row_.all.sizes, name) != row_.all.sizes.end();
        });
        return std::move(row_);
    }

private:
    GuessedArgument* known(const std::string& name) {
        const auto found = std::ranges::find(row_.all.arguments, name, &GuessedArgument::name);
        return found == row_.all.arguments.end() ? nullptr : &*found;
    }
    static bool alike(const GuessedArgument& a, const GuessedArgument& b) {
        return a.kind == b.kind && a.type == b.type && a.members.size() == b.members.size();
    }

    /// If this kernel reads no buffer of the kernels before it, its first input of the same type is
    /// assumed to be one.
    void link(LaunchGuess& guess) {
        const auto leads = [&](const GuessedArgument& one) {
            const GuessedArgument* before = known(one.name);
            return one.kind == ArgumentKind::buffer && before && alike(*before, one) &&
                   writes(*before);
        };
        if (std::ranges::any_of(guess.arguments, leads)) return;
        for (GuessedArgument& one : guess.arguments) {
            if (one.kind != ArgumentKind::buffer || one.use == "output") continue;
            for (auto before = row_.all.arguments.rbegin(); before != row_.all.arguments.rend();
                 ++before) {
                if (!alike(*before, one) || !writes(*before)) continue;
                row_.all.notes.push_back(
                    fmt::format("'{}' is taken to be '{}', which the kernel "
                                "before writes.",
                                one.name, before->name));
                one.name = before->name;
                return;
            }
        }
    }

    /// A size of this kernel that equals the length of an earlier kernel's buffer.
    Words same_lengths(const LaunchGuess& guess) {
        Words words;
        for (const GuessedArgument& one : guess.arguments) {
            const GuessedArgument* before = known(one.name);
            const bool is_size =
                std::ranges::find(guess.sizes, one.formula) != guess.sizes.end() &&
                std::ranges::find(row_.all.sizes, one.formula) == row_.all.sizes.end();
            if (!before || !alike(*before, one) || one.kind != ArgumentKind::buffer || !is_size ||
                before->formula.empty()) {
                continue;
            }
            words[one.formula] = with_words(before->formula, launch_of(one.name));
        }
        return words;
    }

    /// The values of names in the first launch with the buffer.
    Words launch_of(const std::string& buffer) const {
        const auto step = std::ranges::find_if(row_.steps, [&](const RowGuess::Step& one) {
            return std::ranges::find(one.arguments, buffer) != one.arguments.end();
        });
        Words items, words;
        constexpr std::array axes{"x", "y", "z"};
        for (std::size_t d = 0; d < step->items.size(); ++d) {
            items[fmt::format("items_{}", axes.at(d))] = step->items[d];
        }
        words = items;
        for (std::size_t d = 0; d < step->groups.size(); ++d) {
            words[fmt::format("groups_{}", axes.at(d))] = with_words(step->groups[d], items);
        }
        return words;
    }

    /// The argument's name among all; a new one is added.
    std::string name_of(GuessedArgument& one) {
        GuessedArgument* before = known(one.name);
        if (before && alike(*before, one)) {
            if (one.kind == ArgumentKind::buffer) {
                join(*before, one);
                return one.name;
            }
            if (before->formula == one.formula && before->parts == one.parts) return one.name;
            // A size is more certain than a guessed number.
            const auto is_size = [&](const GuessedArgument& other) {
                return other.formula == other.name;
            };
            if (one.kind == ArgumentKind::value && (is_size(*before) || is_size(one))) {
                before->formula = one.name;
                return one.name;
            }
        }
        if (before) {
            for (int number = 2; known(one.name); ++number) {
                one.name = fmt::format("{}_{}", before->name, number);
            }
        }
        row_.all.arguments.push_back(one);
        return one.name;
    }

    void join(GuessedArgument& before, const GuessedArgument& one) const {
        const bool made = before.use == "output" || before.use == "scratch";
        if (made) {
            // A kernel that only reads it gets the previous kernel's output.
            before.use = one.use == "input" ? "scratch" : "output";
        } else if (writes(one)) {
            before.use = "in_out";
            if (before.fill.empty()) before.fill = one.fill;
        }
        if (before.formula.empty()) {
            before.formula = one.formula;
            if (!one.formula.empty()) before.ask.clear();
        } else if (!one.formula.empty() && one.formula != before.formula &&
                   one.formula != with_words(before.formula, launch_of(before.name)) &&
                   one.formula.find("items_") == one.formula.npos &&
                   one.formula.find("groups_") == one.formula.npos) {
            before.formula = fmt::format("max({}, {})", before.formula, one.formula);
        }
    }

    RowGuess row_;
};

}  // namespace

RowGuess guess_row(const std::vector<KernelReading>& kernels) {
    Row row;
    for (const KernelReading& one : kernels) row.add(one.signature.kernel, guess_launch(one));
    return row.row();
}

}  // namespace parallax::manifest
