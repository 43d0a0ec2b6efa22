// Rewrites CUDA C++ token by token: work-item numbers, memory, casts, calls.
#include "mapping/cuda/function_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax::cuda_reading {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 12> atomics{{{"atomicAdd", "atomic_add"},
                                        {"atomicSub", "atomic_sub"},
                                        {"atomicExch", "atomic_xchg"},
                                        {"atomicMin", "atomic_min"},
                                        {"atomicMax", "atomic_max"},
                                        {"atomicInc", "atomic_add"},
                                        {"atomicDec", "atomic_sub"},
                                        {"atomicCAS", "atomic_cmpxchg"},
                                        {"atomicAnd", "atomic_and"},
                                        {"atomicOr", "atomic_or"},
                                        {"atomicXor", "atomic_xor"},
                                        {"red_add", "atomic_add"}}};

/// CUDA's functions that OpenCL C calls otherwise, where what they do says something of inputs.
constexpr std::array<Pair, 31> functions{
    {{"sqrtf", "sqrt"},    {"__fsqrt_rn", "sqrt"}, {"rsqrtf", "rsqrt"},   {"__frsqrt_rn", "rsqrt"},
     {"logf", "log"},      {"__logf", "log"},      {"log2f", "log2"},     {"__log2f", "log2"},
     {"log10f", "log10"},  {"__log10f", "log10"},  {"log1pf", "log1p"},   {"powf", "pow"},
     {"__powf", "pow"},    {"acosf", "acos"},      {"asinf", "asin"},     {"acoshf", "acosh"},
     {"atanhf", "atanh"},  {"lgammaf", "lgamma"},  {"tgammaf", "tgamma"}, {"fminf", "fmin"},
     {"fmaxf", "fmax"},    {"fabsf", "fabs"},      {"expf", "exp"},       {"__expf", "exp"},
     {"floorf", "floor"},  {"ceilf", "ceil"},      {"fmaf", "fma"},       {"__fmaf_rn", "fma"},
     {"__mul24", "mul24"}, {"__umul24", "mul24"},  {"__dsqrt_rn", "sqrt"}}};

template <std::size_t N>
std::string_view among(const std::array<Pair, N>& all, std::string_view name) {
    for (const auto& [own, other] : all) {
        if (own == name) return other;
    }
    return {};
}

constexpr std::array<Pair, 4> places{{{"threadIdx", "get_local_id"},
                                      {"blockIdx", "get_group_id"},
                                      {"blockDim", "get_local_size"},
                                      {"gridDim", "get_num_groups"}}};

bool is_cast(const Token& token) {
    return token.is_one_of({"static_cast", "reinterpret_cast", "const_cast"});
}

}  // namespace

std::string free_name(std::string_view name) {
    const bool taken = is_opencl_word(name) || value_type_named(name);
    return std::string(name) + (taken ? "_" : "");
}

void FunctionText::declare(const std::string& name, const std::string& type, unsigned pointers,
                           bool is_changed) {
    known_[name] = {type, pointers};
    if (is_changed) references_.insert(name);
}

void FunctionText::declare_memory(std::string_view name, const Variable& variable) {
    const bool is_one = variable.kind == Variable::Kind::device && variable.extents.empty();
    const CudaVariable made = form_.variable(variable, form_.file_.tokens());
    declare(std::string(name), as_word(made.type), variable.extents.empty() ? 0 : 1, is_one);
}

const FunctionText::Known* FunctionText::known(std::string_view name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> FunctionText::constant(std::string_view name) const {
    if (const auto own = constants_.find(name); own != constants_.end()) return own->second;
    if (name == "warpSize") return 32;
    return known(name) ? std::nullopt : form_.file_.constant(name);
}

std::optional<std::int64_t> FunctionText::constant(Range range) const {
    return constant_value(tokens_, range, [&](std::string_view name) { return constant(name); });
}

void FunctionText::put(std::size_t i, std::string_view text) {
    const std::string_view space = tokens_[i].space;
    if (space.find('\n') != space.npos) {
        out_ += '\n';
    } else if (!space.empty() || out_.empty() || tokens_[i].kind == TokenKind::identifier) {
        out_ += ' ';
    }
    out_ += text;
}

std::string FunctionText::rewritten(Range range) {
    std::string outer = std::exchange(out_, "");
    if (++depth_ <= 200) {
        for (std::size_t i = range.first; i < std::min(range.last, tokens_.size());) {
            const Token& token = tokens_[i];
            const std::size_t from = i;
            if (token.kind == TokenKind::directive) {
                out_ += "\n" + std::string(token.text) + "\n";
                ++i;
            } else if (token.kind == TokenKind::identifier) {
                i = word(i);
            } else if (tokens_.is_scope(i)) {
                i += 2;
            } else if (token.is("{") && i > 0 && tokens_[i - 1].is_one_of({"=", "]"})) {
                // `float t[4]{};`
                const bool is_empty = tokens_[i + 1].is("}");
                out_ += tokens_[i - 1].is("]") ? " =" : "";
                put(i, is_empty ? "{0}" : "{");
                i += is_empty ? 2 : 1;
            } else {
                put(i++, token.text);
            }
            i = std::max(i, from + 1);
        }
    }
    --depth_;
    return std::exchange(out_, std::move(outer));
}

bool FunctionText::begins_statement(std::size_t i) const {
    if (i == 0) return false;
    std::size_t before = i - 1;
    while (before > 0 && tokens_[before].kind == TokenKind::directive) --before;
    const Token& token = tokens_[before];
    if (token.is("(")) return before > 0 && tokens_[before - 1].is_one_of({"for", "if"});
    return token.is_one_of({";", "{", "}"}) || (token.is(":") && !tokens_.is_scope(before - 1));
}

std::size_t FunctionText::word(std::size_t i) {
    const Token& token = tokens_[i];
    const bool is_member = i > 0 && tokens_[i - 1].is_one_of({".", "->"});
    if (is_member) {
        put(i, token.text);
        return i + 1;
    }
    if (begins_statement(i)) {
        if (token.is_one_of({"asm", "__asm__", "using"})) {
            std::size_t end = i;
            while (end < tokens_.size() && !tokens_[end].is_one_of({";", "}"}))
                end = std::max(end, tokens_.match(end)) + 1;
            return end;
        }
        if (const std::size_t past = declaration(i)) return past;
    }
    // `std::min`, `Color::red`
    if (tokens_.is_scope(i + 1) && tokens_[i + 3].kind == TokenKind::identifier) return i + 3;
    if (const std::size_t past = work_item(i)) return past;
    if (const std::size_t past = group_call(i)) return past;
    if (token.is_one_of({"constexpr", "typename", "template", "inline", "static", "register",
                         "__forceinline__", "__noinline__", "__device__", "__host__",
                         "__restrict__", "__restrict", "__constant__", "__align__", "alignas"})) {
        const bool has_list = token.is_one_of({"__align__", "alignas"}) && tokens_[i + 1].is("(");
        if (token.is("constexpr") && !(i > 0 && tokens_[i - 1].is("if"))) put(i, "const");
        return has_list ? tokens_.match(i + 1) + 1 : i + 1;
    }
    if (token.is("nullptr")) {
        put(i, "0");
        return i + 1;
    }
    if (is_cast(token)) {
        const auto close = tokens_.angle(i + 1);
        if (close && tokens_[*close + 1].is("(")) {
            const std::size_t end = tokens_.match(*close + 1);
            const std::string type = rewritten({i + 2, *close}),
                              what = rewritten({*close + 2, end});
            put(i, fmt::format("(({})({}))", type, what));
            return end + 1;
        }
    }
    if (const auto value = constant(token.text); value && !tokens_[i + 1].is("(")) {
        put(i, *value < 0 ? fmt::format("({})", *value) : std::to_string(*value));
        return i + 1;
    }
    if (known(token.text)) {
        const std::string name = free_name(token.text);
        put(i, references_.contains(token.text) ? "(*" + name + ")" : name);
        return i + 1;
    }
    if (const std::size_t past = call(i)) return past;
    const bool integer = token.is_one_of({"unsigned", "signed", "long", "short", "char", "int"});
    if (integer || !opencl_type(token.text).empty()) {
        const auto type = type_at(tokens_, i);
        if (type && type->end > i) {
            const Token& next = tokens_[type->end];
            // `float(x)`, `T{}`
            const bool is_call = next.is("(") && !tokens_[type->end + 1].is_one_of({"*", "&"});
            if (is_call || (next.is("{") && i > 0 &&
                            !tokens_[i - 1].is_one_of({"struct", "class", "enum", "union"}))) {
                const std::size_t end = tokens_.match(type->end);
                const std::string what = rewritten({type->end + 1, end});
                put(i, fmt::format("(({})({}))", type->text,
                                   what.find_first_not_of(' ') == what.npos ? "0" : what));
                return end + 1;
            }
            put(i, (type->is_const ? "const " : "") + type->text);
            return type->end;
        }
    }
    put(i, free_name(token.text) == token.text || !is_opencl_word(token.text)
               ? std::string(token.text)
               : free_name(token.text));
    return i + 1;
}

/// `threadIdx.x` and the like; 0: it is none.
std::size_t FunctionText::work_item(std::size_t i) {
    const std::string_view function = among(places, tokens_[i].text);
    if (function.empty() || known(tokens_[i].text)) return 0;
    if (tokens_[i + 1].is(".") && tokens_[i + 2].is_one_of({"x", "y", "z"})) {
        put(i, fmt::format("{}({})", function, tokens_[i + 2].text[0] - 'x'));
        return i + 3;
    }
    put(i, fmt::format("(uint4)({0}(0), {0}(1), {0}(2), 0)", function));
    return i + 1;
}

/// Cooperative groups: `block.sync()`, `cg::this_grid().thread_rank()`; 0: none.
std::size_t FunctionText::group_call(std::size_t i) {
    const Token& token = tokens_[i];
    std::string_view group;
    std::size_t past = i + 1;
    if (const auto found = groups_.find(token.text); found != groups_.end()) {
        group = found->second;
    } else if (token.is_one_of({"this_thread_block", "this_grid"}) && tokens_[i + 1].is("(")) {
        group = token.is("this_grid") ? "grid" : "block";
        past = tokens_.match(i + 1) + 1;
    } else if (token.is("__syncthreads") && tokens_[i + 1].is("(")) {
        put(i, "barrier(CLK_LOCAL_MEM_FENCE)");
        return tokens_.match(i + 1) + 1;
    } else if (token.is("sync") && tokens_[i + 1].is("(")) {
        const auto named = groups_.find(tokens_[i + 2].text);
        const bool is_tile = named != groups_.end() && named->second == "tile";
        form_.waits_for_grid |=
            (named != groups_.end() && named->second == "grid") ||
            (tokens_.text({i + 2, tokens_.match(i + 1)}).find("this_grid") != std::string::npos);
        put(i, is_tile ? "0" : "barrier(CLK_LOCAL_MEM_FENCE)");
        return tokens_.match(i + 1) + 1;
    } else {
        return 0;
    }
    if (!tokens_[past].is(".") || !tokens_[past + 2].is("(")) return 0;
    const std::string_view what = tokens_[past + 1].text;
    const std::size_t end = tokens_.match(past + 2) + 1;
    const bool block = group == "block";
    static constexpr std::array<Pair, 4> of_block{{{"thread_index", "get_local_id"},
                                                   {"group_index", "get_group_id"},
                                                   {"group_dim", "get_local_size"},
                                                   {"dim_threads", "get_local_size"}}};
    if (what == "sync") {
        form_.waits_for_grid |= group == "grid";
        put(i, group == "tile" ? "0" : "barrier(CLK_LOCAL_MEM_FENCE)");
    } else if (group == "tile") {
        return 0;
    } else if (what == "thread_rank") {
        put(i, block ? "get_local_id(0)" : "get_global_id(0)");
    } else if (what == "size" || what == "num_threads") {
        put(i, block ? "get_local_size(0)" : "get_global_size(0)");
    } else if (const std::string_view function = among(of_block, what);
               block && !function.empty() && tokens_[end].is(".") &&
               tokens_[end + 1].is_one_of({"x", "y", "z"})) {
        put(i, fmt::format("{}({})", function, tokens_[end + 1].text[0] - 'x'));
        return end + 2;
    } else {
        return 0;
    }
    return end;
}

/// What `auto` stands for, as far as a name or a cast says it.
FunctionText::Known FunctionText::type_of(Range range) const {
    for (std::size_t i = range.first; i < range.last; ++i) {
        const Token& token = tokens_[i];
        if (is_cast(token)) {
            if (const auto type = type_at(tokens_, i + 2)) {
                return {as_word(type->text), tokens_[type->end].is("*") ? 1U : 0U};
            }
        }
        if (token.text.starts_with("make_") && !opencl_type(token.text.substr(5)).empty())
            return {opencl_type(token.text.substr(5)), 0};
        if (token.kind == TokenKind::number) {
            const bool hex = token.text.starts_with("0x") || token.text.starts_with("0X");
            if (!hex && token.text.find('.') != token.text.npos) {
                return {token.text.ends_with('f') || token.text.ends_with('F') ? "float" : "double",
                        0};
            }
        }
        const Known* own = known(token.text);
        if (!own || (i > range.first && tokens_[i - 1].is_one_of({".", "->"}))) continue;
        Known made = *own;
        const bool taken = tokens_[i + 1].is("[") || (i > range.first && tokens_[i - 1].is("*"));
        if (taken && made.pointers > 0) --made.pointers;
        if (i > range.first && tokens_[i - 1].is("&")) ++made.pointers;
        if (tokens_[i + 1].is_one_of({".", "->"})) return {"int", 0};
        return made;
    }
    return {"int", 0};
}

/// A declaration, up to and with the name of what it declares first and its `=`; 0: there is none.
std::size_t FunctionText::declaration(std::size_t i) {
    const auto type = type_at(tokens_, i);
    if (!type) return 0;
    std::size_t k = type->end;
    unsigned pointers = 0;
    bool reference = false, is_shared = false, is_extern = false;
    for (std::size_t t = i; t < k; ++t) {
        is_shared = is_shared || tokens_[t].is("__shared__");
        is_extern = is_extern || tokens_[t].is("extern");
    }
    for (; k < tokens_.size(); ++k) {
        if (tokens_[k].is("*"))
            ++pointers;
        else if (tokens_[k].is_one_of({"&", "&&"}))
            reference = true;
        else if (!tokens_[k].is_one_of({"const", "__restrict__", "volatile", "__restrict"}))
            break;
    }
    const Token& name = tokens_[k];
    const Token& next = tokens_[k + 1];
    if (name.kind != TokenKind::identifier || is_shared_keyword(name.text)) return 0;
    if (!next.is_one_of({"=", ";", "[", ",", "(", "{"})) return 0;
    std::size_t end = k + 1;
    while (end < tokens_.size() && !tokens_[end].is_one_of({";", "}"}))
        end = std::max(end, tokens_.match(end)) + 1;
    if (is_shared && is_extern) {
        // The first array is a parameter; others are the same memory.
        return end;
    }
    const std::string own(name.text);
    // Cooperative groups are told by what makes them.
    for (std::size_t t = i; t < end; ++t) {
        const char* group = tokens_[t].is_one_of({"this_thread_block", "thread_block"}) ? "block"
                            : tokens_[t].is_one_of({"this_grid", "grid_group"})         ? "grid"
                                                                                        : nullptr;
        if (tokens_[t].is_one_of(
                {"tiled_partition", "thread_block_tile", "coalesced_threads", "coalesced_group"})) {
            groups_[own] = "tile";
            return end;
        }
        if (group && (type->is_auto || t < k)) {
            groups_[own] = group;
            return end;
        }
    }
    Known made{as_word(type->text), pointers};
    const bool has_value = next.is_one_of({"=", "(", "{"});
    std::size_t value_end = k + 1;
    while (value_end < end && !tokens_[value_end].is(","))
        value_end = std::max(value_end, tokens_.match(value_end)) + 1;
    const Range value = next.is("=") ? Range{k + 2, value_end}
                        : has_value  ? Range{k + 2, tokens_.match(k + 1)}
                                     : Range{};
    if (type->is_auto) {
        const Known found = type_of(value);
        made.type = found.type;
        made.pointers = std::max(pointers, found.pointers);
        if (reference) made.pointers = found.pointers;
    }
    std::string head = is_shared ? "__local " : "";
    if (type->is_const && !reference) head += "const ";
    const unsigned stars = made.pointers + (reference ? 1 : 0);
    head += made.type + std::string(stars, '*') + " " + free_name(own);
    const std::string initial = value.empty() ? "" : rewritten(value);
    constants_.erase(own);
    references_.erase(own);
    if (next.is("[")) ++made.pointers;
    if (!reference) {
        const auto number = type->is_const && pointers == 0 && next.is_one_of({"=", "{", "("})
                                ? constant(value)
                                : std::nullopt;
        if (number) constants_[own] = *number;
    }
    known_[own] = made;
    if (reference) references_.insert(own);
    put(i, head);
    if (next.is("=") && reference) {
        out_ += " = &(" + initial + ")";
        return value_end;
    }
    if (next.is("=") && !tokens_[k + 2].is("{")) {
        out_ += " = " + initial;
        return value_end;
    }
    if (next.is_one_of({"(", "{"})) {
        const std::size_t close = tokens_.match(k + 1);
        const bool empty = value.empty();
        out_ += next.is("(") ? " = (" + initial + ")" : empty ? " = {0}" : " = {" + initial + "}";
        return close + 1;
    }
    return k + 1;
}

/// A call that OpenCL C writes otherwise; 0: none.
std::size_t FunctionText::call(std::size_t i) {
    const Token& token = tokens_[i];
    std::size_t open = i + 1;
    Range given{};
    if (const auto close = tokens_.angle(i + 1); close && tokens_[*close + 1].is("(")) {
        given = {i + 2, *close};
        open = *close + 1;
    } else if (close && token.is("numeric_limits")) {
        // `numeric_limits<float>::max()`
        std::size_t past = *close + 1;
        while (past < *close + 4 && !tokens_[past].is("(")) ++past;
        put(i, "INFINITY");
        return tokens_[past].is("(") ? tokens_.match(past) + 1 : past;
    }
    if (!tokens_[open].is("(")) return 0;
    const std::size_t end = tokens_.match(open) + 1;
    std::string_view name = token.text;
    if (form_.helpers_.contains(name)) return helper_call(i, open, given);
    if (starts_with_any(name, {"tex1D", "tex2D", "tex3D", "surf1D", "surf2D", "surf3D"}))
        return texture(i, open, given);
    if (is_one_of(name, {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"})) {
        const std::string what = rewritten({open + 1, end - 1});
        put(i, "(*(" + what + "))");
        return end;
    }
    if (is_one_of(name, {"__stcs", "__stcg", "__stwb", "__stwt"})) {
        const auto parts = tokens_.parts({open + 1, end - 1});
        if (parts.size() == 2) {
            const std::string to = rewritten(parts[0]), what = rewritten(parts[1]);
            put(i, "(*(" + to + ") = " + what + ")");
            return end;
        }
    }
    for (const std::string_view suffix : {"_block", "_system"}) {
        if (name.starts_with("atomic") && name.ends_with(suffix)) name.remove_suffix(suffix.size());
    }
    if (const std::string_view other = among(atomics, name); !other.empty()) {
        put(i, other);
        return open;
    }
    if (const std::string_view other = among(functions, name); !other.empty()) {
        put(i, other);
        return open;
    }
    const std::string made = name.starts_with("make_") ? opencl_type(name.substr(5)) : "";
    if (!made.empty()) {
        const std::string what = rewritten({open + 1, end - 1});
        put(i, made.starts_with("packed_") ? "(" + made + "){" + what + "}"
                                           : "((" + made + ")(" + what + "))");
        return end;
    }
    if (is_one_of(name, {"__half2float", "__float2half", "__float2half_rn", "__int2float_rn",
                         "__float2int_rn", "__float2int_rd", "__uint2float_rn"})) {
        const std::string what = rewritten({open + 1, end - 1});
        const bool half = name.starts_with("__float2half"), whole = name.starts_with("__float2int");
        put(i, fmt::format("(({})({}))", half ? "half" : whole ? "int" : "float", what));
        return end;
    }
    if (given.empty()) return 0;
    // A template that is not the file's.
    put(i, free_name(token.text));
    return open;
}

/// What is read or written of a texture or surface object, as OpenCL C does it with an image.
std::size_t FunctionText::texture(std::size_t i, std::size_t open, Range given) {
    const std::string_view name = tokens_[i].text;
    const std::size_t end = tokens_.match(open) + 1;
    std::vector<Range> parts = tokens_.parts({open + 1, end - 1});
    const bool writes = name.starts_with("surf") && name.ends_with("write");
    std::string to;
    if (name.starts_with("surf") && !parts.empty() && tokens_[parts[0].first].is("&")) {
        to = rewritten({parts[0].first + 1, parts[0].last});  // `surf2Dread(&value, ...)`
        parts.erase(parts.begin());
    } else if (name.starts_with("tex") && !parts.empty() && tokens_[parts[0].first].is("&")) {
        to = rewritten({parts[0].first + 1, parts[0].last});
        parts.erase(parts.begin());
    }
    std::string what;
    Known written;
    if (writes && !parts.empty()) {
        what = rewritten(parts[0]);
        written = type_of(parts[0]);
        parts.erase(parts.begin());
    }
    if (parts.size() < 2 || tokens_[parts[0].first].kind != TokenKind::identifier) return 0;
    const auto type = given.empty() ? std::nullopt : type_at(tokens_, given.first);
    const std::string element = type ? type->text : writes ? written.type : "float4";
    form_.note_image(tokens_[parts[0].first].text, element);
    const auto value = value_type_named(element);
    const std::string_view one = value ? value->element : "float";
    const char* kind = one == "half"                     ? "h"
                       : is_float_element(one) || !value ? "f"
                       : is_signed_element(one)          ? "i"
                                                         : "ui";
    const std::size_t axes = name.find("1D") != name.npos   ? 1
                             : name.find("2D") != name.npos ? 2
                                                            : 3;
    std::vector<std::string> at;
    for (std::size_t p = 1; p < std::min(parts.size(), axes + 1); ++p)
        at.push_back(coordinate(parts[p]));
    const std::string place = at.size() == 1
                                  ? at[0]
                                  : fmt::format("(int{})({}{})", axes == 3 ? 4 : 2,
                                                fmt::join(at, ", "), axes == 3 ? ", 0" : "");
    const std::string image = free_name(tokens_[parts[0].first].text);
    if (writes) {
        put(i, fmt::format("write_image{}({}, {}, {})", kind, image, place, what));
    } else {
        const bool scalar = value && !value->is_vector();
        const std::string read =
            fmt::format("read_image{}({}, {}){}", kind, image, place, scalar ? ".x" : "");
        put(i, to.empty() ? read : to + " = " + read);
    }
    return end;
}

/// The number of a texel: without its half, without the bytes of one.
std::string FunctionText::coordinate(Range range) {
    const auto is_half = [&](std::size_t i) {
        return tokens_[i].is_one_of({"0.5f", "0.5", ".5f", "0.5F"});
    };
    if (range.last >= range.first + 3 && is_half(range.last - 1) && tokens_[range.last - 2].is("+"))
        range.last -= 2;
    if (range.last >= range.first + 3 && is_half(range.first) && tokens_[range.first + 1].is("+"))
        range.first += 2;
    if (tokens_[range.first].is("(") && tokens_[range.first + 1].is("float") &&
        tokens_[range.first + 2].is(")"))
        range.first += 3;
    for (std::size_t i = range.first; i + 1 < range.last; ++i) {
        const bool is_size = tokens_[i].is("*") &&
                             (tokens_[i + 1].is("sizeof") ||
                              (i + 2 == range.last && tokens_[i + 1].kind == TokenKind::number));
        if (is_size) {
            range.last = i;
            break;
        }
    }
    return rewritten(range);
}

/// A call of a function of the file, which the form gets with its template's arguments put in.
std::size_t FunctionText::helper_call(std::size_t i, std::size_t open, Range given) {
    const std::size_t end = tokens_.match(open) + 1;
    const std::vector<Range> arguments = tokens_.parts({open + 1, end - 1});
    const auto [from, to] = form_.helpers_.equal_range(tokens_[i].text);
    const Function* chosen = nullptr;
    std::size_t number = 0, place = 0;
    for (auto one = from; one != to; ++one, ++number) {
        const Function& function = *one->second;
        const auto list =
            form_.parameters_in(form_.file_.tokens(), {function.open + 1, function.close});
        if (!chosen || list.size() == arguments.size()) {
            const bool fits = chosen && form_.parameters_in(form_.file_.tokens(),
                                                            {chosen->open + 1, chosen->close})
                                                .size() == arguments.size();
            if (fits) continue;
            chosen = &function;
            place = number;
        }
    }
    if (!chosen) return 0;
    const auto parameters =
        form_.parameters_in(form_.file_.tokens(), {chosen->open + 1, chosen->close});
    TemplateArguments put_in;
    const auto explicit_ones = given.empty() ? std::vector<Range>{} : tokens_.parts(given);
    std::string name =
        fmt::format("{}{}", tokens_[i].text, place == 0 ? "" : fmt::format("_{}", place));
    for (std::size_t t = 0; t < chosen->parameters.size(); ++t) {
        const TemplateParameter& one = chosen->parameters[t];
        std::string text;
        if (t < explicit_ones.size()) {
            const auto value = constant(explicit_ones[t]);
            text = value ? std::to_string(*value) : tokens_.text(explicit_ones[t]);
        }
        for (std::size_t p = 0; text.empty() && p < std::min(parameters.size(), arguments.size());
             ++p) {
            if (parameters[p].type.text == one.name) text = type_of(arguments[p]).type;
        }
        if (text.empty() && !one.value.empty()) text = form_.file_.tokens().text(one.value);
        if (text.empty()) text = "float";
        if (text != one.name) put_in[one.name] = text;
        name += "_" + as_word(text);
    }
    name = free_name(name);
    if (name.size() < 200) form_.helper(*chosen, put_in, name);
    std::vector<std::string> list;
    for (std::size_t p = 0; p < arguments.size(); ++p) {
        const bool changes =
            p < parameters.size() && parameters[p].is_reference && !parameters[p].type.is_const;
        const Range range = arguments[p];
        const bool is_name = range.last == range.first + 1;
        const std::string text = rewritten(range);
        list.push_back(!changes ? text
                       : is_name && !references_.contains(tokens_[range.first].text)
                           ? "&" + free_name(tokens_[range.first].text)
                           : "&(" + text + ")");
    }
    for (const std::string_view one : form_.memory_of(tokens_[i].text))
        list.push_back(free_name(one));
    put(i, fmt::format("{}({})", name, fmt::join(list, ", ")));
    return end;
}

}  // namespace parallax::cuda_reading
