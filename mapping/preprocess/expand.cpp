// Boost.Wave over a kernel source, with limits, in a process of its own.
#include "mapping/preprocess/expand.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <boost/wave.hpp>
#include <boost/wave/cpplexer/cpp_lex_iterator.hpp>
#include <boost/wave/cpplexer/cpp_lex_token.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/profile.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/syntax.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand_parts.hpp"
#include "mapping/preprocess/includes.hpp"
#include "mapping/preprocess/predefined.hpp"
#include "mapping/table/table.hpp"

namespace parallax {
namespace {

/// A macro gets another body. Wave keeps the old one, compilers warn and take the new one.
struct Redefined {
    std::string name;
};

/// The redefined macros found so far. Wave reads included files without telling which object it
/// reads for, and all of it happens in a process of its own.
std::set<std::string> redefined;
/// Macros whose use is refused.
std::set<std::string> refused;

namespace fs = std::filesystem;
namespace wave = boost::wave;

/// Limit of expansions, of macros and of tokens in their bodies and arguments. An empty macro takes
/// its time, too.
constexpr std::size_t most_expansions = 1u << 18;
constexpr std::size_t most_expanded_tokens = 1u << 20;
// A gap of at most this many lines is filled with empty lines; a longer one gets a #line.
constexpr unsigned most_empty_lines = 8;

/// Macros of OpenCL C 1.2 on a device of OpenCL 3.0, except its constants.
constexpr std::string_view opencl_macros =
    "CL_VERSION_1_0=100 CL_VERSION_1_1=110 CL_VERSION_1_2=120 CL_VERSION_2_0=200 "
    "CL_VERSION_3_0=300 __OPENCL_VERSION__=300 __OPENCL_C_VERSION__=120 __ENDIAN_LITTLE__=1 "
    "__IMAGE_SUPPORT__=1 __opencl_c_int64=1 cl_khr_fp64=1 cl_khr_fp16=1 cl_khr_3d_image_writes=1 "
    "cl_khr_byte_addressable_store=1 cl_khr_int64_base_atomics=1 cl_khr_int64_extended_atomics=1 "
    "cl_khr_global_int32_base_atomics=1 cl_khr_global_int32_extended_atomics=1 "
    "cl_khr_local_int32_base_atomics=1 cl_khr_local_int32_extended_atomics=1 true=1 false=0";

/// Operators that compilers have and Wave lacks: a condition finds them defined, and their use is
/// rejected.
constexpr std::string_view refused_macros =
    "__COUNTER__ __has_attribute(x) __has_builtin(x) __has_c_attribute(x) __has_embed(x) "
    "__has_extension(x) __has_feature(x) __has_include(x) __has_include_next(x) __has_warning(x)";

/// The constants of OpenCL C (`M_PI_F`, `INT_MAX`). A condition finds them defined; they stay
/// words, but for whole numbers, which a condition may compare.
std::vector<Define> constants_of_opencl() {
    std::vector<Define> all;
    for (const MappingRule& row : mapping_table()) {
        if (row.topic != "constants") continue;
        for (const Spelling& one : spellings_of(row)) {
            const Type type = constant_type(one.opencl);
            if (!type.known()) continue;
            const bool is_float = is_float_element(type.value.element);
            Define made{one.opencl, is_float ? one.opencl : one.cuda};
            // CUDA's suffix of 64 bits is that of another type in OpenCL C.
            if (const std::size_t twice = made.value.find("LL"); twice != std::string::npos) {
                made.value.erase(twice, 1);
            }
            all.push_back(std::move(made));
        }
    }
    return all;
}

std::set<std::string> words_of_conditions(std::string_view source) {
    std::set<std::string> words;
    for (const DirectiveLine& one : directives_of(source).all) {
        if (!one.name.starts_with("if") && !one.name.starts_with("el")) continue;
        std::string word;
        for (const char c : one.rest + ' ') {
            if (is_word_character(c)) {
                word += c;
            } else if (!word.empty()) {
                words.insert(std::exchange(word, ""));
            }
        }
    }
    return words;
}

std::string whole_path(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    return (error ? path : whole).lexically_normal().string();
}

/// The files of a run by the names that Wave knows them by.
class Files {
public:
    Files(std::string_view main, std::vector<std::string> folders, const PathSandbox& reach)
        : main_(main), folders_(std::move(folders)), reach_(&reach) {
        shown_[whole_path(main_)] = main_;
    }

    const std::string& main() const { return main_; }

    /// As the user wrote it.
    std::string shown(const std::string& file) const {
        const auto found = shown_.find(whole_path(file));
        return found == shown_.end() ? file : found->second;
    }

    /// @throws Error for a file that cannot be used, or is not there
    std::string find(const IncludeName& name, const std::string& from) {
        const fs::path folder = fs::path(shown(from)).parent_path();
        const auto path = find_include(name, folder, folders_, *reach_);
        if (!path) throw Error(why_not_found(name, folder, folders_, *reach_));
        included_text(*path);
        shown_.try_emplace(whole_path(*path), path->string());
        return whole_path(*path);
    }

    /// Everything in `file` from here on comes after `line`.
    void pass(const std::string& file, std::size_t line) { passed_[file] = line; }
    /// Line of the last directive, 0 before the first.
    std::size_t passed(const std::string& file) const {
        const auto found = passed_.find(file);
        return found == passed_.end() ? 0 : found->second;
    }

private:
    std::map<std::string, std::size_t> passed_;
    std::string main_;
    std::vector<std::string> folders_;
    const PathSandbox* reach_;
    std::map<std::string, std::string> shown_;
};

/// Wave's expansion of a condition, which is for its own parts.
template <class Context>
struct Expander : Context {
    template <class Iterator, class Container>
    static void expand(Context& context, Iterator& at, const Iterator& end, Container& after) {
        constexpr auto of_all = &Expander::template expand_whole_tokensequence<Iterator>;
        (context.*of_all)(at, end, after, true, false);
    }
};

/// Hooks that Wave calls.
class Hooks : public wave::context_policies::default_preprocessing_hooks {
public:
    explicit Hooks(Files& files) : files_(&files) {}

    template <class Context, class Token, class Container>
    bool expanding_object_like_macro(const Context& context, const Token&, const Container& body,
                                     const Token& name) {
        refuse_unknown(context, name);
        count(context, body.size());
        // Conditions alone need the value of OpenCL's own `true`.
        const std::string text = text_of(name);
        if (text == "true" || text == "false") {
            const bool is_own =
                body.size() != 1 || text_of(body.front()) != (text == "true" ? "1" : "0");
            return !is_condition_ && !is_own;
        }
        // `#pragma OPENCL EXTENSION cl_khr_fp64 : enable` means the name.
        return in_pragma_ && text.starts_with("cl_");
    }
    template <class Context, class Token, class Container, class Iterator>
    bool expanding_function_like_macro(const Context& context, const Token& name,
                                       const std::vector<Token>&, const Container& body,
                                       const Token& call, const std::vector<Container>& arguments,
                                       const Iterator&, const Iterator& end) {
        refuse_unknown(context, name);
        const auto line_of = [](const auto& token) { return token.get_position().get_line(); };
        const bool is_long = line_of(*end) != line_of(call);  // `end` is the last bracket
        const bool asks = is_long && (asks_for_line(body) ||
                                      std::ranges::any_of(arguments, [&](const Container& one) {
                                          return asks_for_line(one);
                                      }));
        if (asks) {
            refuse(context,
                   fmt::format("'{}' goes over several lines and asks for __LINE__: compilers have "
                               "other lines there; write the call on one line",
                               text_of(name)));
        }
        if (std::ranges::any_of(body,
                                [](const Token& token) { return text_of(token) == "__VA_OPT__"; }))
            refuse(context, "'__VA_OPT__': OpenCL C 1.2 does not have it; write two macros");
        std::size_t tokens = body.size();
        for (const Container& one : arguments) {
            tokens += one.size();
            if (std::ranges::any_of(one, [](const Token& token) {
                    return IS_CATEGORY(token, wave::PPTokenType) ||
                           IS_CATEGORY(token, wave::PPConditionalTokenType);
                })) {
                refuse(context, fmt::format("a directive among the arguments of '{}': the "
                                            "standard gives it no meaning; put it around the call",
                                            text_of(name)));
            }
        }
        count(context, tokens);
        return false;
    }

    template <class Context, class Token, class Parameters, class Container>
    void defined_macro(const Context&, const Token& name, bool, const Parameters&,
                       const Container& body, bool) {
        for (const Token& token : body) words_[text_of(name)].insert(text_of(token));
    }

    template <class Context>
    bool locate_include_file(Context& context, std::string& path, bool angled, const char*,
                             std::string& folder, std::string& native) {
        const auto& place = context.get_main_pos();
        const std::string from = place.get_file().c_str();
        try {
            native = files_->find({path, !angled}, from);
        } catch (const Error& error) {
            refuse(context, fmt::format("'#include {}': {}", printable(path), error.what()));
        }
        folder = fs::path(native).parent_path().string();
        return true;
    }

    /// Wave gets signs wrong, of characters and of some numbers.
    template <class Context, class Token, class Container>
    bool evaluated_conditional_expression(const Context& context, const Token& directive,
                                          const Container& expression, bool value) {
        const auto id = wave::token_id(directive);
        if (id != wave::T_PP_IF && id != wave::T_PP_ELIF) return false;
        // Wave passes the condition before macro expansion.
        Container given = expression, after;
        auto at = given.begin();
        const auto end = given.end();
        Expander<Context>::expand(const_cast<Context&>(context), at, end, after);
        is_condition_ = false;
        std::vector<std::string> tokens;
        for (const Token& token : after) {
            if (!IS_CATEGORY(token, wave::WhiteSpaceTokenType) &&
                !IS_CATEGORY(token, wave::EOLTokenType) && !IS_CATEGORY(token, wave::EOFTokenType))
                tokens.push_back(text_of(token));
        }
        if (condition_value(tokens) != value) {
            refuse(context,
                   fmt::format("'{}': compilers compute this condition otherwise than this "
                               "preprocessor, or with more bits than CUDA's; write it with small "
                               "numbers, without signs and characters",
                               printable(fmt::format("{}", fmt::join(tokens, " ")), 200)));
        }
        return false;
    }

    template <class Context, class Token>
    bool found_directive(const Context&, const Token& directive) {
        const auto id = wave::token_id(directive);
        in_pragma_ = id == wave::T_PP_PRAGMA;
        is_condition_ = id == wave::T_PP_IF || id == wave::T_PP_ELIF;
        const auto& place = directive.get_position();
        files_->pass(place.get_file().c_str(), place.get_line());
        return false;
    }

    /// The end of a line that is skipped, as that of an #elif after a branch that was taken.
    template <class Context, class Token>
    void skipped_token(const Context&, const Token& token) {
        if (IS_CATEGORY(token, wave::EOLTokenType)) is_condition_ = false;
    }

    template <class Context, class Container>
    bool found_warning_directive(const Context&, const Container&) {
        return true;
    }

    template <class Context, class Exception>
    void throw_exception(const Context&, const Exception& error) {
        if constexpr (std::is_same_v<Exception, wave::preprocess_exception>) {
            using Code = wave::preprocess_exception;
            const int code = const_cast<Exception&>(error).get_errorcode();
            if (code == Code::last_line_not_terminated || code == Code::pragma_message_directive) {
                return;
            }
        }
        boost::throw_exception(error);
    }

    template <class Context>
    [[noreturn]] void refuse(const Context& context, std::string_view what) const {
        const auto& place = context.get_main_pos();
        throw Refused(fmt::format("{}:{}: {}", printable(files_->shown(place.get_file().c_str())),
                                  place.get_line(), what));
    }

private:
    /// Whether __LINE__ is in the tokens, or in the macros that they lead to.
    template <class Tokens>
    bool asks_for_line(const Tokens& tokens) const {
        std::vector<std::string> open;
        for (const auto& token : tokens) open.push_back(text_of(token));
        std::set<std::string> seen;
        while (!open.empty()) {
            const std::string word = std::move(open.back());
            open.pop_back();
            if (word == "__LINE__") return true;
            const auto found = words_.find(word);
            if (found != words_.end() && seen.insert(word).second)
                open.insert(open.end(), found->second.begin(), found->second.end());
        }
        return false;
    }
    template <class Token>
    static std::string text_of(const Token& token) {
        return token.get_value().c_str();
    }
    template <class Context, class Token>
    void refuse_unknown(const Context& context, const Token& name) const {
        const std::string text = text_of(name);
        if (!refused.contains(text)) return;
        refuse(context, fmt::format("'{}': its value is the compiler's own, and both sides would "
                                    "get this program's; write what it stands for",
                                    text));
    }
    template <class Context>
    void count(const Context& context, std::size_t tokens) {
        tokens_ += tokens;
        if (++expansions_ > most_expansions) {
            refuse(context, fmt::format("more than {} macros are expanded; do they multiply?",
                                        most_expansions));
        }
        if (tokens_ <= most_expanded_tokens) return;
        refuse(context, fmt::format("macros that are expanded have more than {} tokens with their "
                                    "arguments; do they multiply?",
                                    most_expanded_tokens));
    }

    Files* files_;
    bool in_pragma_ = false, is_condition_ = false;
    std::size_t expansions_ = 0, tokens_ = 0;
    std::map<std::string, std::set<std::string>> words_;  // of the bodies of macros
};

/// Reads included files; the last line of one ends, whether it says so or not.
struct LoadText {
    template <class Iteration>
    class inner {
    public:
        template <class Position>
        static void init_iterators(Iteration& iteration, const Position&,
                                   wave::language_support language) {
            using Iterator = typename Iteration::iterator_type;
            iteration.text_ =
                with_plain_defines(included_text(iteration.filename.c_str()), redefined) + "\n";
            iteration.first = Iterator(iteration.text_.begin(), iteration.text_.end(),
                                       Position(iteration.filename), language);
            iteration.last = Iterator();
        }

    private:
        std::string text_;
    };
};

using WaveToken = wave::cpplexer::lex_token<>;
using WaveLexer = wave::cpplexer::lex_iterator<WaveToken>;
using Context = wave::context<std::string::const_iterator, WaveLexer, LoadText, Hooks>;

/// Puts tokens together, and keeps each line at its place.
class Writer {
public:
    explicit Writer(const Files& files) : files_(files), file_(files.main()) {}

    /// @param read  where Wave reads now
    void write(const WaveToken& token, const WaveToken::position_type& read) {
        const std::string_view text{token.get_value().c_str(), token.get_value().size()};
        if (line_start_) {
            // Empty lines come of themselves, when the next line that has something is known.
            if (text.empty() || text == "\n") return;
            go_to(files_.shown(read.get_file().c_str()), line_of(token, read));
        }
        if (text_.size() + text.size() > most_text_bytes) {
            throw Refused(fmt::format("{}:{}: the text grows beyond {}; do its macros multiply?",
                                      printable(file_), line_, binary_size(most_text_bytes)));
        }
        // A number from another macro would go on with a sign behind its e.
        const auto& place = token.get_position();
        if (number_end_ != 0 && (text[0] == '+' || text[0] == '-') &&
            std::string_view("eEpP").find(text_.back()) != std::string_view::npos &&
            (place.get_line() != number_line_ || place.get_column() != number_end_)) {
            text_ += ' ';
        }
        const bool is_number = !text.empty() && is_digit(text[0]);
        number_line_ = place.get_line();
        number_end_ = is_number ? place.get_column() + text.size() : 0;
        text_ += text;
        line_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
        line_start_ = text_.ends_with('\n');
    }

    std::string text() && { return std::move(text_); }

private:
    /// A token out of a macro is where the macro was defined, before all that is still to come; it
    /// belongs where Wave reads. Another one is where it says, even where Wave has read ahead.
    std::size_t line_of(const WaveToken& token, const WaveToken::position_type& read) const {
        const auto& own = token.get_position();
        const std::string file = read.get_file().c_str();
        const bool is_there = own.get_file() == read.get_file() &&
                              own.get_line() > files_.passed(file) &&
                              own.get_line() <= read.get_line();
        return is_there ? own.get_line() : read.get_line();
    }

    void go_to(const std::string& file, std::size_t line) {
        if (file == file_ && line >= line_ && line - line_ <= most_empty_lines) {
            text_.append(line - line_, '\n');
        } else {
            text_ += line_directive(static_cast<unsigned>(line), file) + "\n";
        }
        file_ = file;
        line_ = line;
    }

    const Files& files_;
    std::string file_, text_;
    std::size_t line_ = 1;
    std::size_t number_line_ = 0, number_end_ = 0;  // where the last token ends; 0: no number
    bool line_start_ = true;
};

void define(Context& context, const std::string& macro, bool by_language) {
    try {
        if (context.add_macro_definition(macro, by_language)) return;
    } catch (const wave::cpp_exception&) {
        // It gets the same answer as one that is turned down.
    } catch (const wave::cpplexer::lexing_exception&) {
    }
    throw Refused(fmt::format("-D {}: no macro; write NAME or NAME=VALUE", printable(macro, 60)));
}

/// Advice; empty: the message has it.
std::string_view advice_on(int code) {
    using Code = wave::preprocess_exception;
    switch (code) {
        case Code::too_few_macroarguments:
            return "; C99 wants a comma before variable arguments that are not there, too: write "
                   "F(x, )";
        case Code::ill_formed_expression:
            return "; a condition has whole numbers, 'defined' and C's operators without ',' and "
                   "'='";
        case Code::ill_formed_directive:
            return "; C99 does not have this directive: write '#include' with a guard for "
                   "'#import', and leave others out";
        default: return "";
    }
}

std::string preprocessed(Files& files, const std::string& source,
                         const std::vector<Define>& defines,
                         const std::vector<std::string>& without) {
    Context context(source.begin(), source.end(), files.main().c_str(), Hooks(files));
    using wave::language_support;
    context.set_language(language_support(
        wave::support_c99 | wave::support_option_long_long | wave::support_option_variadics |
        wave::support_option_preserve_comments | wave::support_option_emit_pragma_directives |
        wave::support_option_insert_whitespace | wave::support_option_prefer_pp_numbers |
        wave::support_option_no_character_validation |
        wave::support_option_include_guard_detection));
    context.set_max_include_nesting_depth(most_include_depth);
    for (const std::string_view macro : split(opencl_macros, " ")) {
        const std::string_view name = macro.substr(0, macro.find('='));
        if (std::ranges::find(defines, name, &Define::name) == defines.end() &&
            std::ranges::find(without, name) == without.end()) {
            // As a macro of the text's own, which may be taken away.
            define(context, std::string(macro), false);
        }
    }
    for (const std::string_view macro : split(refused_macros, " ")) {
        const std::string_view name = macro.substr(0, macro.find('('));
        if (std::ranges::find(defines, name, &Define::name) != defines.end()) continue;
        refused.emplace(name);
        define(context, std::string(macro) + "=0", false);
    }
    for (const Define& one : constants_of_opencl()) {
        // As a macro of the text's own, which may be defined again.
        if (std::ranges::find(defines, one.name, &Define::name) == defines.end() &&
            std::ranges::find(without, one.name) == without.end() &&
            !redefined.contains(one.name) && has_word(source, one.name)) {
            define(context, one.name + "=" + one.value, false);
        }
    }
    for (const std::string& name : words_of_conditions(source)) {
        // Some come with OpenCL C 2.0.
        if (may_be_macro(name) && !name.starts_with("ATOMIC_") && name != "CLK_IMAGE_MEM_FENCE" &&
            std::ranges::find(defines, name, &Define::name) == defines.end() &&
            std::ranges::find(without, name) == without.end() && !redefined.contains(name)) {
            define(context, name + "=" + name, false);
        }
    }
    for (const Define& one : defines)
        define(context, one.name + "=" + one.value, one.name == "__cplusplus");

    const auto refusal = [&](const auto& error) {
        std::string said = error.description();
        said.erase(0, said.starts_with("warning: ") ? 9 : said.starts_with("error: ") ? 7 : 0);
        while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
        return Refused(fmt::format("{}:{}: {}{}", printable(files.shown(error.file_name())),
                                   error.line_no(), printable(said, 300),
                                   advice_on(error.get_errorcode())));
    };
    Writer writer(files);
    try {
        for (auto token = context.begin(); token != context.end(); ++token) {
            writer.write(*token, context.get_main_pos());
        }
    } catch (wave::macro_handling_exception& error) {
        if (error.get_errorcode() != wave::preprocess_exception::macro_redefinition) {
            throw refusal(error);
        }
        throw Redefined{error.get_related_name()};
    } catch (const wave::cpp_exception& error) {
        throw refusal(error);
    } catch (const wave::cpplexer::lexing_exception& error) {
        throw refusal(error);
    }
    std::string text = std::move(writer).text();
    for (const DirectiveLine& one : directives_of(text).all) {
        if (one.name != "pragma" ||
            (!one.rest.starts_with("push_macro") && !one.rest.starts_with("pop_macro")))
            continue;
        const std::string place = with_own_places(fmt::format("<kernel>:{}", one.line + 1),
                                                  line_directive(1, files.main()) + "\n" + text);
        throw Refused(
            fmt::format("{}: '#pragma {}': some compilers of OpenCL C know it, and this "
                        "preprocessor does not; define two macros",
                        printable(place), printable(one.rest, 60)));
    }
    return text;
}

std::string expanded_anew(std::string_view file, std::string_view source,
                          const std::vector<Define>& defines,
                          const std::vector<std::string>& folders, const PathSandbox& reach,
                          const std::vector<std::string>& without) {
    if (source.size() > most_text_bytes) {
        throw Refused(fmt::format("{}:1: the text has more than {}; make it smaller",
                                  printable(file), binary_size(most_text_bytes)));
    }
    if (const std::size_t nul = source.find('\0'); nul != std::string_view::npos) {
        throw Refused(fmt::format("{}:{}: a NUL byte; kernel sources are plain text",
                                  printable(file),
                                  1 + std::ranges::count(source.substr(0, nul), '\n')));
    }
    for (std::size_t at = source.find('\\'); at != source.npos; at = source.find('\\', at + 1)) {
        const std::size_t end = source.find_first_not_of(" \t\v\f", at + 1);
        if (end == source.npos || end == at + 1 || !source.substr(end).starts_with('\n')) continue;
        throw Refused(
            fmt::format("{}:{}: blanks between a backslash and the end of its line; "
                        "remove them",
                        printable(file), 1 + std::ranges::count(source.substr(0, at), '\n')));
    }
    const InPhase phase(Phase::translating, "expanding");
    // Wave's own parsers recurse; a process of its own is the one limit that always holds.
    return isolated(
        [&] {
            for (;;) {
                Files files(file, folders, reach);
                try {
                    return preprocessed(files, with_plain_defines(source, redefined) + "\n",
                                        defines, without);
                } catch (const Redefined& again) {
                    if (!redefined.insert(again.name).second) {
                        throw Refused(fmt::format("-D {}: given twice", printable(again.name, 60)));
                    }
                }
            }
        },
        fmt::format("{}:1: its macros, conditions or brackets grow too large or too deep to be "
                    "expanded; do they multiply?",
                    printable(file)));
}

/// The last sources that were expanded: the launches of a capture share a few large ones.
class Expansions {
public:
    std::string get(const std::string& key, const std::function<std::string()>& make) {
        {
            const std::scoped_lock lock(mutex_);
            const auto found = std::ranges::find(kept_, key, &Kept::first);
            if (found != kept_.end()) return found->second;
        }
        std::string text = make();
        const std::scoped_lock lock(mutex_);
        if (kept_.size() == most) kept_.pop_front();
        kept_.emplace_back(key, text);
        return text;
    }

private:
    using Kept = std::pair<std::string, std::string>;
    static constexpr std::size_t most = 8;
    std::mutex mutex_;
    std::deque<Kept> kept_;
};

}  // namespace

bool can_expand() {
    return true;
}

std::string expanded(std::string_view file, std::string_view source,
                     const std::vector<Define>& defines, const std::vector<std::string>& folders,
                     const PathSandbox& reach, const std::vector<std::string>& without) {
    const auto make = [&] { return expanded_anew(file, source, defines, folders, reach, without); };
    // An included file may have changed since.
    if (source.find("include") != source.npos) return make();
    static Expansions expansions;
    std::string key = fmt::format("{}\n", file);
    for (const Define& one : defines) key += fmt::format("-D{}={}\n", one.name, one.value);
    for (const std::string& name : without) key += fmt::format("-U{}\n", name);
    return expansions.get(key.append(source), make);
}

}  // namespace parallax
