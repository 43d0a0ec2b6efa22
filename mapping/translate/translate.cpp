// Goes through the declarations of a kernel file, collects what is wrong, puts the text together.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "mapping/prelude/prelude.hpp"
#include "mapping/translate/builtins.hpp"
#include "mapping/translate/compiler_macros.hpp"
#include "mapping/translate/includes.hpp"
#include "mapping/translate/names.hpp"
#include "mapping/translate/translator.hpp"
#include "mapping/translate/word_lists.hpp"

namespace parallax {
namespace {

// A text with more problems is no kernel.
constexpr std::size_t most_listed = 500;

}  // namespace

Translator::Translator(std::string_view file, std::string_view source,
                       const TranslateOptions& options)
    : source_(with_defines(file, source, options.defines)),
      outline_(outline_of(file, source_)),
      own_lines_(options.defines.empty() ? 0 : options.defines.size() + 1),
      begin_(options.defines.empty() ? 0 : source_.size() - source.size() - 1),
      type_(options.type),
      compiler_macros_(compiler_macros(options.standard)),
      constants_(options.constants.begin(), options.constants.end()),
      constant_names_(options.constants) {}

bool Translator::has_sampler(std::size_t i) const {
    const std::string_view text = at(i).text;
    if (text.starts_with("read_image") && at(i + 1).is("(") && outline_.match[i + 1] != 0) {
        const std::size_t close = outline_.match[i + 1];
        if (outline_.parts(i + 2, close).size() > 2) return true;
        // A fourth component that the format has not is 1 in OpenCL and 0 of a texture.
        if (!at(close + 1).is(".")) return true;
        const std::string_view components = at(close + 2).text;
        const std::string_view but_the_fourth = components.starts_with('s') ? "s012" : "xyzrgb";
        return components.find_first_not_of(but_the_fourth) != components.npos;
    }
    return starts_with_any(text, {"write_image", "get_image_"}) ||
           is_one_of(text,
                     {"sampler_t", "image3d_t", "image2d_array_t", "write_only", "__write_only"});
}

Translation Translator::run() {
    declare();
    for (std::size_t i = 0; i + 1 < outline_.tokens.size(); ++i) {
        if (at(i).kind == TokenKind::word) samples_ = samples_ || has_sampler(i);
    }
    ExpressionSink& sink = *this;
    parser_.emplace(outline_, type_, constant_names_, sink);
    effects_.emplace(outline_, *parser_);
    parser_->run();
    check_macros();
    check_jumps();
    find_moved_types();
    // What stands in the text alone, a declaration's type say, is a vector that occurs as well.
    for (std::size_t i = 0; i < outline_.tokens.size(); ++i) {
        if (at(i).kind != TokenKind::word) continue;
        if (const auto type = value_type_named(word(i))) mention(*type);
    }
    std::size_t i = own_lines_;
    write(0, i);
    std::string defines = std::move(out_);
    out_.clear();
    log_.clear();
    for (const Item& item : outline_.items) {
        item_ = &item;
        write(i, item.first);
        i = write_item(item);
    }
    item_ = nullptr;
    write(i, outline_.end + 1);
    if (!problems_.empty()) throw_problems();
    mention_open_components();
    for (const std::string& what : open_.keys) {
        for (const std::string& type : mentioned_) prelude_.insert(type + ' ' + what);
    }
    std::string predefined;
    for (const auto& [row, name] : predefined_) {
        const Pattern& one = Patterns::of_table().beginning_with(name).front();
        const auto of_compiler = compiler_macros_.find(name);
        const std::string_view value =
            of_compiler == compiler_macros_.end() ? one.cuda : of_compiler->second;
        note_prelude(value, {});
        predefined += fmt::format("#define {} {}\n", name, value);
    }
    std::string body = std::move(out_);
    std::vector<Piece> pieces = log_.pieces(std::string_view(source_).substr(begin_), body);
    if (own_lines_ > 0) {
        // The line end that belongs to the last of the lines before it.
        body.erase(0, 1);
        for (Piece& piece : pieces) {
            for (std::size_t* at : {&piece.from, &piece.from_end, &piece.to, &piece.to_end}) --*at;
        }
        defines += '\n';
        defines.erase(defines.rfind("#line"));
    }
    return {prelude_of(prelude_) + predefined + defines,
            std::move(body),
            std::string(outline_.file),
            std::move(pieces),
            notes_of_text_,
            device_names_};
}

void Translator::mention_open_components() {
    constexpr std::string_view start = "swizzle ";
    std::vector<std::string> types(mentioned_.begin(), mentioned_.end());
    while (!types.empty()) {
        const ValueType of = value_type_named(types.back()).value();
        types.pop_back();
        for (const std::string& what : open_.keys) {
            if (!what.starts_with(start)) continue;
            const auto components = components_of(what.substr(start.size()), of.width);
            if (!components || components->size() < 2) continue;
            const ValueType part{of.element, static_cast<unsigned>(components->size())};
            if (mentioned_.insert(name_of(part)).second) types.push_back(name_of(part));
        }
    }
}

void Translator::complain(std::size_t i, std::string_view what) {
    if (place_ == Place::use) return;
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
    for (const Directive& directive : outline_.directives) {
        if (directive.word == "define") macros_[directive.name].push_back(&directive);
    }
    for (const Item& item : outline_.items) {
        if (item.kind == Item::Kind::alias) aliases_.insert(at(item.last - 1).text);
        if (!item.is_function()) continue;
        const std::string_view name = at(item.name).text;
        (item.kind == Item::Kind::kernel ? kernels_ : helpers_).insert(name);
        if (item.body != 0 && !bodies_.insert(name).second) overloaded_.insert(name);
        if (table.is_function(name) || is_builtin_function(name)) {
            complain(item.name, "a built-in function of OpenCL C; choose another name");
        }
    }
    pointer_aliases_ = pointer_aliases(outline_);
    check_constants();
    rename();
}

void Translator::check_constants() const {
    const Patterns& table = Patterns::of_table();
    for (const std::string& constant : constants_) {
        if (!table.beginning_with(constant).empty() || table.refusal(constant, false) ||
            is_shared_keyword(constant) || value_type_named(spelled(constant, type_)) ||
            is_cxx_keyword(constant) || is_taken_everywhere(constant)) {
            throw Refused(
                fmt::format("{}: the constant '{}' has the name of something else; "
                            "choose another one",
                            outline_.file, constant));
        }
    }
}

std::size_t Translator::write_item(const Item& item) {
    dynamic_.clear();
    if (item.kind == Item::Kind::data && !item_has(item, {"__constant", "constant"})) {
        // Data that all launches share: OpenCL 2.0 has it in global memory.
        write_before(item.first, "__device__ ", "T data at file scope");
    } else if (item.kind == Item::Kind::data && item_has(item, {"*"})) {
        for (std::size_t i = item.first; i < item.last && !at(i).is("="); ++i) {
            if (at(i).is("*")) refuse(i, "__constant T* at file scope");
        }
    }
    if (item.is_function()) {
        std::size_t after = item.close + 1;
        while (at(after).kind == TokenKind::directive) ++after;
        const bool is_understood = at(after).is_one_of({"{", ";", "__attribute__"});
        if (!is_understood && macros_.contains(at(item.name).text)) {
            complain(item.name,
                     "a macro that makes declarations; run the preprocessor first (--expand)");
            // What these are is not known, and nothing else is said of them.
            for (std::size_t i = item.open; i < item.close; ++i) {
                if (at(i).kind == TokenKind::word) made_by_macros_.insert(at(i).text);
            }
            return item.last + 1;
        }
        if (!is_understood) {
            complain(after,
                     "not understood behind the parameters of a function; if a macro makes it, run "
                     "the preprocessor first (--expand)");
        }
    }
    if (is_called(item)) {
        write_called_kernel(item);
        return item.last + 1;
    }
    if (item.kind == Item::Kind::kernel) {
        find_dynamic_local(item);
        // Otherwise a macro brings the word.
        const bool is_spelled_out = item_has(item, {"__kernel", "kernel"});
        if (is_spelled_out && !at(item.first).is_one_of({"__kernel", "kernel"})) {
            write_before(item.first, "extern \"C\" ", "__kernel");
        }
    }
    if (item.kind == Item::Kind::helper) {
        write_before(item.first, "__device__ ", "T f()");
    }
    write(item.first, item.last + 1);
    write_volatile_copies(item);
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

std::string with_defines(std::string_view file, std::string_view source,
                         const std::vector<Define>& defines) {
    if (defines.empty()) return std::string(source);
    std::string text;
    for (const Define& define : defines) {
        if (define.value.find_first_of("\r\n") != std::string::npos ||
            define.name.find_first_of("\r\n") != std::string::npos) {
            throw Refused(
                fmt::format("{}: the macro '{}' goes over the end of a line; give it "
                            "in one line",
                            file, define.name));
        }
        text += fmt::format("#define {} {}\n", define.name, define.value);
    }
    return fmt::format("{}{}\n{}", text, line_directive(1, file), source);
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
    TranslateOptions options{
        .type = program.type, .defines = program.defines, .standard = program.standard};
    for (const Constant& constant : program.constants) options.constants.push_back(constant.name);
    // OpenCL's compiler defines it where the program is built with -cl-fast-relaxed-math.
    constexpr std::string_view relaxed = "__FAST_RELAXED_MATH__";
    if (program.floats.relaxed && has_word(program.source, relaxed)) {
        options.defines.push_back({std::string(relaxed), "1"});
    }
    return options;
}

Translation to_cuda(std::string_view file, std::string_view source,
                    const TranslateOptions& options) {
    return Translator(file, source, options).run();
}

}  // namespace parallax
