// Takes apart what the demangler prints: `void scale<float>(float const*, int)`.
#include "common/text/demangled.hpp"

#include <cstdlib>
#include <map>
#include <memory>

#include <cxxabi.h>

namespace parallax {
namespace {

/// The place of the bracket that the one at `end` closes; npos: none.
std::size_t opening(const std::string& text, std::size_t end) {
    int depth = 0;
    for (std::size_t i = end + 1; i-- > 0;) {
        if (text[i] == ')' || text[i] == '>') ++depth;
        if (text[i] != '(' && text[i] != '<') continue;
        if (--depth == 0) return i;
    }
    return std::string::npos;
}

std::vector<std::string> split_list(const std::string& list) {
    std::vector<std::string> items;
    int depth = 0;
    std::string item;
    for (const char c : list) {
        if (c == '(' || c == '<' || c == '[') ++depth;
        if (c == ')' || c == '>' || c == ']') --depth;
        if (c == ',' && depth == 0) {
            items.push_back(std::move(item));
            item.clear();
        } else if (c != ' ' || !item.empty()) {
            item += c;
        }
    }
    if (!item.empty()) items.push_back(std::move(item));
    return items;
}

std::string demangled_text(const std::string& mangled) {
    if (!mangled.starts_with("_Z")) return mangled;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> made(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
    return made ? made.get() : mangled;
}

}  // namespace

std::string readable_name(const std::string& mangled) {
    std::string text = demangled_text(mangled);
    // CUDA's compilers have classes for it, and clang a type.
    for (std::size_t at = 0; (at = text.find("__half", at)) != text.npos;) text.erase(at, 2);
    return text;
}

FunctionName demangled(const std::string& mangled) {
    std::string text = demangled_text(mangled);
    if (text == mangled) return {mangled, {}, mangled};
    const std::size_t close = text.rfind(')');
    const std::size_t open = close == text.npos ? text.npos : opening(text, close);
    if (open == text.npos) return {text, {}, text};
    FunctionName function{{}, split_list(text.substr(open + 1, close - open - 1))};
    text.resize(open);
    constexpr std::string_view result = "void ", unnamed = "(anonymous namespace)::";
    function.expression = text.substr(text.starts_with(result) ? result.size() : 0);
    if (const std::size_t at = function.expression.find(unnamed); at != text.npos)
        function.expression.erase(at, unnamed.size());
    while (text.ends_with('>')) {
        const std::size_t begin = opening(text, text.size() - 1);
        if (begin == text.npos) break;
        text.resize(begin);
    }
    const std::size_t before = text.find_last_of(": ");
    function.name = before == text.npos ? text : text.substr(before + 1);
    return function;
}

ScalarName pointee_of(std::string_view parameter) {
    static const std::map<std::string_view, ScalarName, std::less<>> scalars{
        {"char", {"char", 1}},
        {"signed char", {"char", 1}},
        {"unsigned char", {"uchar", 1}},
        {"uchar", {"uchar", 1}},
        {"short", {"short", 2}},
        {"unsigned short", {"ushort", 2}},
        {"ushort", {"ushort", 2}},
        {"int", {"int", 4}},
        {"unsigned int", {"uint", 4}},
        {"uint", {"uint", 4}},
        {"long", {"long", 8}},
        {"unsigned long", {"ulong", 8}},
        {"ulong", {"ulong", 8}},
        {"long long", {"long", 8}},
        {"unsigned long long", {"ulong", 8}},
        {"longlong", {"long", 8}},
        {"ulonglong", {"ulong", 8}},
        {"__half", {"half", 2}},
        {"float", {"float", 4}},
        {"double", {"double", 8}}};
    const auto drop = [&](std::string_view ending) {
        if (!parameter.ends_with(ending)) return false;
        parameter.remove_suffix(ending.size());
        return true;
    };
    drop(" __restrict__") || drop(" restrict");
    if (!drop("*")) return {};
    while (drop(" const") || drop(" volatile")) continue;
    auto found = scalars.find(parameter);
    if (found == scalars.end() && !parameter.empty() && parameter.back() >= '1' &&
        parameter.back() <= '4') {
        // CUDA's vectors: float4, uchar2.
        found = scalars.find(parameter.substr(0, parameter.size() - 1));
    }
    return found == scalars.end() ? ScalarName() : found->second;
}

}  // namespace parallax
