// Parses build options as OpenCL's compilers do: word by word.
#include "common/device/build_options.hpp"

#include <optional>
#include <utility>

namespace parallax {
namespace {

std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    std::optional<std::string> word;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == 0) break;
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
            if (!word) word.emplace();
        } else if (c == '\\' && i + 1 < text.size() && quote != '\'' &&
                   std::string_view(" \t\"'\\").find(text[i + 1]) != std::string_view::npos) {
            if (!word) word.emplace();
            *word += text[++i];
        } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            if (word) words.push_back(*std::exchange(word, std::nullopt));
        } else {
            if (!word) word.emplace();
            *word += c;
        }
    }
    if (word) words.push_back(*std::move(word));
    return words;
}

}  // namespace

BuildOptions parse_build_options(std::string_view text) {
    BuildOptions options;
    const std::vector<std::string> words = words_in(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string word = words[i];
        if ((word == "-D" || word == "-I" || word == "-U") && i + 1 < words.size()) {
            word += words[++i];
        }
        if (word.starts_with("-I")) {
            options.folders.push_back(word.substr(2));
            continue;
        }
        options.words.push_back(word);
        if (word.starts_with("-D")) {
            const std::size_t equals = word.find('=');
            const std::string name = word.substr(2, equals == word.npos ? word.npos : equals - 2);
            std::erase(options.undefined, name);
            options.defines.push_back({name, equals == word.npos ? "1" : word.substr(equals + 1)});
        } else if (word.starts_with("-U")) {
            std::erase_if(options.defines,
                          [&](const Define& one) { return one.name == word.substr(2); });
            options.undefined.push_back(word.substr(2));
        } else if (word.starts_with("-cl-std=")) {
            options.standard = word.substr(8);
        } else if (word == "-cl-fast-relaxed-math" || word == "-cl-unsafe-math-optimizations") {
            options.floats.relaxed = true;
        } else if (word == "-cl-denorms-are-zero") {
            options.floats.flush_denormals = true;
        } else if (word == "-cl-fp32-correctly-rounded-divide-sqrt") {
            options.floats.exact_division = true;
        } else if (word == "-cl-single-precision-constant" || word == "-x") {
            options.without_counterpart.push_back(word);
        }
    }
    return options;
}

}  // namespace parallax
