// Lists all built-in suites; separate, so that other code does not depend on all of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "common/text/text.hpp"

namespace parallax {

const Suite& suite_named(std::string_view name) {
    for (const Suite& suite : suites()) {
        if (suite.name == name) return suite;
    }
    if (name.ends_with(".cl") || name.ends_with(".cu")) {
        throw UsageError(fmt::format(
            "'{0}' is a kernel's text, and no suite. 'parallax port {0} --init -o {1}.json' writes "
            "a manifest of it, which is taken in its place.",
            name, name.substr(0, name.size() - 3)));
    }
    throw UsageError(
        fmt::format("There is no suite '{}'.{} There are: {}. 'parallax list' tells more.", name,
                    did_you_mean(name, names(suites())), fmt::join(names(suites()), ", ")));
}

}  // namespace parallax
