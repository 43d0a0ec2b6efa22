// Turns the rows of the mapping table into token patterns.
#include "mapping/analyze/patterns.hpp"

#include <algorithm>
#include <stdexcept>

#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

// No word of OpenCL C, so that the lexer can read a row with `$` in it.
constexpr std::string_view argument = "__argument";

bool contains(std::string_view text, std::string_view word) {
    return text.find(word) != text.npos;
}

/// Rows that describe what the translator does with a construct as a whole.
bool is_description(const MappingRule& row, std::string_view first) {
    return row.equivalence == Equivalence::none || row.topic == "names" ||
           is_one_of(first, {"typedef", "for", "T", "T2", "T4", "__kernel", "kernel"}) ||
           is_address_space(first) || first[0] == '\'' || first[0] == '.' ||
           (first[0] >= '0' && first[0] <= '9');
}

}  // namespace

std::vector<std::string_view> words_of(const MappingRule& refusal) {
    return split(refusal.opencl, ", ");
}

Patterns::Patterns() {
    for (const MappingRule& row : mapping_table()) {
        if (row.equivalence == Equivalence::none) {
            for (std::string_view word : words_of(row)) {
                Family family{.row = &row};
                family.called = word.ends_with("()");
                if (family.called) word.remove_suffix(2);
                const std::size_t star = word.find('*');
                family.begin = word.substr(0, star);
                if (star == word.npos) {
                    words_.emplace(word, std::move(family));
                } else {
                    family.end = word.substr(star + 1);
                    families_.push_back(std::move(family));
                }
            }
            continue;
        }
        for (const Spelling& one : spellings_of(row)) add_for_vectors(row, one);
    }
    for (auto& [word, list] : patterns_) {
        std::stable_sort(list.begin(), list.end(), [](const Pattern& a, const Pattern& b) {
            return a.words.size() > b.words.size();
        });
    }
}

void Patterns::add_for_vectors(const MappingRule& row, const Spelling& one) {
    const std::string_view vector = contains(one.opencl, "T4)")   ? "T4"
                                    : contains(one.opencl, "T2)") ? "T2"
                                                                  : "";
    if (vector.empty()) {
        add(row, one.opencl, one.cuda);
        return;
    }
    for (const std::string_view element : {"float", "double", "int", "uint"}) {
        const std::string type = std::string(element) + vector.back();
        const std::string cuda = type == "double4" ? "double4_32a" : type;
        add(row, replaced(one.opencl, vector, type), replaced(one.cuda, vector, cuda));
    }
}

void Patterns::add(const MappingRule& row, std::string_view opencl, std::string_view cuda) {
    const bool directive = opencl.starts_with('#');
    const std::string text = replaced(directive ? opencl.substr(1) : opencl, "$", argument);
    Pattern pattern{.row = &row, .opencl = std::string(opencl), .cuda = std::string(cuda)};
    const std::vector<Token> tokens = lex("the mapping table", text);
    if (!directive && is_description(row, tokens.front().text)) return;
    if (directive) pattern.words.push_back("#");
    for (const Token& token : tokens) {
        if (token.kind == TokenKind::end) break;
        pattern.words.emplace_back(token.is(argument) ? "$" : token.text);
    }
    pattern.index = cuda.find(".$") != cuda.npos;
    pattern.call = tokens.front().kind == TokenKind::identifier && pattern.words.size() > 2 &&
                   pattern.words[1] == "(" && pattern.words[0] != "__attribute__";
    patterns_[pattern.words.front()].push_back(std::move(pattern));
}

const Patterns& Patterns::of_table() {
    static const Patterns patterns;
    return patterns;
}

const std::vector<Pattern>& Patterns::beginning_with(std::string_view word) const {
    static const std::vector<Pattern> nothing;
    const auto found = patterns_.find(word);
    return found == patterns_.end() ? nothing : found->second;
}

bool Patterns::is_function(std::string_view word) const {
    const auto& list = beginning_with(word);
    return !list.empty() && list.front().call;
}

const MappingRule* Patterns::refusal(std::string_view word, bool called) const {
    if (const auto found = words_.find(word); found != words_.end()) {
        if (called || !found->second.called) return found->second.row;
    }
    const Family* best = nullptr;
    for (const Family& family : families_) {
        if (family.called && !called) continue;
        if (word.size() >= family.begin.size() + family.end.size() &&
            word.starts_with(family.begin) && word.ends_with(family.end) &&
            (!best || family.begin.size() > best->begin.size())) {
            best = &family;
        }
    }
    return best ? best->row : nullptr;
}

const MappingRule* Patterns::find(std::string_view key) {
    static const auto rows = [] {
        std::map<std::string, const MappingRule*, std::less<>> by_key;
        for (const MappingRule& row : mapping_table()) {
            for (const Spelling& one : spellings_of(row)) by_key.emplace(one.opencl, &row);
            if (row.equivalence != Equivalence::none) continue;
            for (const std::string_view word : words_of(row)) by_key.emplace(word, &row);
        }
        return by_key;
    }();
    const auto found = rows.find(key);
    return found == rows.end() ? nullptr : found->second;
}

const MappingRule& Patterns::row(std::string_view key) {
    if (const MappingRule* row = find(key)) return *row;
    throw std::logic_error("the mapping table has no row for " + std::string(key));
}

}  // namespace parallax
