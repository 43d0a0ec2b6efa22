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
    std::string obstacle;  ///< by its first line; empty: all is translated, a kernel too
    bool is_refused = false;
};

Trial trial(std::string_view file, std::string_view source, const TranslateOptions& options) {
    try {
        const Translation made = to_cuda(file, source, options);
        if (!made.device_names.empty()) return {made.device_names.front()};
        const bool has_kernel = made.body.find("__global__") != std::string::npos;
        return {has_kernel ? "" : "it has no kernel before its macros are expanded"};
    } catch (const Refused& error) {
        const std::string said = error.what();
        return {said.substr(0, said.find('\n')), true};
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

Preparation prepare(std::string_view file, std::string_view source, const TranslateOptions& options,
                    const std::function<std::string()>& expanded) {
    const Trial as_it_is = trial(file, source, options);
    if (as_it_is.obstacle.empty()) return {};
    try {
        TranslateOptions without = options;
        without.defines.clear();
        const bool helps = can_expand() && has_macros(source, options) &&
                           trial(file, expanded(), without).obstacle.empty();
        if (helps) return {as_it_is.obstacle};
    } catch (const Error&) {
        // A source that the preprocessor rejects stays as it is.
    }
    return {"", as_it_is.is_refused ? "" : as_it_is.obstacle};
}

}  // namespace parallax
