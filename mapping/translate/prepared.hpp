// Decides whether a kernel file is translated in its original form, or preprocessed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "mapping/translate/translate.hpp"

namespace parallax {

/// Why a source has to go through the preprocessor before it is translated.
struct Preparation {
    /// In one line: the first place that macros, conditions or overloaded functions leave open.
    /// Empty: it is translated unchanged, or the preprocessor does not help, or there is none.
    std::string reason = {};
    /// Where there is no reason: the first name on which the two sides may part. Empty: none.
    std::string doubt = {};
    /// Why a source that is refused unchanged cannot be preprocessed, or what it is refused for
    /// then. Empty: it is not refused, or for the same.
    std::string failure = {};
};

/// @param file      its name, for messages
/// @param source    gives it with all that it includes; what it throws counts as a refusal
/// @param expanded  gives the same after the preprocessor; what it throws counts as no help
Preparation prepare(std::string_view file, const std::function<std::string()>& source,
                    const TranslateOptions& options, const std::function<std::string()>& expanded);

}  // namespace parallax
