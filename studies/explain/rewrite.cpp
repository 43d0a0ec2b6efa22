// Changes tokens of a kernel's source, and joins them again.
#include "studies/explain/rewrite.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/analyze/edited_source.hpp"
#include "mapping/analyze/value_type.hpp"
#include "studies/explain/source_hunks.hpp"

namespace parallax {
namespace {

bool is_local(const Token& token) {
    return token.is("__local") || token.is("local") || token.is("__shared__");
}
bool is_global(const Token& token) {
    return token.is("__global") || token.is("global");
}
bool is_restrict(const Token& token) {
    return token.is("restrict") || token.is("__restrict") || token.is("__restrict__");
}

/// A declaration of a local array: from `__local` to its `;`.
struct LocalArray {
    std::size_t first = 0, last = 0;
    std::size_t name = 0;
    std::vector<std::size_t> opens;  ///< the `[` of its dimensions
};

/// Local arrays inside of function bodies, one declarator each.
std::vector<LocalArray> local_arrays(const EditedSource& text, const Item& function) {
    std::vector<LocalArray> found;
    if (function.body == 0) return found;
    for (std::size_t i = function.body; i < function.last; ++i) {
        // A member may be called `local`.
        if (!is_local(text[i]) || text[i - 1].is(".") || text[i - 1].is("->")) continue;
        LocalArray array{i, i, 0, {}};
        bool pointer = false;
        while (array.last < function.last && !text[array.last].is(";")) {
            const std::size_t at = array.last;
            // A pointer, also one to an array, or a second declarator.
            const bool group =
                text[at].is("(") && !text[at - 1].is_one_of({"__attribute__", "__align__"});
            if (text[at].is("*") || text[at].is(",") || group) pointer = true;
            if (text[at].is("[")) {
                if (array.opens.empty()) array.name = at - 1;
                array.opens.push_back(at);
            }
            const bool bracket = text[at].is("[") || text[at].is("(");
            array.last = bracket ? text.match(at) + 1 : at + 1;
        }
        if (!pointer && !array.opens.empty()) found.push_back(array);
        i = array.last;
    }
    return found;
}

/// The parenthesis after `word` in [first, last), or 0.
std::size_t argument_of(const EditedSource& text, std::size_t first, std::size_t last,
                        std::string_view word) {
    for (std::size_t i = first; i + 1 < last; ++i) {
        if (text[i].is(word) && text[i + 1].is("(")) return i + 1;
    }
    return 0;
}

/// The `*` of a parameter that points to global memory without `restrict`, or 0.
std::size_t unrestricted(const EditedSource& text, const ParameterRange& range, bool read_only) {
    std::size_t star = 0;
    bool global = false, constant = false;
    for (std::size_t i = range.first; i < range.last; ++i) {
        if (is_restrict(text[i])) return 0;
        global = global || is_global(text[i]);
        constant = constant || (star == 0 && text[i].is("const"));
        if (text[i].is("*")) star = i;
    }
    // Pointers of a kernel of CUDA have no address space.
    return (global || text.is_cuda()) && (constant || !read_only) ? star : 0;
}

/// Whether a `volatile` belongs to the declaration of a function's own scalar or vector.
bool is_of_temporary(const EditedSource& text, std::size_t word) {
    const auto is_inside = [&](const Item& item) {
        return item.is_function() && item.body != 0 && word > item.body && word < item.last;
    };
    if (std::ranges::none_of(text.items(), is_inside)) return false;
    const auto ends = [&](std::size_t i) { return text[i].is_one_of({";", "{", "}", "(", ")"}); };
    std::size_t first = word, last = word;
    while (!ends(first - 1)) --first;
    while (!ends(last) && !text[last].is("=")) ++last;
    for (std::size_t i = first; i < last; ++i) {
        if (text[i].is_one_of({"*", "&", "["}) || is_local(text[i]) ||
            is_address_space(text[i].text)) {
            return false;
        }
    }
    return true;
}

/// Whether the type at `i` is of a pointer, a member or a kernel's parameter.
bool is_given_by_host(const EditedSource& text, std::size_t i) {
    if (text.is_member(i)) return true;
    std::size_t next = i + 1;
    while (text[next].is_one_of({"const", "volatile"})) ++next;
    return text[next].is("*") || std::ranges::any_of(text.items(), [&](const Item& item) {
               return (item.kind == Item::Kind::alias && i > item.first && i < item.last) ||
                      (item.kind == Item::Kind::kernel && i > item.open && i < item.close);
           });
}

/// A directive that says how a loop is to be unrolled.
bool is_unroll(const Token& token) {
    return token.kind == TokenKind::directive &&
           token.text.find("pragma") != std::string_view::npos &&
           token.text.find("unroll") != std::string_view::npos;
}

/// Whether a loop's body has another loop in it. @param loop  the `for`
bool has_inner_loop(const EditedSource& text, std::size_t loop, std::size_t last) {
    std::size_t i = text.match(loop + 1) + 1;
    const std::size_t end = text[i].is("{") ? text.match(i) : last;
    for (; i < end; ++i) {
        if (text[i].is("for") || text[i].is("while")) return true;
        // A body without braces ends with its statement.
        if (end == last && text[i].is(";")) return false;
        if (text[i].is("(")) i = text.match(i);
    }
    return false;
}

/// The `for` of each loop that gets a directive.
std::vector<std::size_t> loops_to_tell(const EditedSource& text, Unroll what, unsigned factor) {
    std::vector<std::size_t> loops;
    for (const Item& item : text.items()) {
        if (!item.is_function() || item.body == 0 || what == Unroll::silent) continue;
        for (std::size_t i = item.body; i < item.last; ++i) {
            if (!text[i].is("for") || !text[i + 1].is("(")) continue;
            const bool stays = what == Unroll::asked && (has_inner_loop(text, i, item.last) ||
                                                         (is_unroll(text[i - 1]) && factor == 0));
            if (!stays) loops.push_back(i);
        }
    }
    return loops;
}

/// CUDA's functions of `float` that have a form with two underscores, which is faster.
constexpr std::string_view with_fast_form[]{"sinf", "cosf",  "tanf",   "expf", "exp10f",
                                            "logf", "log2f", "log10f", "powf", "sincosf"};

/// Whether a function of that name, and no member, is called at `i`.
bool is_call_of(const EditedSource& text, std::size_t i, std::string_view function) {
    return text[i].is(function) && text[i + 1].is("(") &&
           (i == 0 || !text[i - 1].is_one_of({".", "->"}));
}

}  // namespace

std::vector<std::string> cuda_float_functions(std::string_view source) {
    const EditedSource text(source, SourceLanguage::cuda);
    std::vector<std::pair<std::string, int>> found;
    for (const std::string_view function : with_fast_form) {
        int calls = 0;
        for (std::size_t i = 0; i < text.size(); ++i) calls += is_call_of(text, i, function);
        if (calls > 0) found.emplace_back(function, calls);
    }
    std::ranges::stable_sort(found, std::greater{}, &std::pair<std::string, int>::second);
    std::vector<std::string> names;
    for (auto& [name, calls] : found) names.push_back(std::move(name));
    return names;
}

Rewritten cuda_fast_function(std::string_view source, std::string_view function) {
    EditedSource text(source, SourceLanguage::cuda);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_call_of(text, i, function)) text.replace(i, fmt::format("__{}", function));
    }
    return text.result();
}

Rewritten align_local_arrays(const SourceToChange& given, unsigned bytes) {
    EditedSource text(given.source, given.language);
    for (const Item& item : text.items()) {
        if (!item.is_function()) continue;
        for (const LocalArray& array : local_arrays(text, item)) {
            std::size_t open = argument_of(text, array.first, array.name, "aligned");
            if (open == 0) open = argument_of(text, array.first, array.name, "__align__");
            if (open == 0) {
                text.insert_after(array.first,
                                  text.is_cuda()
                                      ? fmt::format(" __align__({})", bytes)
                                      : fmt::format(" __attribute__((aligned({})))", bytes));
                continue;
            }
            const auto now = value_of_expression(text.between(open + 1, text.match(open)), {});
            if (now && *now >= bytes) continue;
            for (std::size_t i = open + 1; i < text.match(open); ++i) text.remove(i);
            text.insert_after(open, std::to_string(bytes));
        }
    }
    return text.result();
}

Rewritten restrict_pointers(const SourceToChange& given, bool read_only, std::string_view only) {
    EditedSource text(given.source, given.language);
    for (const Item& item : text.items()) {
        if (item.kind != Item::Kind::kernel) continue;
        for (const ParameterRange& range : text.parameters(item)) {
            if (!only.empty() && !text[range.last - 1].is(only)) continue;
            if (const std::size_t star = unrestricted(text, range, read_only)) {
                // Before the name after the star.
                text.insert_after(star, text.is_cuda() ? " __restrict__" : " restrict");
                if (text[star + 1].space.empty()) text.insert_after(star, " ");
            }
        }
    }
    return text.result();
}

std::vector<std::string> pointers_without_restrict(const SourceToChange& given,
                                                   const std::vector<std::string>& kernels) {
    const EditedSource text(given.source, given.language);
    std::vector<std::string> found;
    for (const Item& item : text.items()) {
        if (item.kind != Item::Kind::kernel) continue;
        const bool is_launched = std::ranges::any_of(kernels, [&](const std::string& kernel) {
            return text[item.name].is(plain_name(kernel));
        });
        if (!is_launched) continue;
        for (const ParameterRange& range : text.parameters(item)) {
            const std::string name(text[range.last - 1].text);
            if (unrestricted(text, range, false) == 0) continue;
            if (std::ranges::find(found, name) == found.end()) found.push_back(name);
        }
    }
    return found;
}

Rewritten without_restrict(const SourceToChange& given) {
    EditedSource text(given.source, given.language);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_restrict(text[i])) text.remove(i);
    }
    return text.result();
}

Rewritten without_volatile(const SourceToChange& given, bool temporaries) {
    EditedSource text(given.source, given.language);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i].is("volatile") && (!temporaries || is_of_temporary(text, i))) text.remove(i);
    }
    return text.result();
}

Rewritten require_group_size(const SourceToChange& given, std::string_view kernel,
                             const Size& items) {
    EditedSource text(given.source, given.language);
    const char* const said = text.is_cuda() ? "__launch_bounds__" : "reqd_work_group_size";
    for (const Item& item : text.items()) {
        if (item.kind != Item::Kind::kernel || !text[item.name].is(plain_name(kernel))) continue;
        if (argument_of(text, item.first, item.name, said) != 0) continue;
        std::size_t word = item.first;
        while (word < item.name && !text[word].is_one_of({"__kernel", "kernel", "__global__"})) {
            ++word;
        }
        text.insert_after(word, text.is_cuda() ? fmt::format(" {}({})", said, items.product())
                                               : fmt::format(" __attribute__(({}({}, {}, {})))",
                                                             said, items.x, items.y, items.z));
    }
    return text.result();
}

Rewritten without_group_size(const SourceToChange& given) {
    EditedSource text(given.source, given.language);
    for (const Item& item : text.items()) {
        if (item.kind != Item::Kind::kernel) continue;
        for (std::size_t i = item.first; i < item.name; ++i) {
            if (!text[i].is_one_of({"__attribute__", "__launch_bounds__"})) continue;
            if (!text[i + 1].is("(")) continue;
            const std::size_t close = text.match(i + 1);
            if (!text[i].is("__launch_bounds__") &&
                argument_of(text, i, close, "reqd_work_group_size") == 0) {
                continue;
            }
            for (std::size_t k = i; k <= close; ++k) text.remove(k);
        }
    }
    return text.result();
}

Rewritten unroll_loops(const SourceToChange& given, Unroll what, unsigned factor) {
    EditedSource text(given.source, given.language);
    for (std::size_t i = 0; i < text.size() && what != Unroll::asked; ++i) {
        if (is_unroll(text[i])) text.remove(i);
    }
    for (const std::size_t i : loops_to_tell(text, what, factor)) {
        if (is_unroll(text[i - 1])) text.remove(i - 1);
        const std::string how = what == Unroll::forbidden ? " 1"
                                : factor != 0             ? fmt::format(" {}", factor)
                                                          : "";
        text.replace(i, fmt::format("\n#pragma unroll{}\nfor", how));
    }
    return text.result();
}

std::vector<unsigned> lines_of_unrolled(const SourceToChange& given, Unroll what, unsigned factor) {
    const EditedSource text(given.source, given.language);
    std::vector<unsigned> lines;
    for (const std::size_t i : loops_to_tell(text, what, factor)) lines.push_back(text[i].line);
    return lines;
}

Rewritten pad_local_arrays(const SourceToChange& given) {
    EditedSource text(given.source, given.language);
    for (const Item& item : text.items()) {
        if (!item.is_function()) continue;
        for (const LocalArray& array : local_arrays(text, item)) {
            if (array.opens.size() < 2) continue;
            const std::size_t open = array.opens.back();
            text.insert_after(open, "(");
            text.insert_after(text.match(open) - 1, ") + 1");
        }
    }
    return text.result();
}

Rewritten without_doubles(const SourceToChange& given) {
    EditedSource text(given.source, given.language);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view word = text[i].text;
        if (text[i].is("double") && !is_given_by_host(text, i)) text.replace(i, "float");
        if (text[i].kind != TokenKind::number || word.starts_with("0x") || word.starts_with("0X")) {
            continue;
        }
        if (word.find_first_of(".eE") != std::string_view::npos && word.back() != 'f' &&
            word.back() != 'F') {
            text.replace(i, std::string(word) + "f");
        }
    }
    return text.result();
}

std::optional<DynamicLocal> make_local_dynamic(std::string_view source, std::string_view kernel,
                                               ElementType type,
                                               const std::vector<Constant>& constants) {
    EditedSource text(source);
    for (const Item& item : text.items()) {
        if (item.kind != Item::Kind::kernel || !text[item.name].is(kernel)) continue;
        const std::vector<LocalArray> arrays = local_arrays(text, item);
        if (arrays.size() != 1 || arrays[0].opens.size() != 1) return {};
        for (std::size_t i = item.open; i < item.last; ++i) {
            // `sizeof` of an array is the array's size, of a parameter the pointer's.
            if (text[i].is("sizeof") || (i < item.close && is_local(text[i]))) return {};
        }
        const LocalArray& array = arrays[0];
        const std::size_t open = array.opens[0], close = text.match(open);
        // `T`, `float`, `T4`: the word before the name.
        const std::string_view element = resolved(text[array.name - 1].text, type);
        const std::optional<ValueType> value = value_type_named(element);
        const std::optional<ElementType> scalar =
            value ? element_type_named(value->element) : std::nullopt;
        const std::optional<std::int64_t> extent =
            value_of_expression(text.between(open + 1, close), constants);
        if (!scalar || !extent || *extent < 1 || !text[close + 1].is(";")) return {};
        text.insert_after(item.close - 1, fmt::format(", __local {}* {}", text[array.name - 1].text,
                                                      text[array.name].text));
        for (std::size_t i = array.first; i <= array.last; ++i) text.remove(i);
        const std::uint64_t bytes = static_cast<std::uint64_t>(*extent) * size_of(*scalar) *
                                    (value->width == 3 ? 4 : value->width);
        if (bytes > 0xffffffffu) return {};
        return DynamicLocal{*text.result(), static_cast<std::uint32_t>(bytes)};
    }
    return {};
}

}  // namespace parallax
