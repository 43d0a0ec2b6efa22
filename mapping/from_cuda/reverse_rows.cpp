// Finds the rows of the mapping table by what CUDA says.
#include "mapping/from_cuda/reverse_rows.hpp"

#include <algorithm>
#include <span>

#include "common/text/characters.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax::from_cuda {

ReverseRows::ReverseRows() {
    for (const std::span<const MappingRule> rows : {reverse_table(), mapping_table()}) {
        for (const MappingRule& row : rows) {
            if (row.equivalence == Equivalence::none) {
                if (!row.from_cuda) continue;
                for (const std::string_view word : split(row.cuda, ", ")) {
                    refusals_.emplace_back(word, &row);
                }
                continue;
            }
            for (const Spelling& one : spellings_of(row)) {
                // One word of OpenCL's for several of CUDA's.
                const std::size_t open = one.cuda.find('<'), close = one.cuda.find('>');
                if (row.from_cuda && open == 0 && close != one.cuda.npos) {
                    for (const std::string_view word :
                         split(std::string_view(one.cuda).substr(1, close - 1), "|")) {
                        add(row, one.opencl, std::string(word) + one.cuda.substr(close + 1));
                    }
                } else {
                    add(row, one.opencl, one.cuda);
                }
            }
        }
    }
}

void ReverseRows::add(const MappingRule& row, const std::string& opencl, const std::string& cuda) {
    std::size_t end = 0;
    const auto is_name = [&] { return is_word_character(cuda[end]) || cuda[end] == ':'; };
    while (end < cuda.size() && is_name()) ++end;
    if (end == 0) return;
    if (end == cuda.size() || cuda.starts_with("__builtin_bit_cast(") ||
        cuda.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ ") == cuda.npos) {
        words_.emplace(cuda, ReverseRow{&row, opencl});
        return;
    }
    if (cuda[end] == '.' && cuda.ends_with(".$") && end + 2 == cuda.size()) {
        words_.emplace(cuda.substr(0, end), ReverseRow{&row, opencl});
        return;
    }
    if (cuda.substr(end) == "().$") {  // a member of what a function gives
        words_.emplace(cuda.substr(0, end), ReverseRow{&row, opencl});
        return;
    }
    if (cuda[end] != '(' || cuda.back() != ')') return;
    ReverseRow made{&row, opencl};
    for (std::string_view part :
         split(std::string_view(cuda).substr(end + 1, cuda.size() - end - 2), ",")) {
        part = trimmed(part);
        if (!part.ends_with('$')) return;
        part = trimmed(part.substr(0, part.size() - 1));
        if (made.arguments++ == 0) {
            made.first_type = part;
        } else if (!part.empty()) {
            return;
        }
    }
    calls_[cuda.substr(0, end)].push_back(std::move(made));
}

const ReverseRows& ReverseRows::of_table() {
    static const ReverseRows rows;
    return rows;
}

const ReverseRow* ReverseRows::call(std::string_view name, std::size_t arguments,
                                    std::string_view first_type) const {
    const auto found = calls_.find(name);
    if (found == calls_.end()) return nullptr;
    const auto fits = [&](const ReverseRow& one) {
        return one.arguments == arguments &&
               (one.first_type.empty() || one.first_type == first_type);
    };
    const auto one = std::ranges::find_if(found->second, fits);
    return one == found->second.end() ? nullptr : &*one;
}

const ReverseRow* ReverseRows::word(std::string_view words) const {
    const auto found = words_.find(words);
    return found == words_.end() ? nullptr : &found->second;
}

const MappingRule* ReverseRows::refusal(std::string_view name) const {
    for (const auto& [word, row] : refusals_) {
        std::string_view begin = word;
        if (begin.ends_with("()")) begin.remove_suffix(2);
        const bool family = begin.ends_with('*');
        if (family) begin.remove_suffix(1);
        if (family ? name.starts_with(begin) : name == begin) return row;
    }
    return nullptr;
}

std::string with_arguments(std::string_view opencl, const std::vector<std::string>& arguments) {
    std::string made;
    std::size_t next = 0;
    for (const char c : opencl) {
        if (c == '$' && next < arguments.size()) {
            made += arguments[next++];
        } else {
            made += c;
        }
    }
    return made;
}

}  // namespace parallax::from_cuda
