// Runs clang on a CUDA C++ source, and reads the tree that it prints.
#include "mapping/from_cuda/clang_tree.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/process/confined.hpp"
#include "common/text/characters.hpp"
#include "common/text/embedded_file.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {

std::span<const EmbeddedFile> cuda_declarations();

namespace from_cuda {
namespace {

using Json = nlohmann::json;

/// A file takes clang a second at most, unless it computes.
constexpr std::chrono::seconds most_time{15};

/// The replacement of a `#line`: clang counts the physical lines.
constexpr std::string_view line_mark = "//#line";

std::string text_in(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end()) return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

bool flag_in(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->get<bool>();
}

std::string type_in(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return {};
    const std::string full = text_in(*found, "desugaredQualType");
    return full.empty() ? text_in(*found, "qualType") : full;
}

/// Whether the special member function is there and the compiler's own, of bytes alone.
bool is_trivial(const Json& data, const char* key) {
    const auto found = data.find(key);
    return found != data.end() && flag_in(*found, "trivial");
}

void read_place(const Json& place, Node& node, bool is_end) {
    const auto expansion = place.find("expansionLoc");
    const Json& at = expansion == place.end() ? place : *expansion;
    const auto offset = at.find("offset");
    if (offset == at.end()) return;
    if (expansion != place.end()) {
        (is_end ? node.ends_in_macro : node.begins_in_macro) = true;
        const auto spelling = place.find("spellingLoc");
        if (!is_end && spelling != place.end() && spelling->contains("offset")) {
            node.written = spelling->at("offset").get<std::size_t>();
        }
    }
    const auto position = offset->get<std::size_t>();
    const std::size_t length = at.contains("tokLen") ? at.at("tokLen").get<std::size_t>() : 0;
    // The end of a macro is found when its text is known.
    const bool adds = is_end && !node.ends_in_macro;
    (is_end ? node.end : node.begin) = position + (adds ? length : 0);
}

Node node_of(const Json& json) {
    Node made;
    made.kind = text_in(json, "kind");
    made.id = text_in(json, "id");
    made.name = text_in(json, "name");
    made.type = type_in(json, "type");
    if (const auto type = json.find("type"); type != json.end() && type->is_object())
        made.alias = text_in(*type, "typeAliasDeclId");
    if (made.kind == "FunctionDecl") made.mangled = text_in(json, "mangledName");
    made.operation = text_in(json, "opcode");
    if (made.operation.empty()) made.operation = text_in(json, "castKind");
    made.value = text_in(json, "value");
    made.storage = text_in(json, "storageClass");
    made.init = text_in(json, "init");
    made.previous = text_in(json, "previousDecl");
    made.tag = text_in(json, "tagUsed") + text_in(json, "scopedEnumTag");
    made.argument_type = type_in(json, "argType");
    if (made.argument_type.empty()) made.argument_type = type_in(json, "fixedUnderlyingType");
    made.is_arrow = flag_in(json, "isArrow");
    made.is_postfix = flag_in(json, "isPostfix");
    made.is_implicit = flag_in(json, "isImplicit") || flag_in(json, "implicit");
    made.is_constexpr = flag_in(json, "isConstexpr") || flag_in(json, "constexpr");
    made.has_more = flag_in(json, "hasInit") || flag_in(json, "hasVar") || json.contains("bases") ||
                    flag_in(json, "isBitfield");
    made.is_invalid = flag_in(json, "isInvalid");
    made.is_complete = flag_in(json, "completeDefinition");
    made.is_lvalue = text_in(json, "valueCategory") != "prvalue";
    if (const auto data = json.find("definitionData"); data != json.end()) {
        made.is_plain = is_trivial(*data, "copyCtor") && is_trivial(*data, "copyAssign");
        made.has_plain_start = is_trivial(*data, "defaultCtor");
        made.has_more = made.has_more || flag_in(*data, "isPolymorphic");
    }
    const auto refers = json.find("referencedDecl");
    if (refers != json.end()) {
        made.refers = text_in(*refers, "id");
        made.refers_kind = text_in(*refers, "kind");
        made.refers_name = text_in(*refers, "name");
    } else {
        made.refers = text_in(json, "referencedMemberDecl");
    }
    if (const auto range = json.find("range"); range != json.end()) {
        if (range->contains("begin")) read_place(range->at("begin"), made, false);
        if (range->contains("end")) read_place(range->at("end"), made, true);
    }
    // Where an array is longer than its list, the value of the rest precedes the list's own values.
    if (const auto filled = json.find("array_filler"); filled != json.end()) {
        for (std::size_t i = 1; i < filled->size(); ++i)
            made.parts.push_back(node_of((*filled)[i]));
    }
    if (const auto inner = json.find("inner"); inner != json.end()) {
        made.parts.reserve(inner->size());
        for (const Json& one : *inner) {
            // A comment on a declaration is no part of it.
            if (text_in(one, "kind") != "FullComment") made.parts.push_back(node_of(one));
        }
    }
    return made;
}

/// The text without includes, and with comments for line numbers.
std::string without_directives(std::string_view source) {
    std::string made;
    for (const std::string_view line : lines_of(source)) {
        if (const auto number = after_directive(line, "line")) {
            made += fmt::format("{} {}\n", line_mark, *number);
        } else if (after_directive(line, "include")) {
            made += '\n';
        } else {
            made += fmt::format("{}\n", line);
        }
    }
    return made;
}

/// Where the use of a macro ends that begins at `at`.
std::size_t end_of_macro(const std::string& text, std::size_t at,
                         const std::set<std::string>& with_parameters) {
    const std::size_t end = word_end(text, at);
    if (!with_parameters.contains(text.substr(at, end - at))) return end;
    const std::size_t open = text.find_first_not_of(" \t\r\n", end);
    if (open == text.npos || text[open] != '(') return end;
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) return i + 1;
    }
    return end;
}

void place_macros(Node& node, const std::string& text, const std::set<std::string>& functions) {
    if (node.ends_in_macro && node.end != Node::nowhere) {
        node.is_of_macro = node.begins_in_macro && node.begin == node.end;
        node.end = end_of_macro(text, node.end, functions);
    }
    for (Node& one : node.parts) place_macros(one, text, functions);
}

/// The names of macros with parameters.
std::set<std::string> macros_with_parameters(std::string_view text) {
    std::set<std::string> names;
    for (const std::string_view line : lines_of(text)) {
        const std::string_view rest = after_directive(line, "define").value_or("");
        const std::size_t end = word_end(rest);
        if (end < rest.size() && rest[end] == '(') names.emplace(rest.substr(0, end));
    }
    return names;
}

/// Types of a tree by their whole names: clang leaves a name behind `const`, in front of `&` or of
/// an alias template as the source has it, `::a::S` or `b::S`.
class WholeNames {
public:
    explicit WholeNames(Node& root) {
        find(root, "");
        write(root, "");
    }

private:
    static std::string inner(const Node& node, const std::string& scope) {
        const bool is_scope = node.is("NamespaceDecl") || node.kind.ends_with("RecordDecl");
        return is_scope && !node.name.empty() ? scope + node.name + "::" : scope;
    }

    void find(const Node& node, const std::string& scope) {
        if (!node.name.empty() && (inner(node, scope) != scope ||
                                   is_one_of(node.kind, {"EnumDecl", "TypedefDecl", "TypeAliasDecl",
                                                         "ClassTemplateDecl"})))
            names_.insert(scope + node.name);
        for (const Node& one : node.parts) {
            if (one.kind.ends_with("Decl")) find(one, inner(node, scope));
        }
    }

    void write(Node& node, const std::string& scope) {
        node.type = whole(node.type, scope);
        node.argument_type = whole(node.argument_type, scope);
        const std::string own = inner(node, scope);
        for (Node& one : node.parts) write(one, own);
    }

    std::string whole(const std::string& type, const std::string& scope) const {
        std::string made;
        for (std::size_t i = 0; i < type.size();) {
            std::size_t end = i;
            while (end < type.size() && (is_word_character(type[end]) || type[end] == ':')) ++end;
            // `A<int>::B`, `(anonymous namespace)::B`
            const bool goes_on = i > 0 && (type[i - 1] == '>' || type[i - 1] == ')');
            const std::string word = type.substr(i, std::max(end, i + 1) - i);
            made += goes_on ? word : whole_word(word, scope);
            i += word.size();
        }
        return made;
    }

    std::string whole_word(const std::string& word, const std::string& scope) const {
        if (word.starts_with("::")) return word.substr(2);
        if (word.find("::") == word.npos && names_.contains(word)) return word;
        for (std::string outer = scope; !outer.empty();) {
            if (names_.contains(outer + word)) return outer + word;
            outer.resize(outer.size() - 2);
            const std::size_t at = outer.rfind("::");
            outer.resize(at == outer.npos ? 0 : at + 2);
        }
        return word;
    }

    std::set<std::string> names_;
};

struct Clang {
    std::string program, version;  ///< `clang-14`, `14.0.6`
};

/// The first clang that runs; without a program: none does.
const Clang& clang_here() {
    static const Clang found = [] {
        std::vector<std::string> names{"clang"};
        for (int version = 13; version <= 22; ++version) {
            names.push_back(fmt::format("clang-{}", version));
        }
        for (const std::string& name : names) {
            const ProcessResult said = run_program(name, {"--version"}, std::chrono::seconds(20));
            if (!said.ok()) continue;
            // `Debian clang version 14.0.6`
            constexpr std::string_view mark = "version ";
            const std::size_t at = said.out.find(mark);
            const std::size_t begin = at == said.out.npos ? said.out.size() : at + mark.size();
            const std::size_t end = said.out.find_first_of(" \n", begin);
            return Clang{name, printable(said.out.substr(begin, end - begin), 40)};
        }
        return Clang{};
    }();
    return found;
}

/// `<file>:12:7: error: ...`
std::vector<ClangError> errors_in(const std::string& said, const std::string& file,
                                  const std::string& text) {
    std::vector<std::size_t> starts{0};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') starts.push_back(i + 1);
    }
    std::vector<ClangError> errors;
    for (const std::string_view line : lines_of(said)) {
        if (!line.starts_with(file + ":")) continue;
        char* rest = nullptr;
        const std::string numbers(line.substr(file.size() + 1));
        const auto row = std::strtoul(numbers.c_str(), &rest, 10);
        if (row == 0 || row > starts.size() || *rest != ':') continue;
        const auto column = std::strtoul(rest + 1, &rest, 10);
        const std::string_view what = rest;
        constexpr std::string_view mark = ": error: ";
        if (!what.starts_with(mark)) continue;
        errors.push_back(
            {starts[row - 1] + std::max(column, 1UL) - 1, std::string(what.substr(mark.size()))});
    }
    return errors;
}

}  // namespace

std::string clang_found() {
    const Clang& one = clang_here();
    return one.program + (one.version.empty() ? "" : " " + one.version);
}

const Node* Node::part(std::string_view of_kind) const {
    const auto found =
        std::ranges::find_if(parts, [&](const Node& one) { return one.kind == of_kind; });
    return found == parts.end() ? nullptr : &*found;
}

const Node* Node::valued() const {
    const Node* one = this;
    while (one && one->value.empty()) one = one->parts.empty() ? nullptr : &one->parts[0];
    return one;
}

const Node* Node::initial_value() const {
    const Node* found = nullptr;
    for (const Node& one : parts) {
        if (!one.kind.ends_with("Attr") && !one.is("TemplateArgument")) found = &one;
    }
    // A struct without a value has a call of its constructor.
    const bool is_none = found && found->is("CXXConstructExpr") && found->parts.empty();
    return is_none ? nullptr : found;
}

std::string ClangTree::with_line_directives(const std::string& of_text) const {
    std::string made;
    for (const std::string_view line : lines_of(std::string_view(of_text).substr(source))) {
        made += line.starts_with(line_mark) ? line.substr(2) : line;
        made += '\n';
    }
    return made;
}

std::string ClangTree::place(std::size_t at) const {
    const auto [name, line] = file_and_line(at);
    return fmt::format("{}:{}", name, line);
}

std::pair<std::string, unsigned> ClangTree::file_and_line(std::size_t at) const {
    std::string name = file;
    unsigned line = 1;
    for (const std::string_view one : lines_of(std::string_view(text).substr(source))) {
        const auto end = static_cast<std::size_t>(one.data() + one.size() - text.data());
        if (at <= end) break;
        ++line;
        if (one.starts_with(line_mark)) {
            char* rest = nullptr;
            const std::string words(one.substr(line_mark.size()));
            line = static_cast<unsigned>(std::strtoul(words.c_str(), &rest, 10));
            const std::string_view quoted = trimmed(rest);
            if (quoted.size() > 2 && quoted.front() == '"') {
                name = quoted.substr(1, quoted.size() - 2);
            }
        }
    }
    return {name, line};
}

std::string ClangTree::complaint(std::size_t instance) const {
    const std::size_t begin = instances.at(instance);
    const std::size_t end = instance + 1 < instances.size() ? instances[instance + 1] : text.npos;
    const auto found = std::ranges::find_if(
        errors, [&](const ClangError& one) { return one.at >= begin && one.at < end; });
    return found == errors.end() ? std::string() : found->what;
}

ClangTree clang_tree(std::string_view file, std::string_view source,
                     const std::vector<Define>& defines, const std::vector<std::string>& instances,
                     Dialect dialect) {
    if (clang_here().program.empty()) {
        throw Unsupported(
            "Reading CUDA C++ takes the program clang, 13 or newer, which is not found. " +
            std::string(clang_advice));
    }
    ClangTree made;
    made.file = file;
    made.dialect = dialect;
    made.text = cuda_declarations()[0].text;
    if (dialect == Dialect::nvidia) {
        made.text =
            fmt::format("#define PARALLAX_NVIDIA\n{}{}", made.text, cuda_declarations()[1].text);
    }
    if (made.is_reading()) {
        made.text =
            fmt::format("#define PARALLAX_READING\n{}{}", made.text, cuda_declarations()[2].text);
    }
    made.text += "// The source follows.\n";
    made.source = made.text.size();
    made.text += without_directives(source);
    const std::size_t end = made.text.size();
    for (std::size_t i = 0; i < instances.size(); ++i) {
        made.instances.push_back(made.text.size());
        made.text +=
            fmt::format("namespace parallax_asked {{ auto* kernel_{} = &{}; }}\n", i, instances[i]);
    }
    const TemporaryFolder folder("clang");
    const std::string path = folder.put("source.cu", made.text);
    std::vector<std::string> words{"-cc1",
                                   "-x",
                                   "cuda",
                                   "-fcuda-is-device",
                                   "-fcuda-allow-variadic-functions",
                                   "-triple",
                                   "nvptx64-nvidia-cuda",
                                   "-aux-triple",
                                   "x86_64-unknown-linux-gnu",
                                   "-target-cpu",
                                   "sm_75",
                                   "-std=c++17",
                                   "-fsyntax-only",
                                   "-ferror-limit",
                                   "0",
                                   "-fno-caret-diagnostics",
                                   "-fno-spell-checking",
                                   "-fnative-half-type",
                                   "-w",
                                   "-Wno-c++11-narrowing",  // NVCC only warns
                                   "-ast-dump=json"};
    const bool is_renamed = std::atoi(clang_here().version.c_str()) >= 16;
    words.push_back(
        fmt::format("-f{}-half-arguments-and-returns", is_renamed ? "native" : "allow"));
    for (const Define& one : defines) words.push_back(fmt::format("-D{}={}", one.name, one.value));
    words.push_back(path);
    ProcessResult result;
    // All that it includes is in the text.
    confined(PathSandbox({}), {.write = {folder.path()}}, [&] {
        result = run_program(clang_here().program, words, most_time, {}, compiler_limits());
    });
    try {
        made.root = node_of(Json::parse(result.out));
    } catch (const Json::exception&) {
        throw Refused(fmt::format(
            "{}:1: {} cannot read it: {}", file, clang_here().program,
            !result.in_time
                ? fmt::format("it takes longer than {} s. This machine is busy (try again), or a "
                              "template or a constant of it makes too many others",
                              most_time.count())
            : result.out.size() >= most_output
                ? fmt::format(
                      "its tree has more than {} MiB; a template of it makes too many others",
                      most_output >> 20)
                : printable(result.err, 300)));
    }
    std::set<std::string> functions = macros_with_parameters(made.text);
    for (const Define& one : defines) {
        if (const std::size_t open = one.name.find('('); open != one.name.npos) {
            functions.insert(one.name.substr(0, open));
        }
    }
    place_macros(made.root, made.text, functions);
    WholeNames{made.root};
    made.errors = errors_in(result.err, path, made.text);
    // clang only reports that functions declared for the source have no definition.
    std::erase_if(made.errors, [&](const ClangError& one) { return one.at < made.source; });
    made.text.resize(end);
    return made;
}

}  // namespace from_cuda
}  // namespace parallax
