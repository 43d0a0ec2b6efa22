// Cuts the .cuh files of the prelude at their markers.
#include "mapping/prelude/sections.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

#include "common/text/characters.hpp"
#include "common/text/embedded_file.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {

/// The .cuh files of this folder, by name.
std::span<const EmbeddedFile> embedded_prelude();

namespace {

constexpr std::string_view marker = "// == ", marker_goes_on = "//    ";

std::vector<std::string_view> elements_in(std::string_view list) {
    std::vector<std::string_view> elements;
    for (const std::string_view word : split(list, " ")) {
        if (word == "integers") {
            std::ranges::copy(std::span(vector_elements).first(8), std::back_inserter(elements));
        } else if (word == "floats") {
            std::ranges::copy(std::span(vector_elements).last(3), std::back_inserter(elements));
        } else {
            elements.push_back(word);
        }
    }
    return elements;
}

void read_clause(std::string_view clause, Section& section) {
    const auto begins = [&](std::string_view word) {
        if (!clause.starts_with(word)) return false;
        clause.remove_prefix(word.size());
        return true;
    };
    if (begins("needs ")) {
        section.needs = split(clause, ",");
    } else if (begins("for ")) {
        section.elements = elements_in(clause);
    } else if (begins("CUDA has ")) {
        section.in_cuda = clause == "all" ? section.elements : elements_in(clause);
    } else if (begins("also (")) {
        section.also.push_back(clause.substr(0, clause.size() - 1));
    } else if (begins("operators ")) {
        section.operators = split(clause, " ");
    } else if (begins("by ")) {
        section.vectors_by = clause;
    } else if (begins("and ")) {
        section.further_name = clause;
    } else if (begins("vectors ")) {
        for (const std::string_view width : split(clause, " ")) {
            section.widths.push_back(static_cast<unsigned>(width.front() - '0'));
        }
    } else if (clause == "each") {
        section.each = true;
    } else if (clause == "scalars only") {
        section.scalars_only = true;
    } else {
        throw std::logic_error("the prelude has an unknown clause: " + std::string(clause));
    }
}

Section section_of(std::string_view head, std::string_view text) {
    Section section{.text = text};
    const std::size_t colon = std::min(head.find(':'), head.size());
    for (const std::string_view word : split(head.substr(0, colon), " ")) {
        const std::size_t bracket = word.find('(');
        const std::string_view base =
            bracket == word.npos ? "" : word.substr(bracket + 1, word.size() - bracket - 2);
        section.names.push_back({word.substr(0, bracket), base});
    }
    for (const std::string_view clause : split(head.substr(std::min(colon + 1, head.size())), ";"))
        read_clause(clause, section);
    return section;
}

/// All sections; the heads that go on over several lines are kept here.
struct Sections {
    std::deque<std::string> heads;
    std::vector<Section> all;
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_name;

    Sections() {
        for (const EmbeddedFile& file : embedded_prelude()) read(file.text);
    }

    /// Comments and empty lines at a section's end are about the section that follows.
    void read(std::string_view text) {
        std::string* head = nullptr;
        std::string_view body, rest;  // `rest` begins where the body does
        for (const std::string_view line : lines_of(text)) {
            const auto behind = static_cast<std::size_t>(line.end() - text.begin()) + 1;
            if (line.starts_with(marker)) {
                if (head) add(*head, body);
                head = &heads.emplace_back(line.substr(marker.size()));
                rest = text.substr(behind);
            } else if (head && line.data() == rest.data() && line.starts_with(marker_goes_on)) {
                *head += ' ';
                *head += line.substr(marker_goes_on.size());
                rest = text.substr(behind);
            } else if (!line.empty() && !line.starts_with("//")) {
                body = rest.substr(0, rest.size() - (text.size() - behind));
            }
        }
        if (head) add(*head, body);
    }

    void add(std::string_view head, std::string_view text) {
        all.push_back(section_of(head, text));
        for (const Section::Name& one : all.back().names) {
            by_name[std::string(one.name)].push_back(all.size() - 1);
            if (const auto further = all.back().further_name_of(one); !further.empty()) {
                by_name[further].push_back(all.size() - 1);
            }
        }
    }
};

const Sections& cut_once() {
    static const Sections sections;
    return sections;
}

}  // namespace

std::string Section::further_name_of(const Name& one) const {
    if (further_name.empty()) return {};
    return std::string(one.name) +
           std::string(further_name.substr(std::string_view("NAME").size()));
}

const Section::Name* Section::named(std::string_view word) const {
    for (const Name& one : names) {
        if (one.name == word || further_name_of(one) == word) return &one;
    }
    return nullptr;
}

std::span<const Section> prelude_sections() {
    return cut_once().all;
}

std::vector<const Section*> sections_of(std::string_view word) {
    std::vector<const Section*> found;
    const Sections& sections = cut_once();
    if (const auto at = sections.by_name.find(word); at != sections.by_name.end()) {
        for (const std::size_t i : at->second) found.push_back(&sections.all[i]);
    }
    return found;
}

}  // namespace parallax
