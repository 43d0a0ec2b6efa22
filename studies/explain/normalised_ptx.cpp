// PTX without what is only numbering.
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/device/ptx_text.hpp"
#include "studies/explain/instruction_classes.hpp"
#include "studies/explain/instructions.hpp"

namespace parallax {
namespace {

using Kind = PtxStatement::Kind;
using Names = std::unordered_map<std::string_view, std::string>;

constexpr std::size_t npos = std::string_view::npos;

/// Normalises white space: single spaces, none inside brackets and before a comma, one after it.
std::string tidy(std::string_view text) {
    std::string result;
    bool space = false;
    for (const char c : text) {
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            space = true;
            continue;
        }
        const bool opened = result.empty() || std::string_view("([{").find(result.back()) != npos;
        const bool closes = std::string_view(",)]}").find(c) != npos;
        if (!opened && !closes && (space || result.back() == ',')) result += ' ';
        space = false;
        result += c;
    }
    return result;
}

/// Replaces words of `text` by `name(word)`; `x` of `%tid.x` is no word of its own.
template <class Name>
std::string replaced(std::string_view text, Name&& name) {
    std::string result;
    std::size_t done = 0;
    for_each_word(text, [&](std::string_view word, std::size_t begin) {
        if (begin > 0 && text[begin - 1] == '.') return;
        result += text.substr(done, begin - done);
        result += name(word);
        done = begin + word.size();
    });
    result += text.substr(done);
    return result;
}

/// Names that are numbered over all functions: other functions and local arrays.
struct Whole {
    Names functions, arrays;
    std::size_t shared_count = 0, private_count = 0;
    std::vector<std::string> declarations;  ///< of arrays, in the order of their numbers
};

/// The names of one function.
class Renamer {
public:
    Renamer(const PtxText& text, const PtxFunction& function, Whole& whole)
        : text_(text), whole_(whole) {
        number(function.parameters, "param_");
        number(function.results, "result_");
        std::string_view place;  // labels at one place are one
        for (const PtxStatement& s : function.body) {
            if (s.kind == Kind::label) {
                if (place.empty()) place = s.name;
                labels_.emplace(s.name, place);
                continue;
            }
            place = {};
            if (s.kind == Kind::declaration) declare(s);
        }
        for (const PtxStatement& s : function.body) {
            if (s.kind == Kind::label || s.kind == Kind::declaration) continue;
            for_each_word(s.rest, [&](std::string_view word, std::size_t) {
                if (const auto found = labels_.find(word); found != labels_.end()) {
                    wanted_.emplace(found->second, "");
                }
            });
        }
    }

    /// `L3`, or nothing where no instruction names the label.
    std::string label(std::string_view name) {
        const auto found = wanted_.find(labels_.at(name));
        if (found == wanted_.end()) return {};
        if (found->second.empty()) found->second = "L" + std::to_string(label_count_++);
        return found->second;
    }

    std::string operator()(std::string_view word) {
        if (const auto known = names_.find(word); known != names_.end()) return known->second;
        if (labels_.contains(word)) return label(word);
        if (std::string name = array(word); !name.empty()) return name;
        if (std::string name = function(word); !name.empty()) return name;
        const std::string_view letters = word.substr(0, word.find_last_not_of("0123456789") + 1);
        if (registers_.contains(word)) return numbered(word, "%reg_");
        if (families_.contains(letters) && letters.size() < word.size()) {
            return numbered(word, letters);
        }
        if (arguments_.contains(word)) return numbered(word, "argument_");
        return std::string(word);
    }

    /// Arrays of the function that nothing has named take memory all the same.
    void name_rest(const PtxFunction& of) {
        for (const PtxStatement& s : of.body) {
            if (s.kind == Kind::declaration) array(declared_word(s.rest));
        }
    }

private:
    void number(const std::vector<std::string_view>& declared, std::string_view prefix) {
        for (const std::string_view one : declared) {
            names_.emplace(declared_word(one),
                           std::string(prefix) + std::to_string(counts_[prefix]++));
        }
    }

    void declare(const PtxStatement& s) {
        if (s.name != ".reg" && s.name != ".param") {
            arrays_.emplace(declared_word(s.rest), std::pair(s.name, s.rest));
            return;
        }
        for_each_word(s.rest, [&](std::string_view word, std::size_t begin) {
            if (begin > 0 && s.rest[begin - 1] == '.') return;
            const bool family = s.rest.substr(begin + word.size()).starts_with('<');
            (s.name == ".param" ? arguments_ : family ? families_ : registers_).insert(word);
        });
    }

    std::string numbered(std::string_view word, std::string_view prefix) {
        return names_.emplace(word, std::string(prefix) + std::to_string(counts_[prefix]++))
            .first->second;
    }

    /// Name of a local or private array; it is declared when it is first named.
    std::string array(std::string_view word) {
        const auto known = whole_.arrays.find(word);
        if (known != whole_.arrays.end()) return known->second;
        std::string declaration;
        if (const auto own = arrays_.find(word); own != arrays_.end()) {
            declaration = std::string(own->second.first) + " " + std::string(own->second.second);
        } else if (const auto shared = text_.shared().find(word); shared != text_.shared().end()) {
            declaration = shared->second;
        } else {
            return {};
        }
        const bool local = declaration.find(".shared") == std::string::npos;
        std::string name = local ? "local_" + std::to_string(whole_.private_count++)
                                 : "shared_" + std::to_string(whole_.shared_count++);
        whole_.arrays.emplace(word, name);
        whole_.declarations.push_back(tidy(replaced(declaration, [&](std::string_view part) {
            return part == word ? name : std::string(part);
        })));
        return name;
    }

    std::string function(std::string_view word) {
        if (!text_.function(word)) return {};
        const auto number = std::to_string(whole_.functions.size());
        return whole_.functions.emplace(word, "function_" + number).first->second;
    }

    using Set = std::unordered_set<std::string_view>;
    const PtxText& text_;
    Whole& whole_;
    Names names_, wanted_;
    std::unordered_map<std::string_view, std::string_view> labels_;  ///< to the first of its place
    std::unordered_map<std::string_view, std::pair<std::string_view, std::string_view>> arrays_;
    Set registers_, families_, arguments_;
    std::unordered_map<std::string_view, std::size_t> counts_;
    std::size_t label_count_ = 0;
};

}  // namespace

std::optional<InstructionMix> ptx_mix(std::string_view ptx, std::string_view kernel) {
    const PtxText text(ptx);
    const auto functions = text.with_callees(kernel);
    if (functions.empty()) return {};
    InstructionMix mix;
    for (const PtxFunction* f : functions) {
        for (const PtxStatement& s : f->body) {
            if (s.kind == Kind::instruction) ++mix[class_of_ptx(s.name)];
        }
    }
    return mix;
}

std::string normalised_ptx(std::string_view ptx, std::string_view kernel,
                           std::vector<unsigned>* source_lines) {
    const PtxText text(ptx);
    Whole whole;
    std::string lines;
    std::vector<unsigned> sources;
    for (const PtxFunction* f : text.with_callees(kernel)) {
        Renamer name(text, *f, whole);
        if (!f->is_entry) {
            lines += name(f->name) + ":\n";
            sources.push_back(0);
        }
        std::string last_label;
        for (const PtxStatement& s : f->body) {
            if (s.kind == Kind::declaration) continue;
            if (s.kind == Kind::label) {
                const std::string label = name.label(s.name);
                if (!label.empty() && label != last_label) {
                    lines += label + ":\n";
                    sources.push_back(s.line);
                }
                last_label = label;
                continue;
            }
            last_label.clear();
            if (!s.guard.empty()) lines += replaced(s.guard, name) + " ";
            lines += s.name;
            const std::string rest = tidy(replaced(s.rest, name));
            lines += rest.empty() ? "\n" : " " + rest + "\n";
            sources.push_back(s.line);
        }
        name.name_rest(*f);
    }
    std::string declarations;
    for (const std::string& declaration : whole.declarations) declarations += declaration + "\n";
    if (source_lines) {
        source_lines->assign(whole.declarations.size(), 0);
        source_lines->insert(source_lines->end(), sources.begin(), sources.end());
    }
    return declarations + lines;
}

}  // namespace parallax
