// Reads the arguments for equivalent mutants, and checks them against the results.
#include "benchmarks/mutation/argued.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/embedded_file.hpp"
#include "common/text/text_lines.hpp"

namespace parallax {

std::span<const EmbeddedFile> embedded_equivalents();

std::vector<Equivalent> read_equivalents(std::string_view text) {
    std::vector<Equivalent> arguments;
    std::set<std::string> known;
    std::size_t number = 0;
    const auto refuse = [&](std::size_t line, std::string_view what) {
        throw UsageError(fmt::format("Line {} of the arguments: {}", line, what));
    };
    const auto end_last = [&] {
        if (arguments.empty() || !arguments.back().because.empty()) return;
        refuse(number, "the mutant before it has no argument. Write one below it, indented.");
    };
    for (const std::string_view line : lines_of(text)) {
        ++number;
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == line.npos || line[0] == '#') continue;
        if (first == 0) {
            end_last();
            if (!known.emplace(line).second) refuse(number, "this mutant was argued for before.");
            arguments.push_back({std::string(line), {}});
        } else if (arguments.empty()) {
            refuse(number, "an argument stands below the mutant that it is about.");
        } else {
            std::string& because = arguments.back().because;
            if (!because.empty()) because += ' ';
            because += line.substr(first);
        }
    }
    ++number;
    end_last();
    return arguments;
}

std::vector<Equivalent> own_equivalents() {
    return read_equivalents(embedded_equivalents().front().text);
}

std::vector<std::string> hold_against(std::span<const Equivalent> arguments,
                                      std::vector<Tried>& all) {
    std::map<std::string_view, Tried*> by_name;
    for (Tried& one : all) by_name.emplace(one.mutant.name, &one);
    std::vector<std::string> wrong;
    for (const Equivalent& argument : arguments) {
        const auto found = by_name.find(argument.mutant);
        if (found == by_name.end()) {
            wrong.push_back(
                fmt::format("No mutant has this name any more, since the kernel's text has "
                            "changed. Look at the argument again: {}",
                            argument.mutant));
            continue;
        }
        Tried& one = *found->second;
        one.is_argued = one.end == End::lived;
        if (is_noticed(one.end, false)) {
            wrong.push_back(
                fmt::format("It is argued that nothing can notice it, and {} did "
                            "({}): {}",
                            one.device, name_of(one.end), argument.mutant));
        } else if (one.end == End::not_built) {
            wrong.push_back(
                fmt::format("It does not compile and needs no argument: {}", argument.mutant));
        }
    }
    return wrong;
}

}  // namespace parallax
