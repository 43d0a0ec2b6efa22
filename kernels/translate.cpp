// Goes through the declarations of a kernel file, collects what is wrong, puts the text together.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "common/error.hpp"
#include "kernels/prelude.hpp"
#include "kernels/rules.hpp"
#include "kernels/translator.hpp"

namespace parallax {
namespace {

// A text with more problems is no kernel.
constexpr std::size_t most_listed = 500;

}  // namespace

Translation Translator::run() {
    declare();
    for (const std::size_t i : use_.impossible) refuse(i, "T4==T4");
    std::size_t i = 0;
    for (const Item& item : outline_.items) {
        item_ = &item;
        write(i, item.first);
        i = write_item(item);
    }
    item_ = nullptr;
    write(i, outline_.tokens.size());
    if (!problems_.empty()) throw_problems();
    return {prelude_of(prelude_), std::move(out_), std::string(outline_.file)};
}

void Translator::complain(std::size_t i, std::string_view what) {
    ++problem_count_;
    problems_.emplace(i, outline_.complaint(i, what));
    // They come nearly in order: what is dropped would not be listed.
    if (problems_.size() > 2 * most_listed) problems_.erase(std::prev(problems_.end()));
}

void Translator::throw_problems() const {
    std::string text;
    std::size_t listed = 0;
    for (const auto& [at, problem] : problems_) {
        if (listed == most_listed) {
            text += fmt::format("\n{}: and {} more", outline_.file, problem_count_ - listed);
            break;
        }
        if (listed++ > 0) text += '\n';
        text += problem;
    }
    throw Refused(text);
}

void Translator::declare() {
    const Patterns& table = Patterns::of_table();
    for (const Item& item : outline_.items) {
        if (item.kind == Item::Kind::type || item.kind == Item::Kind::alias) note_members(item);
        if (!item.is_function()) continue;
        const std::string_view name = at(item.name).text;
        (item.kind == Item::Kind::kernel ? kernels_ : helpers_).insert(name);
        if (table.is_function(name)) {
            complain(item.name, "a built-in function of OpenCL C; choose another name");
        } else if (const Row* row = table.refusal(name, true)) {
            complain(item.name, row->because);
        }
    }
    for (const std::string& constant : constants_) {
        if (!table.beginning_with(constant).empty() || table.refusal(constant, false) ||
            is_shared_keyword(constant) || spelled(constant, type_) != constant) {
            throw Refused(
                fmt::format("{}: the constant '{}' has the name of something else; "
                            "choose another one",
                            outline_.file, constant));
        }
    }
    use_ = vector_use(outline_, type_);
    for (const std::string& name : use_.operators) {
        prelude_.insert(name.starts_with("double4") ? "double4_32a" + name.substr(7) : name);
    }
}

void Translator::note_members(const Item& item) {
    for (std::size_t i = item.first; i < item.last; ++i) {
        if (at(i).kind != TokenKind::word ||
            !(at(i + 1).is(";") || at(i + 1).is(",") || at(i + 1).is("["))) {
            continue;
        }
        if (at(i).text.size() > 1 && is_swizzle(at(i).text)) {
            complain(i, "a member with the name of a vector's components; choose another name");
        }
        members_.insert(at(i).text);
    }
}

std::size_t Translator::write_item(const Item& item) {
    dynamic_ = {};
    if (item.kind == Item::Kind::data && !item_has(item, {"__constant", "constant"})) {
        refuse(item.first, "T data at file scope");
    }
    if (item.kind == Item::Kind::data && item_has(item, {"*"})) {
        for (std::size_t i = item.first; i < item.last && !at(i).is("="); ++i) {
            if (at(i).is("*")) refuse(i, "T data at file scope");
        }
    }
    if (item.kind == Item::Kind::alias) check_alias(item);
    if (item.kind == Item::Kind::kernel) {
        find_dynamic_local(item);
        if (!at(item.first).is("__kernel") && !at(item.first).is("kernel")) {
            complain(item.first, "a kernel's declaration begins with __kernel; move it there");
        }
    }
    if (item.kind == Item::Kind::helper) {
        write_space(item.first);
        out_ += "__device__ ";
        spaced_ = item.first;
    }
    write(item.first, item.last + 1);
    return item.last + 1;
}

bool Translator::item_has(const Item& item, std::initializer_list<std::string_view> words) const {
    for (std::size_t i = item.first; i <= item.last; ++i) {
        for (const std::string_view word : words) {
            if (at(i).is(word)) return true;
        }
    }
    return false;
}

void Translator::check_alias(const Item& item) {
    for (std::size_t i = item.first; i < item.last; ++i) {
        if (outline_.match[i] > i && at(i).is("{")) i = outline_.match[i];
        if (at(i).kind != TokenKind::word) continue;
        if (vector_type(word(i))) refuse(i, "typedef T4 name");
        if (is_address_space(at(i).text)) refuse(i, "typedef __global T* name");
    }
}

std::string Translation::text() const {
    std::string name;
    for (const char c : file) {
        if (c == '"' || c == '\\') name += '\\';
        if (c != '\n' && c != '\r') name += c;
    }
    return fmt::format("{}#line 1 \"{}\"\n{}", prelude, name, body);
}

TranslateOptions translate_options(const Program& program) {
    TranslateOptions options{.type = program.type, .defines = program.defines};
    for (const Constant& constant : program.constants) options.constants.push_back(constant.name);
    return options;
}

Translation to_cuda(std::string_view file, std::string_view source,
                    const TranslateOptions& options) {
    return Translator(file, source, options).run();
}

}  // namespace parallax
