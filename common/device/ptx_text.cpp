// Takes PTX apart: comments, declarations, functions, statements.
#include "common/device/ptx_text.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "common/text/characters.hpp"

namespace parallax {
namespace {

constexpr std::string_view blanks(" \t\n\v\f\r\0", 7);

bool is_space(char c) {
    return blanks.find(c) != blanks.npos;
}

/// Past the string that begins at `at`; it ends with its line at the latest.
std::size_t after_string(std::string_view text, std::size_t at) {
    const std::size_t end = text.find_first_of("\"\n", at + 1);
    return end == std::string_view::npos ? text.size() : end + 1;
}

std::string without_comments(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        if (text[at] == '"') {
            end = after_string(text, at);
        } else if (text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size());
            continue;
        } else if (text.substr(at, 2) == "/*") {
            const std::size_t close = text.find("*/", at + 2);
            at = close == std::string_view::npos ? text.size() : close + 2;
            result += ' ';
            continue;
        }
        result += text.substr(at, end - at);
        at = end;
    }
    return result;
}

/// Does a line begin here that has no semicolon: where the source line is, versions?
bool is_line(std::string_view text) {
    for (const std::string_view word : {".loc", ".file", ".version", ".target", ".address_size"}) {
        if (text.starts_with(word) && (text.size() == word.size() || is_space(text[word.size()]))) {
            return true;
        }
    }
    return text.starts_with("@@") || text.starts_with("#");
}

/// The line that `.loc 1 12 3` names, or where a function was inlined, that of its call.
unsigned source_line(std::string_view loc) {
    const std::size_t call = loc.find("inlined_at");
    std::istringstream numbers{std::string(loc.substr(call == loc.npos ? 4 : call + 10))};
    unsigned file = 0, source = 0;
    numbers >> file >> source;
    return source;
}

/// Past the brace that closes the one at `at`.
std::size_t after_braces(std::string_view text, std::size_t at) {
    for (std::size_t depth = 0; at < text.size();) {
        if (text[at] == '"') {
            at = after_string(text, at);
            continue;
        }
        if (text[at] == '{') ++depth;
        if (text[at] == '}' && --depth == 0) return at + 1;
        ++at;
    }
    return text.size();
}

/// Up to the first of `ends` outside strings.
std::size_t find_end(std::string_view text, std::size_t at, std::string_view ends) {
    while (at < text.size() && ends.find(text[at]) == ends.npos) {
        at = text[at] == '"' ? after_string(text, at) : at + 1;
    }
    return std::min(at, text.size());
}

/// The rest of `text` after `count` characters and spaces.
std::string_view after(std::string_view text, std::size_t count) {
    return trimmed(text.substr(std::min(count, text.size())), blanks);
}

bool has_directive(std::string_view declaration, std::string_view directive) {
    for (std::size_t at = declaration.find(directive); at != declaration.npos;
         at = declaration.find(directive, at + 1)) {
        const std::size_t end = at + directive.size();
        if (end == declaration.size() || !is_word(declaration[end])) return true;
    }
    return false;
}

/// The parts of `(.param .b32 a, .param .b32 b)` at the beginning of `text`, which is moved past
/// it.
std::vector<std::string_view> declarations_in(std::string_view& text) {
    std::vector<std::string_view> parts;
    if (!text.starts_with('(')) return parts;
    const std::size_t close = std::min(text.find(')'), text.size());
    std::string_view list = text.substr(1, close - 1);
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (!declared_word(list.substr(0, comma)).empty()) parts.push_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    text = after(text, close + 1);
    return parts;
}

/// `.visible .entry name(...)`, `.func (.param .b32 result) name(...)`.
PtxFunction heading(std::string_view text) {
    PtxFunction function;
    function.is_entry = has_directive(text, ".entry");
    const std::string_view directive = function.is_entry ? ".entry" : ".func";
    text = after(text, text.find(directive) + directive.size());
    function.results = declarations_in(text);
    std::size_t end = 0;
    while (end < text.size() && is_word(text[end])) ++end;
    function.name = text.substr(0, end);
    text = after(text, end);
    function.parameters = declarations_in(text);
    return function;
}

PtxStatement statement(std::string_view text) {
    PtxStatement made;
    text = trimmed(text, blanks);
    std::size_t end = 0;
    if (text.starts_with('@')) {
        end = 1;
        while (end < text.size() && (is_word(text[end]) || text[end] == '!')) ++end;
        made.guard = text.substr(0, end);
        text = after(text, end);
    }
    end = 0;
    while (end < text.size() && (is_word(text[end]) || text[end] == '.' || text[end] == ':')) ++end;
    made.name = text.substr(0, end);
    made.rest = after(text, end);
    if (made.name.starts_with('.')) {
        const bool declares = made.name == ".reg" || made.name == ".shared" ||
                              made.name == ".local" || made.name == ".param" ||
                              has_directive(text, ".shared");
        made.kind = declares ? PtxStatement::Kind::declaration : PtxStatement::Kind::directive;
    }
    return made;
}

}  // namespace

bool is_word(char c) {
    return is_word_character(c) || c == '$' || c == '%';
}

std::string_view declared_word(std::string_view declaration) {
    std::string_view last;
    declaration = declaration.substr(0, declaration.find_first_of("[=<"));
    for_each_word(declaration, [&](std::string_view word, std::size_t begin) {
        if (begin == 0 || declaration[begin - 1] != '.') last = word;
    });
    return last;
}

PtxText::PtxText(std::string_view ptx) : text_(without_comments(ptx)) {
    parse();
}

void PtxText::parse() {
    const std::string_view text = text_;
    for (std::size_t at = 0; at < text.size();) {
        if (is_space(text[at])) {
            ++at;
            continue;
        }
        if (is_line(text.substr(at, 32))) {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        const std::size_t end = find_end(text, at, ";{");
        if (end == text.size()) return;
        const std::string_view head = trimmed(text.substr(at, end - at), blanks);
        if (text[end] == ';') {
            if (has_directive(head, ".shared")) shared_.emplace(declared_word(head), head);
            at = end + 1;
        } else if (has_directive(head, ".entry") || has_directive(head, ".func")) {
            PtxFunction function = heading(head);
            at = end + 1;
            if (!parse_body(at, function)) return;
            function.braces = text.substr(end, at - end);
            // An overload would have another mangled name: of two, one is a device's variant.
            if (places_.emplace(function.name, functions_.size()).second) {
                functions_.push_back(std::move(function));
            }
        } else {  // an initialiser or a section
            at = after_braces(text, end);
        }
    }
}

/// @param at  past the brace that opens the body; past the one that closes it after the call
/// @return false: the body does not end
bool PtxText::parse_body(std::size_t& at, PtxFunction& into) const {
    const std::string_view text = text_;
    unsigned source = 0;
    for (std::size_t depth = 1; at < text.size();) {
        if (is_space(text[at]) || text[at] == ';') {
            ++at;
        } else if (text[at] == '{') {
            ++depth;
            ++at;
        } else if (text[at] == '}') {
            ++at;
            if (--depth == 0) return true;
        } else if (is_line(text.substr(at, 32))) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            if (text.substr(at).starts_with(".loc"))
                source = source_line(text.substr(at, end - at));
            at = end;
        } else {
            std::size_t end = at;
            while (end < text.size() && is_word(text[end])) ++end;
            std::size_t colon = end;
            while (colon < text.size() && is_space(text[colon])) ++colon;
            if (end > at && colon < text.size() && text[colon] == ':' &&
                text.substr(colon, 2) != "::") {
                into.body.push_back({PtxStatement::Kind::label, {}, text.substr(at, end - at), {}});
                at = colon + 1;
                continue;
            }
            end = find_end(text, at, ";");
            if (end == text.size()) return false;
            into.body.push_back(statement(text.substr(at, end - at)));
            into.body.back().line = source;
            at = end + 1;
        }
    }
    return false;
}

const PtxFunction* PtxText::function(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &functions_[found->second];
}

std::vector<const PtxFunction*> PtxText::with_callees(std::string_view kernel) const {
    std::vector<const PtxFunction*> reached;
    const PtxFunction* const first = function(kernel);
    if (!first || !first->is_entry) return reached;
    reached.push_back(first);
    std::unordered_set<std::string_view> known{kernel};
    for (std::size_t next = 0; next < reached.size(); ++next) {
        for (const PtxStatement& s : reached[next]->body) {
            if (s.name != "call" && !s.name.starts_with("call.")) continue;
            for_each_word(s.rest, [&](std::string_view word, std::size_t) {
                const PtxFunction* const callee = function(word);
                if (callee && known.insert(word).second) reached.push_back(callee);
            });
        }
    }
    return reached;
}

}  // namespace parallax
