// Tries to parse a kernel file in its original form, and preprocessed.
#include "mapping/translate/prepared.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax {
namespace {

/// The translator's result.
struct Trial {
    std::string obstacle = {};  ///< by its first line; empty: all is translated, a kernel too
    bool is_refused = false;
};

std::string first_line(const Error& error) {
    const std::string said = error.what();
    return said.substr(0, said.find('\n'));
}

Trial trial(std::string_view file, std::string_view source, const TranslateOptions& options) {
    try {
        const Translation made = to_cuda(file, source, options);
        if (!made.device_names.empty()) return {made.device_names.front()};
        const bool has_kernel = made.body.find("__global__") != std::string::npos;
        return {has_kernel ? "" : "it has no kernel before its macros are expanded"};
    } catch (const Refused& error) {
        return {first_line(error), true};
    }
}

bool has_macros(std::string_view source, const TranslateOptions& options) {
    const auto directives = directives_of(source).all;
    return !options.defines.empty() ||
           std::ranges::any_of(directives, [](const DirectiveLine& one) {
               return one.name == "define" || one.name.starts_with("if");
           });
}

}  // namespace

Preparation prepare(std::string_view file, const std::function<std::string()>& source,
                    const TranslateOptions& options, const std::function<std::string()>& expanded) {
    Trial as_it_is;
    bool may_help = can_expand();
    try {
        const std::string text = source();
        as_it_is = trial(file, text, options);
        may_help = may_help && (as_it_is.is_refused || has_macros(text, options));
    } catch (const Error& error) {
        as_it_is = {first_line(error), true};
    }
    if (as_it_is.obstacle.empty()) return {};
    Preparation made{.doubt = as_it_is.is_refused ? "" : as_it_is.obstacle};
    if (!may_help) return made;
    try {
        TranslateOptions without = options;
        without.defines.clear();
        const Trial after = trial(file, expanded(), without);
        if (after.obstacle.empty()) return {as_it_is.obstacle};
        // The same in another place is nothing new.
        const std::string what =
            after.obstacle.substr(std::min(after.obstacle.find('\''), after.obstacle.size()));
        if (as_it_is.is_refused && after.is_refused &&
            as_it_is.obstacle.find(what) == std::string::npos) {
            made.failure = "preprocessed, it is refused, too: " + after.obstacle;
        }
    } catch (const Error& error) {
        // A source that the preprocessor rejects stays as it is.
        if (as_it_is.is_refused) made.failure = "it cannot be preprocessed: " + first_line(error);
    }
    return made;
}

}  // namespace parallax
