// Goes through the declarations of a CUDA C++ file.
#include "mapping/cuda/cuda_file.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace parallax::cuda_reading {

CudaFile::CudaFile(std::string_view file, std::string text) : file_(file) {
    tokens_ = lexed(std::move(text));
    scan();
    find_launches();
}

Tokens CudaFile::lexed(std::string text) const {
    texts_.push_back(std::make_unique<std::string>(std::move(text)));
    return Tokens(lex(file_, *texts_.back()));
}

std::string CudaFile::complaint(std::size_t token, std::string_view what) const {
    const Token& at = tokens_[token];
    return fmt::format("{}:{}: '{}': {}", at.file, at.line, at.text, what);
}

std::optional<std::int64_t> CudaFile::constant(std::string_view name) const {
    const auto found = constants_.find(name);
    return found == constants_.end() ? std::nullopt : std::optional(found->second);
}

void CudaFile::scan() {
    for (std::size_t i = 0; i < tokens_.size();) {
        while (!scopes_.empty() && i >= scopes_.back().first) scopes_.pop_back();
        const Token& token = tokens_[i];
        const std::size_t from = i;
        if (token.kind == TokenKind::directive) {
            if (token.text.find("define") != token.text.npos) directives_.push_back(i);
            ++i;
        } else if (token.is("extern") && tokens_[i + 1].kind == TokenKind::string) {
            i += tokens_[i + 2].is("{") ? 3 : 2;
        } else if (token.is("namespace") ||
                   (token.is("inline") && tokens_[i + 1].is("namespace"))) {
            std::string name;
            for (i += token.is("inline") ? 2 : 1;
                 i < tokens_.size() && !tokens_[i].is_one_of({"{", ";", "="}); ++i) {
                if (tokens_[i].kind == TokenKind::identifier) name += std::string(tokens_[i].text) + "::";
            }
            if (tokens_[i].is("{")) {
                scopes_.emplace_back(tokens_.match(i),
                                     (scopes_.empty() ? "" : scopes_.back().second) + name);
            } else {
                while (i < tokens_.size() && !tokens_[i].is(";")) ++i;
            }
            ++i;
        } else if (token.is("template")) {
            i = template_head(i);
        } else if (token.is_one_of({";", "}", ")", "]"})) {
            ++i;
        } else {
            i = declaration(i);
            templates_.clear();
            is_template_ = false;
        }
        i = std::max(i, from + 1);
    }
}

std::size_t CudaFile::template_head(std::size_t i) {
    const auto close = tokens_.angle(i + 1);
    if (!close) return i + 1;  // an explicit instantiation
    templates_.clear();
    is_template_ = true;
    template_first_ = i;
    for (const Range& part : tokens_.parts({i + 2, *close})) {
        TemplateParameter one;
        std::size_t end = part.first;
        while (end < part.last && !tokens_[end].is("=")) ++end;
        for (std::size_t k = part.first; k < end; ++k) {
            one.is_pack = one.is_pack || tokens_[k].is("...");
            if (tokens_[k].kind == TokenKind::identifier) one.name = tokens_[k].text;
        }
        if (end < part.last) one.value = {end + 1, part.last};
        templates_.push_back(one);
    }
    return *close + 1;
}

namespace {

bool is_record(const Token& token) {
    return token.is_one_of({"struct", "class", "union"});
}

}  // namespace

std::size_t CudaFile::declaration(std::size_t i) {
    const std::size_t first = i;
    Function made{.first = first};
    if (!scopes_.empty()) made.scope = scopes_.back().second;
    bool is_device = false, assigned = false, is_host = false,
         alias = tokens_[i].is_one_of({"typedef", "using", "friend"});
    std::size_t brace = 0;
    for (; i < tokens_.size(); ++i) {
        const Token& token = tokens_[i];
        if (token.is("__global__")) {
            // Words of a macro without a semicolon may be before it.
            if (made.open != 0 || assigned || brace != 0) return i;
            made.is_kernel = true;
        }
        is_device = is_device || token.is("__device__");
        assigned = assigned || token.is("=");
        if (token.is("[")) {
            i = tokens_.match(i);
        } else if (token.is("(")) {
            const Token& before = tokens_[i > first ? i - 1 : first];
            if (before.is("__launch_bounds__")) made.bounds = {i + 1, tokens_.match(i)};
            // `__align__(8) {`, and not `inline void __check(int e) {`
            const bool is_function =
                !before.text.ends_with("__") && tokens_[tokens_.match(i) + 1].is("{");
            const bool attribute =
                (before.text.starts_with("__") && !is_function) ||
                before.is_one_of({"alignas", "decltype", "noexcept", "explicit"});
            std::size_t name = i - 1;
            if (before.is(">") || before.is(">>")) {
                // `k<float>(...)`: a specialization.
                for (std::size_t k = i - 1; k > first && i - k < 200; --k) {
                    if (tokens_.angle(k) == i - 1 && tokens_[k - 1].kind == TokenKind::identifier) {
                        name = k - 1;
                        made.arguments = {k + 1, i - 1};
                        break;
                    }
                }
            }
            if (made.open == 0 && !assigned && i > first && !attribute &&
                tokens_[name].kind == TokenKind::identifier) {
                made.open = i;
                made.close = tokens_.match(i);
                made.name = name;
            }
            i = tokens_.match(i);
        } else if (token.is("{")) {
            const std::size_t close = tokens_.match(i);
            if (made.open != 0 && !assigned) {
                made.body = i;
                made.last = close;
                bool is_constant = false;
                for (std::size_t k = first; k < made.open; ++k) {
                    is_constant = is_constant || tokens_[k].is("constexpr");
                }
                if (made.is_kernel || is_device || is_constant) {
                    function(made);
                } else {
                    host_parts_.push_back({is_template_ ? template_first_ : first, close + 1});
                    std::size_t name = made.name;
                    if (name > 2 && tokens_.is_scope(name - 2)) name -= 3;
                    for (std::size_t k = name; tokens_[name].is(">") && k-- > template_first_;) {
                        if (tokens_.angle(k) == name) name = k - 1;
                    }
                    if (is_template_ && !templates_.empty()) {
                        host_templates_.push_back(
                            {{template_first_, close + 1}, tokens_[name].text, templates_});
                    }
                }
                return close + 1;
            }
            brace = i;
            i = close;
        } else if (token.is(";")) {
            break;
        } else if (token.is("}")) {
            break;
        }
    }
    if (alias) {
        const bool use = tokens_[first].is("using");
        if (use && tokens_[first + 2].is("=") && !is_template_) {
            types_.push_back({NamedType::Kind::use, tokens_[first + 1].text, {first, i}});
        } else if (tokens_[first].is("typedef") && i > first + 1) {
            std::size_t name = i - 1;
            while (name > first && tokens_[name].is("]")) name = tokens_.match(name) - 1;
            types_.push_back({NamedType::Kind::alias, tokens_[name].text, {first, i}});
        }
    } else if (is_record(tokens_[first]) && brace != 0 && is_template_) {
        if (!templates_.empty() && tokens_[first + 1].kind == TokenKind::identifier) {
            host_templates_.push_back(
                {{template_first_, tokens_.match(brace)}, tokens_[first + 1].text, templates_});
        }
    } else if (is_record(tokens_[first]) && brace != 0 && !is_template_) {
        std::size_t name = brace - 1;
        for (std::size_t k = first + 1; k < brace && !tokens_[k].is(":"); ++k) {
            if (tokens_[k].is("(")) k = tokens_.match(k);
            if (tokens_[k].kind == TokenKind::identifier && !tokens_[k].is("final")) name = k;
        }
        types_.push_back({NamedType::Kind::record, tokens_[name].text, {first, i}});
    } else if (tokens_[first].is("enum") && brace != 0) {
        enumerators(brace, tokens_.match(brace));
        std::size_t name =
            tokens_[first + 1].is_one_of({"class", "struct"}) ? first + 2 : first + 1;
        if (tokens_[name].kind == TokenKind::identifier)
            types_.push_back({NamedType::Kind::alias, tokens_[name].text, {name, name}});
    } else if (made.is_kernel && !made.arguments.empty()) {
        launches_.push_back({.expression = tokens_.text({made.name, made.open})});  // instantiated
    } else if (made.open == 0 || assigned) {
        if (!is_template_) variables(first, i);
    } else if (!made.is_kernel && !is_device) {
        is_host = true;  // a prototype
    }
    is_host = is_host || (!variables_.empty() && variables_.back().first == first &&
                          variables_.back().kind == Variable::Kind::plain && !is_fixed(first, i));
    if (is_host) host_parts_.push_back({is_template_ ? template_first_ : first, i + 1});
    return i + 1;
}

/// Whether device code may use the variable: a constant of the compiler.
bool CudaFile::is_fixed(std::size_t first, std::size_t end) const {
    bool is_fixed = false;
    for (std::size_t k = first; k < end && !tokens_[k].is("="); ++k) {
        if (tokens_[k].is("*")) is_fixed = false;  // `const char* name`
        if (tokens_[k].is("const")) is_fixed = true;
        if (tokens_[k].is_one_of({"constexpr", "__constant__", "__device__"})) return true;
    }
    return is_fixed;
}

void CudaFile::function(Function made) {
    made.parameters = templates_;
    if (!is_template_ || !templates_.empty()) made.arguments = {};
    if (tokens_[made.name - (made.name > 0)].is("operator")) return;
    functions_.push_back(std::move(made));
}

void CudaFile::enumerators(std::size_t open, std::size_t close) {
    std::optional<std::int64_t> value = -1;
    for (const Range& part : tokens_.parts({open + 1, close})) {
        if (part.empty()) continue;
        if (value) value = *value + 1;
        if (tokens_[part.first + 1].is("=")) {
            value = constant_value(tokens_, {part.first + 2, part.last},
                                   [&](std::string_view name) { return constant(name); });
        }
        if (value) constants_[tokens_[part.first].text] = *value;
    }
}

/// `static const int a = 1, b[2] = {1, 2};`
void CudaFile::variables(std::size_t first, std::size_t end) {
    Variable made{.first = first, .last = end};
    bool is_shared = false, fixed = false;
    std::size_t i = first;
    const auto add = [&] {
        if (made.name <= made.first) return;
        if (fixed && made.extents.empty() && !made.value.empty()) {
            const auto value = constant_value(
                tokens_, made.value, [&](std::string_view name) { return constant(name); });
            if (value) {
                constants_[tokens_[made.name].text] = *value;
            }
        }
        variables_.push_back(made);
    };
    for (; i < end; ++i) {
        const Token& token = tokens_[i];
        if (token.is("__constant__")) made.kind = Variable::Kind::constant;
        if (token.is_one_of({"__device__", "__managed__"}) && made.kind == Variable::Kind::plain)
            made.kind = Variable::Kind::device;
        is_shared = is_shared || token.is("__shared__");
        fixed = fixed || token.is_one_of({"const", "constexpr"});
        if (is_shared) made.kind = Variable::Kind::shared;
        if (const auto close = tokens_.angle(i); close && made.value.empty()) {
            i = *close;
        } else if (token.kind == TokenKind::identifier && made.value.empty() &&
                   tokens_[i + 1].is_one_of({"=", ",", ";", "[", "{"})) {
            made.name = i;
            made.extents.clear();
        } else if (token.is("[")) {
            made.extents.push_back({i + 1, tokens_.match(i)});
            i = tokens_.match(i);
        } else if (token.is("(")) {
            i = tokens_.match(i);
        } else if (token.is("=") || (token.is("{") && made.name != 0)) {
            std::size_t to = i;
            while (to < end && !tokens_[to].is(",")) {
                to = tokens_[to].is_one_of({"(", "[", "{"}) ? tokens_.match(to) + 1 : to + 1;
            }
            made.value = {token.is("=") ? i + 1 : i, std::min(to, end)};
            i = to - 1;
        } else if (token.is(",")) {
            add();
            made.value = {};
            made.extents.clear();
        }
    }
    add();
}

/// A line of the text itself: a `#line` changes the numbers of tokens.
std::size_t CudaFile::line_of(std::size_t token) const {
    const char* const start = texts_.front()->data();
    return static_cast<std::size_t>(std::count(start, tokens_[token].text.data(), '\n'));
}

std::pair<std::size_t, std::size_t> CudaFile::lines_of(const Function& function) const {
    std::size_t first = function.first;
    if (first > 0 && tokens_[first - 1].is(">")) {
        while (first > 0 && !tokens_[first].is("template")) --first;
    }
    return {line_of(first), line_of(std::min(function.last, tokens_.size() - 1))};
}

std::vector<std::pair<std::size_t, std::size_t>> CudaFile::host_lines() const {
    std::vector<std::pair<std::size_t, std::size_t>> lines;
    for (const Range& one : host_parts_) {
        // `extern "C"` is passed over before a declaration.
        const bool is_c = one.first > 1 && tokens_[one.first - 2].is("extern");
        const std::size_t begin = is_c ? one.first - 2 : one.first;
        const std::size_t first = line_of(begin), last = line_of(one.last - 1);
        const bool is_alone = (begin == 0 || line_of(begin - 1) < first) &&
                              (one.last >= tokens_.size() || line_of(one.last) > last);
        if (is_alone) lines.emplace_back(first, last);
    }
    return lines;
}

std::vector<std::size_t> CudaFile::device_lines() const {
    std::vector<std::size_t> lines;
    for (const Variable& one : variables_) {
        const bool is_device =
            one.kind == Variable::Kind::constant || one.kind == Variable::Kind::device;
        if (is_device) lines.push_back(line_of(one.first));
    }
    return lines;
}

/// What a block's size is, `dim3(16, 16)`, `256` or a variable's name, which is looked up before.
std::array<unsigned, 3> CudaFile::extents_in(Range range, std::size_t before,
                                             unsigned depth) const {
    const auto number = [&](Range part) -> unsigned {
        const auto value =
            constant_value(tokens_, part, [&](std::string_view name) { return constant(name); });
        if (value) return *value > 0 && *value <= 1024 ? static_cast<unsigned>(*value) : 0;
        // A variable of the host.
        if (part.last == part.first + 1 && depth < 4) return extents_in(part, before, depth + 1)[0];
        return 0;
    };
    std::size_t open = range.first;
    if (tokens_[open].is("dim3")) ++open;
    if (tokens_[open].is_one_of({"(", "{"}) && tokens_.match(open) + 1 == range.last) {
        std::array<unsigned, 3> made{0, 1, 1};
        const auto parts = tokens_.parts({open + 1, tokens_.match(open)});
        for (std::size_t d = 0; d < std::min<std::size_t>(parts.size(), 3); ++d)
            made.at(d) = number(parts[d]);
        return std::ranges::find(made, 0U) == made.end() ? made : std::array<unsigned, 3>{};
    }
    if (range.last == range.first + 1 && tokens_[open].kind == TokenKind::identifier &&
        !constant(tokens_[open].text) && depth < 4) {
        for (std::size_t i = before; i-- > 1;) {
            if (tokens_[i].text != tokens_[open].text || tokens_[i - 1].kind != TokenKind::identifier)
                continue;
            std::size_t from = i + 1, to = from;
            if (tokens_[from].is("=")) to = ++from;
            while (to < tokens_.size() && !tokens_[to].is_one_of({";", ","})) {
                to = std::max(to, tokens_.match(to)) + 1;
            }
            return extents_in({from, to}, i, depth + 1);
        }
        return {};
    }
    const auto value =
        constant_value(tokens_, range, [&](std::string_view name) { return constant(name); });
    return value && *value > 0 && *value <= 1024
               ? std::array<unsigned, 3>{static_cast<unsigned>(*value), 1, 1}
               : std::array<unsigned, 3>{};
}

/// The arguments that the file gives a template of the host, wherever it names it with them.
std::vector<std::vector<std::string>> CudaFile::given_to(const HostTemplate& host,
                                                         unsigned depth) const {
    std::vector<std::vector<std::string>> made;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
        const auto close = tokens_[i].text == host.name ? tokens_.angle(i + 1) : std::nullopt;
        if (!close || (i >= host.range.first && i < host.range.last)) continue;
        std::vector<std::vector<std::string>> all{{}};
        for (const Range& part : tokens_.parts({i + 2, *close})) {
            std::vector<std::vector<std::string>> longer;
            for (const std::string& one : with_arguments(part, depth + 1)) {
                for (std::vector<std::string> row : all) {
                    row.push_back(one);
                    longer.push_back(std::move(row));
                }
            }
            all = std::move(longer);
        }
        for (std::vector<std::string>& row : all) {
            for (std::size_t p = row.size(); p < host.parameters.size(); ++p) {
                if (host.parameters[p].value.empty()) break;
                row.push_back(tokens_.text(host.parameters[p].value));
            }
            const bool fits = row.size() == host.parameters.size();
            if (fits && std::ranges::find(made, row) == made.end()) made.push_back(std::move(row));
        }
    }
    return made;
}

/// The text, with the arguments of the template of the host that it stands in; once for each.
std::vector<std::string> CudaFile::with_arguments(Range range, unsigned depth) const {
    std::vector<std::string> made;
    for (const HostTemplate& host : host_templates_) {
        if (range.first < host.range.first || range.first >= host.range.last || depth > 3) continue;
        const auto parameter = [&](std::size_t i) {
            return std::ranges::find(host.parameters, tokens_[i].text, &TemplateParameter::name);
        };
        bool is_open = false;
        for (std::size_t i = range.first; i < range.last; ++i)
            is_open = is_open || parameter(i) != host.parameters.end();
        if (!is_open) continue;
        for (const std::vector<std::string>& row : given_to(host, depth)) {
            std::string text;
            for (std::size_t i = range.first; i < range.last; ++i) {
                if (i > range.first && !tokens_[i].space.empty()) text += ' ';
                const auto one = parameter(i);
                text += one == host.parameters.end()
                            ? tokens_[i].text
                            : row[static_cast<std::size_t>(one - host.parameters.begin())];
            }
            if (std::ranges::find(made, text) == made.end()) made.push_back(std::move(text));
        }
    }
    if (made.empty()) made.push_back(tokens_.text(range));
    return made;
}

/// `name<...><<<grid, block>>>`
void CudaFile::find_launches() {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
        if (!tokens_[i].is("<<") || !tokens_[i + 1].is("<") || !tokens_[i + 1].space.empty())
            continue;
        std::size_t first = i - 1;
        if (tokens_[first].is_one_of({">", ">>"})) {
            for (std::size_t k = first; k-- > 1 && first - k < 200;) {
                if (tokens_[k].is_one_of({";", "{", "}"})) break;
                if (tokens_.angle(k) == i - 1 && tokens_[k - 1].kind == TokenKind::identifier) {
                    first = k - 1;
                    break;
                }
            }
        }
        if (tokens_[first].kind != TokenKind::identifier) continue;
        while (first > 2 && tokens_.is_scope(first - 2) &&
               tokens_[first - 3].kind == TokenKind::identifier)
            first -= 3;
        std::size_t end = i + 2;
        while (end < tokens_.size() && !tokens_[end].is_one_of({">>", ";", "}"})) {
            end = std::max(end, tokens_.match(end)) + 1;
        }
        const auto parts = tokens_.parts({i + 2, end});
        for (std::string& expression : with_arguments({first, i}, 0)) {
            CudaLaunch made{.expression = std::move(expression)};
            if (parts.size() > 1) made.items = extents_in(parts[1], i, 0);
            const auto same = [&](const CudaLaunch& one) {
                return one.expression == made.expression;
            };
            if (launches_.size() < 100 && std::ranges::none_of(launches_, same))
                launches_.push_back(std::move(made));
        }
    }
}

}  // namespace parallax::cuda_reading
