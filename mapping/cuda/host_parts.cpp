// Goes through the declarations of a CUDA C++ source.
#include "mapping/cuda/host_parts.hpp"

#include <algorithm>
#include <set>

#include "common/error.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax::cuda_reading {
namespace {

/// The source without `#line`, so that a token's line is its line in the source.
std::string without_line_numbers(std::string_view text) {
    std::string made;
    for (const std::string_view line : lines_of(text)) {
        made += (after_directive(line, "line") ? "" : std::string(line)) + '\n';
    }
    return made;
}

/// Whether the word may precede a declaration's name without telling host from device code.
bool is_plain_word(const Token& word) {
    return word.text.starts_with("__") ||
           word.is_one_of({"static",       "inline",   "extern",   "const",   "volatile",
                           "unsigned",     "signed",   "long",     "short",   "int",
                           "char",         "float",    "double",   "void",    "bool",
                           "auto",         "struct",   "class",    "union",   "enum",
                           "typename",     "virtual",  "explicit", "friend",  "register",
                           "operator",     "template", "noexcept", "alignas", "decltype",
                           "thread_local", "mutable",  "wchar_t"});
}

bool is_of_device(const Token& word) {
    return word.is_one_of(
        {"__global__", "__device__", "__constant__", "__managed__", "__shared__", "constexpr"});
}

class Scan {
public:
    /// @param macros  that are left in the source
    Scan(std::vector<Token> tokens, std::set<std::string, std::less<>> macros)
        : tokens_(std::move(tokens)), macros_(std::move(macros)) {}

    SourceParts run() && {
        for (std::size_t i = 0; i < tokens_.size();) {
            const std::size_t from = i;
            const Token& token = tokens_[i];
            if (token.is("extern") && tokens_[i + 1].kind == TokenKind::string) {
                i += tokens_[i + 2].is("{") ? 3 : 2;
            } else if (token.is("namespace") ||
                       (token.is("inline") && tokens_[i + 1].is("namespace"))) {
                while (i < tokens_.size() && !tokens_[i].is_one_of({"{", ";"})) ++i;
                ++i;
            } else if (token.is("template")) {
                const auto close = tokens_.angle(i + 1);
                head_ = is_template_ ? head_ : i;
                is_template_ = close.has_value();
                i = close ? *close + 1 : i + 1;
            } else if (token.kind == TokenKind::directive ||
                       token.is_one_of({";", "}", ")", "]"})) {
                ++i;
            } else {
                i = declaration(i, is_template_ ? head_ : i);
                is_template_ = false;
            }
            i = std::max(i, from + 1);
        }
        // A definition is the device's where a prototype says so.
        for (const auto& [name, first, last] : functions_) {
            if (!of_device_.contains(name)) add_host(first, last);
        }
        return std::move(made_);
    }

private:
    struct HostFunction {
        std::string name;
        std::size_t first = 0, last = 0;
    };

    std::size_t declaration(std::size_t first, std::size_t head) {
        std::size_t i = first, name = 0, open = 0, brace = 0;
        bool assigned = false, is_kernel = false, is_odd = false;
        for (; i < tokens_.size() && !tokens_[i].is_one_of({";", "}"}); ++i) {
            const Token& token = tokens_[i];
            if (token.is("__global__")) {
                // Words of a macro without a semicolon may be before it.
                if (open != 0 || assigned || brace != 0) return i;
                is_kernel = true;
            }
            assigned = assigned || token.is("=");
            if (token.is("(")) {
                const std::size_t close = tokens_.match(i);
                const bool is_attribute =
                    (tokens_[i - 1].text.starts_with("__") && !tokens_[close + 1].is("{")) ||
                    tokens_[i - 1].is_one_of({"alignas", "decltype", "noexcept", "explicit"});
                if (open == 0 && !assigned && i > first && !is_attribute) {
                    open = i;
                    name = name_before(i);
                    // `MACRO(x) float f(float v)`
                    const Token& next = tokens_[close + 1];
                    is_odd = next.kind == TokenKind::identifier &&
                             !next.is_one_of({"const", "noexcept", "override", "final", "throw",
                                              "try", "__attribute__", "requires", "volatile"});
                }
                i = close;
            } else if (token.is("[")) {
                i = tokens_.match(i);
            } else if (token.is("{")) {
                const std::size_t close = tokens_.match(i);
                if (open != 0 && !assigned && !tokens_[first].is("typedef")) {
                    function({.head = head,
                              .first = first,
                              .name = name,
                              .open = open,
                              .last = close,
                              .is_kernel = is_kernel,
                              .is_odd = is_odd});
                    return close + 1;
                }
                brace = i;
                i = close;
            }
        }
        other({.head = head,
               .first = first,
               .name = name,
               .open = assigned ? 0 : open,
               .last = i,
               .is_kernel = is_kernel,
               .is_odd = is_odd},
              brace);
        return i + 1;
    }

    struct Declaration {
        std::size_t head = 0, first = 0, name = 0, open = 0, last = 0;
        bool is_kernel = false, is_odd = false;
    };

    /// The name before a parameter list: of `k<float>(` that of the template.
    std::size_t name_before(std::size_t open) const {
        const std::size_t end = open - 1;
        for (std::size_t k = end; tokens_[end].is_one_of({">", ">>"}) && k-- > 1;) {
            if (tokens_.angle(k) == end) return k - 1;
        }
        return end;
    }

    /// `C::f/2`: a function of two parameters.
    std::string key(const Declaration& one) const {
        std::size_t commas = tokens_.match(one.open) > one.open + 1 ? 1 : 0;
        for (std::size_t i = one.open + 1; i < tokens_.match(one.open); ++i) {
            if (tokens_[i].is(",")) ++commas;
            if (const auto close = tokens_.angle(i)) i = *close;
            if (tokens_[i].is("(")) i = tokens_.match(i);
        }
        return std::string(tokens_[one.name].text) + '/' + std::to_string(commas);
    }

    /// Whether the words before a name say whose it is: the device's, or nothing that is known.
    bool may_be_device(const Declaration& one, std::size_t end) const {
        for (std::size_t k = one.first; k < end; ++k) {
            const Token& token = tokens_[k];
            if (is_of_device(token)) return true;
            if (token.kind != TokenKind::identifier || is_plain_word(token)) continue;
            if (macros_.contains(token.text)) return true;
            const Token& next = tokens_[k + 1];
            const bool is_type = k + 1 >= end || next.kind != TokenKind::identifier ||
                                 next.is_one_of({"const", "volatile"});
            const bool is_named =
                k > one.first &&
                (tokens_[k - 1].is_one_of({"struct", "class", "union", "enum", "typename"}) ||
                 tokens_.is_scope(k - 2));
            if (!is_type && !is_named && k + 1 != one.name) return true;
        }
        return false;
    }

    void function(const Declaration& one) {
        const bool is_device = may_be_device(one, one.name);
        if (one.is_kernel) {
            made_.kernels.push_back(
                {std::string(tokens_[one.name].text), {line(one.head), line(one.last)}});
        }
        if (is_device) of_device_.insert(key(one));
        // A function without a type is a macro, or a constructor.
        const bool is_bare = one.name == one.first;
        if (!is_device && !one.is_odd && !is_bare)
            functions_.push_back({key(one), one.head, one.last});
    }

    /// A prototype, a variable, a type.
    void other(const Declaration& one, std::size_t brace) {
        const Token& word = tokens_[one.first];
        if (word.is_one_of({"typedef", "using", "friend", "enum"})) return;
        if (word.is_one_of({"struct", "class", "union"})) {
            if (brace != 0) return members(brace);
            if (one.last == one.first + 2) return;  // a type that is defined later
        }
        if (one.open != 0) {
            if (may_be_device(one, one.name)) {
                of_device_.insert(key(one));
            } else if (!one.is_odd && one.name != one.first) {
                add_host(one.head, one.last);
            }
            return;
        }
        if (is_template_) return;
        std::size_t end = one.first;  // of the words before the name
        while (end < one.last && !tokens_[end].is_one_of({"=", "[", "{", ",", "("})) ++end;
        bool is_variable = false, is_fixed = false;
        for (std::size_t k = one.first; k < one.last && !tokens_[k].is("="); ++k) {
            is_variable = is_variable || tokens_[k].is_one_of({"__constant__", "__device__"});
            if (tokens_[k].is("*")) is_fixed = false;  // `const char* name`
            if (tokens_[k].is("const")) is_fixed = true;
        }
        if (is_variable) made_.variables.push_back(line(one.first));
        Declaration variable = one;
        variable.name = end - (end > one.first);
        if (!is_fixed && variable.name > one.first && !may_be_device(variable, variable.name))
            add_host(one.first, one.last);
    }

    /// Functions of the device that a type declares, and that may be defined outside of it.
    void members(std::size_t open) {
        bool is_device = false;
        for (std::size_t i = open + 1; i < tokens_.match(open); ++i) {
            const Token& token = tokens_[i];
            if (is_of_device(token) || macros_.contains(token.text)) is_device = true;
            if (token.is_one_of({";", "{"})) {
                if (token.is("{")) i = tokens_.match(i);
                is_device = false;
            } else if (token.is("(")) {
                if (is_device) of_device_.insert(key({.name = name_before(i), .open = i}));
                i = tokens_.match(i);
            }
        }
    }

    std::size_t line(std::size_t token) const { return tokens_[token].line - 1; }

    void add_host(std::size_t first, std::size_t last) {
        last = std::min(last, tokens_.size() - 1);
        // `extern "C"` is passed over before a declaration.
        const bool is_c = first > 1 && tokens_[first - 2].is("extern");
        const std::size_t begin = is_c ? first - 2 : first;
        const bool is_alone = (begin == 0 || line(begin - 1) < line(begin)) &&
                              (last + 1 >= tokens_.size() || line(last + 1) > line(last));
        if (is_alone) made_.host.emplace_back(line(begin), line(last));
    }

    Tokens tokens_;
    std::set<std::string, std::less<>> macros_;
    SourceParts made_;
    std::vector<HostFunction> functions_;
    std::set<std::string> of_device_;
    std::size_t head_ = 0;  // the word `template`
    bool is_template_ = false;
};

}  // namespace

SourceParts parts_of_source(std::string_view file, std::string_view source,
                            const std::vector<Define>& defines) {
    std::string text = lexable(without_line_numbers(source));
    std::set<std::string, std::less<>> macros;
    bool is_expanded = false;
    if (can_expand() && (text.find('#') != text.npos || !defines.empty())) {
        std::vector<Define> all = defines;
        for (const auto& [name, value] : {std::pair{"__CUDACC__", "1"},
                                          {"__NVCC__", "1"},
                                          {"__CUDACC_RTC__", "1"},
                                          {"__CUDA_ARCH__", "900"}}) {
            if (std::ranges::find(all, name, &Define::name) == all.end())
                all.push_back({name, value});
        }
        try {
            text = expanded("source", text, all, {}, PathSandbox({}),
                            {"__OPENCL_VERSION__", "__OPENCL_C_VERSION__"});
            is_expanded = true;
        } catch (const Error&) {  // its macros stay unknown words
        }
    }
    if (!is_expanded) {
        for (const DirectiveLine& one : directives_of(text).all) {
            if (one.name != "define") continue;
            const std::size_t end = one.rest.find_first_of(" \t(");
            macros.emplace(one.rest.substr(0, end));
        }
        for (const Define& one : defines) macros.insert(one.name.substr(0, one.name.find('(')));
    }
    return Scan(lex(file, text), std::move(macros)).run();
}

}  // namespace parallax::cuda_reading
