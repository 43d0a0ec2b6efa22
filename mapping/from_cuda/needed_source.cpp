// Follows the words of a kernel to the declarations of its source.
#include "mapping/from_cuda/needed_source.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax::from_cuda {
namespace {

/// A declaration at file scope or in a namespace: the bytes [begin, end) of the tree's text.
struct Declaration {
    std::size_t begin = 0, end = 0;
    std::set<std::string> names = {};
    bool is_needed = false;
    bool is_of_host = false;
};

std::set<std::string> words_of(std::string_view text) {
    std::set<std::string> words;
    for (std::size_t i = 0; i < text.size();) {
        const bool is_line = text.substr(i, 2) == "//", is_block = text.substr(i, 2) == "/*";
        if (is_line || is_block) {
            i = std::min(text.find(is_line ? "\n" : "*/", i + 2), text.size() - 1) + 1;
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && is_word_character(text[end])) ++end;
        if (end > i) words.emplace(text.substr(i, end - i));
        i = std::max(end, i + 1);
    }
    return words;
}

class Needs {
public:
    explicit Needs(const ClangTree& tree) : tree_(tree) { find(tree.root); }

    std::string of(const Node& kernel) {
        for (Declaration& one : all_) {
            // What the device's code may use without a word of its own.
            const std::string_view text = text_of(one);
            const bool is_operator =
                text.find("operator") != text.npos && text.find("__device__") != text.npos;
            const bool is_using = one.names.contains("namespace") && text.find("std") == text.npos;
            const bool has_kernel = kernel.begin >= one.begin && kernel.begin < one.end;
            if (has_kernel) one.is_of_host = false;
            if (has_kernel || is_operator || is_using) need(one);
        }
        // All else is left out: what clang did not understand is the host's, too.
        std::string made = tree_.text;
        for (char& c : made) c = c == '\n' ? c : ' ';
        const auto copy = [&](std::size_t begin, std::size_t end) {
            std::copy_n(tree_.text.begin() + static_cast<std::ptrdiff_t>(begin), end - begin,
                        made.begin() + static_cast<std::ptrdiff_t>(begin));
        };
        for (const Declaration& one : all_) {
            if (one.is_needed) copy(one.begin, one.end);
        }
        for (const auto& [begin, end] : scopes_) copy(begin, end);
        for (const auto& [begin, end] : members_of_host_) {
            for (std::size_t i = begin; i < end; ++i) made[i] = made[i] == '\n' ? '\n' : ' ';
        }
        for (std::size_t begin = 0; begin < made.size();) {
            const std::size_t end = end_of_line(begin);
            const std::string_view line = std::string_view(tree_.text).substr(begin, end - begin);
            if (trimmed(line).starts_with('#') || line.starts_with("//#line")) copy(begin, end);
            begin = end + 1;
        }
        made = tree_.with_line_directives(made);
        return constants_in(made) + made;
    }

private:
    /// The end of a line that a `\\` may continue.
    std::size_t end_of_line(std::size_t begin) const {
        std::size_t end = begin;
        do {
            end = std::min(tree_.text.find('\n', end + (end > begin)), tree_.text.size());
        } while (end < tree_.text.size() && end > begin && tree_.text[end - 1] == '\\');
        return end;
    }

    /// Macros and types of headers that NVRTC does not have: `FLT_MAX`, `uint`.
    std::string constants_in(std::string_view made) const {
        const std::set<std::string> words = words_of(made);
        std::string lines;
        for (const std::string_view line :
             lines_of(std::string_view(tree_.text).substr(0, tree_.source))) {
            const bool is_macro = line.starts_with("#define "),
                       is_type = line.starts_with("typedef ");
            const std::set<std::string> own =
                words_of(is_macro  ? line.substr(8, line.find(' ', 8) - 8)
                         : is_type ? line
                                   : "");
            const bool is_own = std::ranges::any_of(own, [&](const std::string& word) {
                return words.contains(word) && is_of_a_header(word);
            });
            if (!is_own) continue;
            lines += is_macro ? fmt::format("#ifndef {0}\n{1}\n#endif\n", *own.begin(), line)
                              : fmt::format("{}\n", line);
        }
        for (const auto& [clangs, nvrtcs] :
             {std::pair("__builtin_huge_valf()", "__int_as_float(0x7f800000)"),
              {"__builtin_nanf(\"\")", "__int_as_float(0x7fffffff)"}}) {
            const std::string_view word = clangs;
            for (std::size_t at = 0; (at = lines.find(word, at)) != lines.npos;)
                lines.replace(at, word.size(), nvrtcs);
        }
        return lines.empty() ? lines : lines + line_directive(1, tree_.file) + "\n";
    }

    static bool is_of_a_header(std::string_view word) {
        for (const std::string_view start :
             {"FLT_", "DBL_", "INT_", "UINT_", "LONG_", "ULONG_", "LLONG_", "ULLONG_", "CHAR_",
              "SHRT_", "USHRT_", "M_"}) {
            if (word.starts_with(start)) return true;
        }
        return is_one_of(
            word, {"NAN", "INFINITY", "HUGE_VALF", "uchar", "ushort", "uint", "ulong", "int8_t",
                   "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"});
    }

    std::string_view text_of(const Declaration& one) const {
        return std::string_view(tree_.text).substr(one.begin, one.end - one.begin);
    }

    void find(const Node& scope) {
        for (const Node& one : scope.parts) {
            if (!one.has_place() || one.begin < tree_.source || one.is_implicit) continue;
            if (one.end > tree_.text.size()) continue;  // where an instance is asked for
            const std::size_t open = tree_.text.find_first_of("{;(", one.begin);
            const bool has_braces = open < one.end && tree_.text[open] == '{';
            if (has_braces && (one.is("NamespaceDecl") || one.is("LinkageSpecDecl"))) {
                scopes_.emplace_back(one.begin, open + 1);
                scopes_.emplace_back(one.end - 1, one.end);
                find(one);
            } else {
                add(one);
            }
        }
    }

    /// What only the host can run, or has a type that clang does not know.
    bool is_of_host(const Node& one) const {
        if (one.is("FunctionTemplateDecl")) {
            const Node* const pattern = one.part("FunctionDecl");
            return one.is_invalid || (pattern && is_of_host(*pattern));
        }
        const bool is_function = one.kind.ends_with("MethodDecl") || one.is("FunctionDecl") ||
                                 one.kind.ends_with("ConstructorDecl") ||
                                 one.kind.ends_with("DestructorDecl");
        const bool is_record = one.is("CXXRecordDecl") || one.is("ClassTemplateDecl");
        if (!is_function) return one.is_invalid && !is_record;
        if (one.is_invalid) return true;
        const std::string_view text =
            std::string_view(tree_.text)
                .substr(one.begin, one.has_place() ? one.end - one.begin : 0);
        const bool is_default = text.find("default") != text.npos && !one.part("CompoundStmt");
        return !(is_default || one.part("CUDADeviceAttr") || one.part("CUDAGlobalAttr") ||
                 one.is_constexpr || one.is_implicit);
    }

    /// A record that the device uses may have members that only the host does.
    void add_members_of_host(const Node& record) {
        if (record.is("ClassTemplateDecl")) {
            if (const Node* const pattern = record.part("CXXRecordDecl"))
                add_members_of_host(*pattern);
        }
        if (!record.is("CXXRecordDecl")) return;
        for (const Node& one : record.parts) {
            if (!one.has_place() || one.is_implicit) continue;
            if (one.is("CXXRecordDecl")) add_members_of_host(one);
            if (one.is("CXXRecordDecl") || !is_of_host(one)) continue;
            std::size_t end = one.end;
            const std::size_t next = tree_.text.find_first_not_of(" \t\r\n", end);
            if (next != std::string::npos && tree_.text[next] == ';') end = next + 1;
            members_of_host_.emplace_back(one.begin, end);
        }
    }

    void add(const Node& one) {
        std::size_t end = one.end;
        const std::size_t next = tree_.text.find_first_not_of(" \t\r\n", end);
        if (next != std::string::npos && tree_.text[next] == ';') end = next + 1;
        // A typedef has its struct within, and the declarators of one declaration begin alike.
        if (all_.empty() || one.begin >= all_.back().end) all_.push_back({one.begin, end, {}});
        all_.back().begin = std::min(all_.back().begin, one.begin);
        all_.back().end = std::max(all_.back().end, end);
        all_.back().is_of_host = all_.back().is_of_host || is_of_host(one);
        add_members_of_host(one);
        add_names(one, all_.back().names);
    }

    static void add_names(const Node& one, std::set<std::string>& names) {
        if (!one.name.empty()) names.insert(one.name);
        if (one.is("UsingDirectiveDecl") || one.is("UsingDecl")) names.insert("namespace");
        const bool has_parts = one.is("EnumDecl") || one.is("LinkageSpecDecl");
        for (const Node& part : one.parts) {
            if (has_parts) add_names(part, names);
        }
    }

    void need(Declaration& one) {
        if (one.is_needed || one.is_of_host) return;
        one.is_needed = true;
        const std::set<std::string> words = words_of(text_of(one));
        for (Declaration& other : all_) {
            const bool is_named = std::ranges::any_of(
                other.names, [&](const std::string& name) { return words.contains(name); });
            if (is_named) need(other);
        }
    }

    const ClangTree& tree_;
    std::vector<Declaration> all_;
    std::vector<std::pair<std::size_t, std::size_t>> scopes_;  ///< `namespace x {` and `}`
    std::vector<std::pair<std::size_t, std::size_t>> members_of_host_;
};

}  // namespace

std::string needed_source(const ClangTree& tree, const Node& kernel) {
    return Needs(tree).of(kernel);
}

}  // namespace parallax::from_cuda
