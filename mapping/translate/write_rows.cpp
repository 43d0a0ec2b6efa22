// Writes the rows of the mapping table where they fit.
#include <algorithm>

#include "mapping/translate/writer.hpp"

namespace parallax {

std::size_t Writer::write_row(std::size_t i, std::size_t to) {
    for (Pattern pattern : Patterns::of_table().beginning_with(resolved(i))) {
        if (pattern.call && !at(i + 1).is("(")) continue;
        if (pattern.cuda == "cudaTextureObject_t")
            pattern.cuda = made_.image_word(pattern.words.back());
        std::vector<ParameterRange> arguments;
        const std::size_t past = fit(pattern, i, to, arguments);
        if (past == 0) continue;
        prelude_.key_words(pattern.cuda, call_type(i));
        if (pattern.cuda == pattern.opencl) {
            // The words and their layout stay. A call's arguments are written later.
            if (pattern.call) return plain(i, resolved(i), {pattern.row});
            for (; i < past; ++i) plain(i, resolved(i), {pattern.row});
            return past;
        }
        write_space(i);
        write_pattern(pattern, arguments, i, past);
        // The arguments beyond those that the row writes vanish.
        const auto uses = pattern.index ? 0 : std::ranges::count(pattern.cuda, '$');
        const auto unwritten =
            arguments.begin() + std::min<std::ptrdiff_t>(uses, std::ssize(arguments));
        for (std::size_t k = i + 1; k < past; ++k) {
            const bool written = std::any_of(
                arguments.begin(), unwritten,
                [k](const ParameterRange& range) { return k >= range.first && k < range.last; });
            if (!written) keep_layout(k);
        }
        return past;
    }
    return 0;
}

std::size_t Writer::fit(const Pattern& pattern, std::size_t i, std::size_t to,
                        std::vector<ParameterRange>& arguments) const {
    for (std::size_t k = 0; k < pattern.words.size(); ++k) {
        if (i >= to) return 0;
        if (pattern.words[k] != "$") {
            if (resolved(i) != pattern.words[k]) return 0;
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < to && !at(i).is_one_of({",", ")", "]", "}", ";"})) {
            i = std::max(i, outline_.match[i]) + 1;
        }
        if (i == first) return 0;
        if (pattern.index && (i != first + 1 || dimension(first).empty())) return 0;
        arguments.push_back({first, i});
    }
    return i;
}

std::string_view Writer::dimension(std::size_t i) const {
    const Token& token = at(i);
    if (token.is_one_of({"0", "0u", "0U"})) return "x";
    if (token.is_one_of({"1", "1u", "1U"})) return "y";
    if (token.is_one_of({"2", "2u", "2U"})) return "z";
    return {};
}

void Writer::write_pattern(const Pattern& pattern, const std::vector<ParameterRange>& arguments,
                           std::size_t i, std::size_t past) {
    std::size_t next = 0, from = start_of(i);
    std::string text;
    const auto write_text = [&] {
        if (!text.empty()) put(text, from, end_of(past - 1), {pattern.row});
        text.clear();
    };
    for (const char c : pattern.cuda) {
        if (c != '$') {
            text += c;
        } else if (pattern.index) {
            text += dimension(arguments.front().first);
        } else {
            write_text();
            const ParameterRange range = arguments[next++];
            swallow_ = true;
            write(range.first, range.last);
            from = end_of(range.last - 1);
        }
    }
    write_text();
    // The text after the last kept argument, or all of it where nothing is written.
    put("", from, end_of(past - 1), {pattern.row});
}

}  // namespace parallax
