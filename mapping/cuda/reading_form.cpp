// Puts a kernel's reading form together: types, functions, and the kernel.
#include "mapping/cuda/reading_form.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/analyze/value_type.hpp"
#include "mapping/cuda/function_text.hpp"

namespace parallax::cuda_reading {

std::string DeclaredParameter::type_text() const {
    return type.text + (pointers > 1 ? " " + std::string(pointers - 1, '*') : "");
}

ReadingForm::ReadingForm(const CudaFile& file) : file_(file) {
    for (const Function& one : file.functions()) {
        if (!one.is_kernel) helpers_.emplace(file.tokens()[one.name].text, &one);
    }
    find_memory();
}

void ReadingForm::find_memory() {
    const Tokens& tokens = file_.tokens();
    for (const Variable& one : file_.variables()) {
        const bool is_set = one.kind != Variable::Kind::shared && !one.value.empty();
        if (one.kind != Variable::Kind::plain && !is_set) memory_[tokens[one.name].text] = &one;
    }
    for (const Function& function : file_.functions()) {
        for (std::size_t i = function.body; i < function.last; ++i) {
            if (!tokens[i].is("__shared__")) continue;
            const bool is_extern = tokens[i - 1].is("extern") || tokens[i + 1].is("extern");
            std::size_t end = i;
            while (end < function.last && !tokens[end].is(";")) ++end;
            if (!is_extern || end < i + 3) continue;
            std::size_t name = end - 1;
            while (name > i && tokens[name].is("]")) name = tokens.match(name) - 1;
            if (tokens[name].kind != TokenKind::identifier) continue;
            own_shared_.push_back({.kind = Variable::Kind::shared, .first = i, .name = name});
            own_shared_.back().extents.push_back({name + 2, name + 2});
            memory_.try_emplace(tokens[name].text, &own_shared_.back());
        }
    }
    std::map<std::string_view, std::set<std::string_view>> calls;
    for (const Function& function : file_.functions()) {
        const std::string_view own = tokens[function.name].text;
        for (std::size_t i = function.open; i < function.last; ++i) {
            const Token& token = tokens[i];
            if (token.kind != TokenKind::identifier) continue;
            if (memory_.contains(token.text)) uses_[own].insert(token.text);
            if (helpers_.contains(token.text)) calls[own].insert(token.text);
        }
    }
    for (bool more = true; more;) {
        more = false;
        for (const auto& [own, called] : calls) {
            for (const std::string_view one : called) {
                const auto found = uses_.find(one);
                if (found == uses_.end() || one == own) continue;
                const std::size_t before = uses_[own].size();
                uses_[own].insert(found->second.begin(), found->second.end());
                more = more || uses_[own].size() != before;
            }
        }
    }
}

const std::set<std::string_view>& ReadingForm::memory_of(std::string_view function) const {
    static const std::set<std::string_view> none;
    const auto found = uses_.find(function);
    return found == uses_.end() ? none : found->second;
}

Instance ReadingForm::instance(const Function& function, const TemplateArguments& arguments) const {
    const Tokens& tokens = file_.tokens();
    Instance made;
    std::vector<Token> all;
    for (std::size_t i = function.first; i <= function.last && i < tokens.size(); ++i) {
        if (i == function.name) made.name = all.size();
        if (i == function.open) made.open = all.size();
        if (i == function.body) made.body = all.size();
        const auto found = arguments.find(tokens[i].text);
        const bool is_member = i > 0 && tokens[i - 1].is_one_of({".", "->"});
        if (tokens[i].kind != TokenKind::identifier || found == arguments.end() || is_member) {
            all.push_back(tokens[i]);
            continue;
        }
        const Tokens put = file_.lexed(found->second);
        for (std::size_t k = 0; k < put.size(); ++k) {
            Token& token = all.emplace_back(put[k]);
            token.line = tokens[i].line;
            token.file = tokens[i].file;
            if (k == 0) token.space = tokens[i].space;
        }
    }
    if (function.body < tokens.size() && tokens.match(function.body) >= tokens.size()) {
        Token& close = all.emplace_back();  // the file ends before
        close.kind = TokenKind::punctuator;
        close.text = "}";
    }
    all.push_back(Token{});
    made.tokens = Tokens(std::move(all));
    made.close = made.tokens.match(made.open);
    made.parameters = parameters_in(made.tokens, {made.open + 1, made.close});
    return made;
}

std::vector<DeclaredParameter> ReadingForm::parameters_in(const Tokens& tokens, Range list) const {
    std::vector<DeclaredParameter> made;
    for (Range part : tokens.parts(list)) {
        for (std::size_t i = part.first; i < part.last; ++i) {
            if (tokens[i].is("=")) part.last = i;
        }
        if (part.empty() || (part.last == part.first + 1 && tokens[part.first].is("void")))
            continue;
        DeclaredParameter& one = made.emplace_back();
        const auto type = type_at(tokens, part.first);
        one.type = type.value_or(TypeName{.text = as_word(tokens.text(part)), .end = part.last});
        // Of a type that is one word more, the last is the name.
        bool behind_name = false;
        unsigned arrays = 0;
        for (std::size_t i = one.type.end; i < part.last; ++i) {
            const Token& token = tokens[i];
            if (token.is("*")) {
                ++one.pointers;
            } else if (token.is_one_of({"&", "&&"})) {
                one.is_reference = true;
            } else if (token.is("[")) {
                const bool first = arrays++ == 0 && one.pointers == 0 && !one.is_reference;
                if (first) ++one.pointers;
                if (!first) one.extents += tokens.text({i, tokens.match(i) + 1});
                i = tokens.match(i);
            } else if (token.kind == TokenKind::identifier && !behind_name &&
                       !token.is_one_of(
                           {"const", "volatile", "__restrict__", "__restrict", "restrict"})) {
                one.name = token.text;
                behind_name = true;
            }
        }
        one.is_surface = one.type.text == "cudaSurfaceObject_t";
        one.is_image = one.is_surface || one.type.text == "cudaTextureObject_t";
        // A reference to an array is a pointer.
        if (one.is_reference && arrays > 0) {
            one.is_reference = false;
            ++one.pointers;
        }
        if (one.name.empty()) one.name = fmt::format("parameter_{}", made.size());
    }
    return made;
}

std::string ReadingForm::kernel_parameter(const DeclaredParameter& one) const {
    const std::string name = free_name(one.name);
    if (one.is_image) {
        return fmt::format("{} {} {}", one.is_surface ? "__read_write" : "__read_only", "image2d_t",
                           name);
    }
    const std::string type = as_word(one.type_text());
    if (one.pointers == 0) return fmt::format("{} {}", type, name);
    return fmt::format("__global {}{}* {}", one.type.is_const ? "const " : "", type, name);
}

CudaVariable ReadingForm::variable(const Variable& variable, const Tokens& tokens) const {
    CudaVariable made;
    made.name = tokens[variable.name].text;
    made.kind = variable.kind == Variable::Kind::shared     ? CudaVariable::Kind::shared
                : variable.kind == Variable::Kind::constant ? CudaVariable::Kind::constant
                                                            : CudaVariable::Kind::device;
    const auto type = type_at(tokens, variable.first);
    if (type) made.type = type->text;
    made.value = tokens.text(variable.value);
    for (const Range& extent : variable.extents) {
        const auto value = constant_value(
            tokens, extent, [&](std::string_view name) { return file_.constant(name); });
        std::string text = value ? std::to_string(*value) : tokens.text(extent);
        if (!value && variable.extents.size() > 1) text = "(" + text + ")";
        made.count += (made.count.empty() ? "" : " * ") + text;
    }
    std::int64_t product = 1;
    bool all = !variable.extents.empty();
    for (const Range& extent : variable.extents) {
        const auto value = constant_value(
            tokens, extent, [&](std::string_view name) { return file_.constant(name); });
        all = all && value && *value > 0 && product < (std::int64_t{1} << 40) / *value;
        if (all) product *= *value;
    }
    if (all) made.count = std::to_string(product);
    return made;
}

std::vector<CudaVariable> ReadingForm::shared() const {
    std::vector<CudaVariable> made;
    for (const std::string_view name : shared_) {
        made.push_back(variable(*memory_.at(name), file_.tokens()));
        made.back().count.clear();
    }
    return made;
}

std::vector<CudaVariable> ReadingForm::symbols() const {
    std::vector<CudaVariable> made;
    for (const std::string_view name : symbols_)
        made.push_back(variable(*memory_.at(name), file_.tokens()));
    for (const Variable& one : file_.variables()) {
        const std::string_view name = file_.tokens()[one.name].text;
        const bool is_memory =
            one.kind == Variable::Kind::constant || one.kind == Variable::Kind::device;
        if (is_memory && !one.value.empty() && words_.contains(name))
            made.push_back(variable(one, file_.tokens()));
    }
    return made;
}

std::string ReadingForm::memory_parameter(std::string_view name) const {
    const Variable& one = *memory_.at(name);
    const CudaVariable known = variable(one, file_.tokens());
    const std::string type = as_word(known.type), own = free_name(name);
    if (one.kind == Variable::Kind::shared) return fmt::format("__local {}* {}", type, own);
    if (one.extents.empty() && one.kind == Variable::Kind::constant)
        return fmt::format("{} {}", type, own);
    const std::string space = one.kind == Variable::Kind::constant ? "__constant" : "__global";
    if (one.extents.size() < 2) return fmt::format("{} {}* {}", space, type, own);
    std::string rest;
    for (std::size_t i = 1; i < one.extents.size(); ++i) {
        const auto value =
            constant_value(file_.tokens(), one.extents[i],
                           [&](std::string_view word) { return file_.constant(word); });
        rest += fmt::format("[{}]", value.value_or(1));
    }
    return fmt::format("{} {} (*{}){}", space, type, own, rest);
}

void ReadingForm::add_words(const Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == TokenKind::identifier) words_.insert(tokens[i].text);
    }
}

/// A struct's data; empty: it has more than that.
std::string ReadingForm::record(const NamedType& type) {
    const Tokens& tokens = file_.tokens();
    std::size_t open = type.range.first;
    bool aligned = false;
    for (; open < type.range.last && !tokens[open].is("{"); ++open) {
        if (tokens[open].is("(")) open = tokens.match(open);
        if (tokens[open].is(":")) return {};
        aligned =
            aligned || tokens[open].is_one_of({"__align__", "alignas", "aligned", "__attribute__"});
    }
    std::string members;
    const std::size_t close = tokens.match(open);
    for (std::size_t i = open + 1; i < close;) {
        if (tokens[i].is_one_of({"public", "private", "protected"}) && tokens[i + 1].is(":")) {
            i += 2;
            continue;
        }
        std::size_t end = i, initial = 0;
        bool is_function = false;
        for (; end < close && !tokens[end].is(";"); ++end) {
            if (tokens[end].is("virtual")) return {};
            if (tokens[end].is_one_of({"=", "{"}) && initial == 0 && !is_function) initial = end;
            const bool align =
                end > i && tokens[end - 1].is_one_of({"__align__", "alignas", "__attribute__"});
            is_function = is_function || (tokens[end].is("(") && !align && initial == 0);
            const bool body = tokens[end].is("{");
            if (tokens[end].is_one_of({"(", "[", "{"})) end = tokens.match(end);
            if (body && is_function) break;
        }
        const bool left_out = is_function || tokens[i].is_one_of({"static", "using", "typedef",
                                                                  "friend", "template", ";"});
        if (!left_out) {
            if (tokens[i].is_one_of({"struct", "class", "union", "enum"}) && initial != 0 &&
                tokens[initial].is("{"))
                return {};
            // `float x = 0, y = 0;`
            const Range all{i, end};
            std::string line;
            for (const Range& part : tokens.parts(all)) {
                std::size_t last = part.first;
                while (last < part.last && !tokens[last].is_one_of({"=", "{"})) ++last;
                line += (line.empty() ? "" : ", ") +
                        FunctionText(*this, tokens).plain({part.first, last});
            }
            members += line + "; ";
        }
        i = end + 1;
    }
    if (members.empty()) return {};
    const bool is_union = tokens[type.range.first].is("union");
    return fmt::format("typedef {} {} {{ {} }} {}{};\n", is_union ? "union" : "struct", type.name,
                       members, aligned ? "__attribute__((aligned(16))) " : "", type.name);
}

std::string ReadingForm::types_and_constants() {
    const Tokens& tokens = file_.tokens();
    std::string made;
    // Words of types that are needed need others.
    std::set<std::string_view> needed = words_;
    for (std::size_t more = 0; more != needed.size();) {
        more = needed.size();
        for (const NamedType& one : file_.types()) {
            if (!needed.contains(one.name)) continue;
            for (std::size_t i = one.range.first; i < one.range.last; ++i) {
                if (tokens[i].kind == TokenKind::identifier) needed.insert(tokens[i].text);
            }
        }
    }
    for (const NamedType& one : file_.types()) {
        if (!needed.contains(one.name) || !opencl_type(one.name).empty()) continue;
        FunctionText text(*this, tokens);
        if (one.range.empty()) {
            made += fmt::format("typedef int {};\n", one.name);  // an enum
        } else if (one.kind == NamedType::Kind::record) {
            made += record(one);
        } else if (one.kind == NamedType::Kind::alias) {
            made += text.plain(one.range) + ";\n";
        } else {
            made += fmt::format("typedef {} {};\n",
                                text.plain({one.range.first + 3, one.range.last}), one.name);
        }
    }
    for (const Variable& one : file_.variables()) {
        const std::string_view name = tokens[one.name].text;
        if (one.value.empty() || !needed.contains(name) || file_.constant(name)) continue;
        const CudaVariable known = variable(one, tokens);
        std::string extents;
        for (const Range& extent : one.extents) {
            const auto value = constant_value(
                tokens, extent, [&](std::string_view word) { return file_.constant(word); });
            extents += value ? fmt::format("[{}]", *value) : "[]";
        }
        made += fmt::format("__constant {} {}{} = {};\n", as_word(known.type), free_name(name),
                            extents, FunctionText(*this, tokens).plain(one.value));
    }
    return made;
}

std::string ReadingForm::helper(const Function& function, const TemplateArguments& arguments,
                                const std::string& name) {
    const auto [at, fresh] = written_.try_emplace(name, "");
    if (!fresh || written_.size() > 200 || ++depth_ > 40) return name;
    kept_.push_back({});
    Instance own = instance(function, arguments);
    Tokens& tokens = kept_.back() = own.tokens;
    add_words(tokens);
    std::vector<std::string> parameters;
    FunctionText text(*this, tokens);
    for (const DeclaredParameter& one : own.parameters) {
        const bool changes = one.is_reference && !one.type.is_const;
        const std::string type = as_word(one.type.text);
        parameters.push_back(fmt::format("{} {}{}", one.is_image ? "image2d_t" : type,
                                         std::string(one.pointers + (changes ? 1 : 0), '*'),
                                         free_name(one.name)));
        text.declare(one.name, type, one.pointers, changes);
    }
    for (const std::string_view one : memory_of(file_.tokens()[function.name].text)) {
        parameters.push_back(memory_parameter(one));
        text.declare_memory(one, *memory_.at(one));
    }
    const auto result = type_at(tokens, 0);
    std::string type = result && !result->is_auto ? as_word(result->text) : "float";
    for (std::size_t i = result ? result->end : 0; i < own.name; ++i) {
        if (tokens[i].is("*")) type += "*";
    }
    std::string body = text.rewritten({own.body, tokens.size()});
    helpers_text_ += fmt::format("{} {}({}) {}\n", type, name, fmt::join(parameters, ", "), body);
    --depth_;
    return name;
}

void ReadingForm::note_image(std::string_view name, const std::string& element) {
    if (std::ranges::find(images_, name, &CudaImage::name) != images_.end()) return;
    const auto type = value_type_named(element);
    images_.push_back(
        {std::string(name), type ? std::string(type->element) : "float", type ? type->width : 4});
}

void ReadingForm::write(const Function& kernel, const TemplateArguments& arguments) {
    Instance own = instance(kernel, arguments);
    parameters_ = own.parameters;
    add_words(own.tokens);
    const std::string_view name = file_.tokens()[kernel.name].text;
    FunctionText text(*this, own.tokens);
    for (const DeclaredParameter& one : own.parameters)
        text.declare(one.name, as_word(one.type.text), one.pointers, false);
    for (const std::string_view one : memory_of(name)) text.declare_memory(one, *memory_.at(one));
    body_ = text.rewritten({own.body, own.tokens.size()});
    kept_.push_back(std::move(own.tokens));
    std::vector<std::string> list;
    for (const DeclaredParameter& one : own.parameters) list.push_back(kernel_parameter(one));
    for (const bool is_shared : {false, true}) {
        for (const std::string_view one : memory_of(name)) {
            if ((memory_.at(one)->kind == Variable::Kind::shared) != is_shared) continue;
            (is_shared ? shared_ : symbols_).push_back(one);
            const Variable& variable = *memory_.at(one);
            for (std::size_t i = variable.first; i < variable.name; ++i) {
                words_.insert(file_.tokens()[i].text);
            }
            list.push_back(memory_parameter(one));
        }
    }
    head_ = fmt::format("__kernel void {}({})", free_name(name), fmt::join(list, ", "));
    types_ = types_and_constants();
}

std::string ReadingForm::text(bool with_body) const {
    const std::string head = types_ + (with_body ? helpers_text_ : "") + head_;
    const std::string all = head + (with_body ? " " + body_ + "\n" : " { }\n");
    std::string made;
    for (const std::size_t i : file_.directives()) {
        if (with_body) made += std::string(file_.tokens()[i].text) + "\n";
    }
    return made + packed_vectors(all) + all;
}

}  // namespace parallax::cuda_reading
