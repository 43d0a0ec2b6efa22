// Builds JSON from the parser's events, and rejects invalid input early.
#include "records/line.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

/// A truncated file that was joined with another one has two lines in one.
bool holds_another_line(std::string_view text) {
    return text.find("{\"schema\":\"parallax.", 1) != std::string_view::npos;
}

/// Receives the events of nlohmann's parser (its json_sax interface). The library's own builder
/// would accept duplicate keys and any depth.
class Builder {
public:
    Builder(std::string_view text, std::span<const std::string_view> left_out)
        : text_(text), left_out_(left_out) {
        open_.reserve(most_depth);
    }

    bool null() { return put(nullptr); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(Json::number_integer_t value) { return put(value); }
    bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
    bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
    bool string(std::string& value) { return put(value); }
    bool binary(Json::binary_t&) { return refuse("it holds bytes that are no text"); }

    bool start_object(std::size_t) { return open(Json::value_t::object); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(Json::value_t::array); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        if (passed_ > 0) return true;
        auto& members = open_.back()->get_ref<Json::object_t&>();
        const auto same = std::ranges::find(
            members, name, [](const auto& m) -> auto& { return m.first; });
        if (same != members.end()) {
            return refuse(
                fmt::format("the key '{}' occurs twice{}", printable(name, 60), inside()));
        }
        if (members.size() == most_members) {
            return refuse(
                fmt::format("an object has more than {} members{}", most_members, inside()));
        }
        if (passing_ = is_left_out(name); passing_) return true;
        if (members.empty()) members.reserve(16);
        // The position was searched above: the map's own emplace would search again.
        using List = Json::object_t::Container;
        static_cast<List&>(members).emplace_back(name, nullptr);
        return true;
    }

    /// @param position  of the last character read, from 1; past the end: unexpected end
    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) {
        const bool ended = position > text_.size();
        // Only truncated lines of this program are tolerated: they all begin like this.
        cut_ = text_.starts_with('{') && (ended || holds_another_line(text_));
        const std::string_view said = error.what();
        const std::string_view before = text_.substr(0, position - 1);
        line_ = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
        if (cut_ || ended) return refuse("it ends in the middle");
        const std::string where =
            fmt::format("{}, character {}", after(), position - (before.rfind('\n') + 1));
        if (said.find("UTF-8") != std::string_view::npos) {
            return refuse(fmt::format("a text holds bytes that are not UTF-8{}", where));
        }
        if (error.id == 406) {
            return refuse(fmt::format("the number {} is larger than any double{}",
                                      printable(token, 60), where));
        }
        const std::string_view word = word_at(position - 1);
        if (const std::string name = lower_case(word.substr(word.starts_with('-')));
            name == "nan" || name == "inf" || name == "infinity") {
            return refuse(fmt::format(
                "JSON has no {}{}; a number that it cannot hold is a text of its bits, such as "
                "\"0x7ff8000000000000\"",
                word, where));
        }
        const std::size_t expected = said.find("; expected ");
        return refuse(fmt::format("it is not JSON: '{}' cannot stand there{}{}",
                                  printable(word.empty() ? text_.substr(position - 1) : word, 20),
                                  where, said.substr(std::min(expected, said.size()))));
    }

    ParsedLine finish() && {
        if (!problem_.empty()) root_ = nullptr;
        return {std::move(root_), std::move(problem_), line_, cut_};
    }

private:
    template <class T>
    bool put(T&& value) {
        if (passed_ > 0 || std::exchange(passing_, false)) return true;
        place(Json(std::forward<T>(value)));
        return true;
    }

    /// Inserts a value at the parser's position; the pointer is valid until the next sibling.
    Json* place(Json&& value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Json& parent = *open_.back();
        if (auto* list = parent.get_ptr<Json::array_t*>()) {
            if (list->empty()) list->reserve(8);
            return &list->emplace_back(std::move(value));
        }
        Json& member = parent.get_ref<Json::object_t&>().back().second;
        member = std::move(value);
        return &member;
    }

    bool open(Json::value_t kind) {
        if (open_.size() + passed_ >= most_depth) {
            return refuse(fmt::format("it is nested deeper than {} levels{}", most_depth, after()));
        }
        if (passed_ > 0 || std::exchange(passing_, false)) {
            ++passed_;
            return true;
        }
        open_.push_back(place(Json(kind)));
        return true;
    }

    bool close() {
        if (passed_ > 0) {
            --passed_;
            return true;
        }
        open_.pop_back();
        return true;
    }

    /// Whether the key of the innermost object is a member to be skipped.
    bool is_left_out(std::string_view name) const {
        if (open_.size() > 2) return false;
        return std::ranges::any_of(left_out_, [&](std::string_view member) {
            const std::size_t dot = member.find('.');
            if (dot == member.npos) return open_.size() == 1 && member == name;
            return open_.size() == 2 && member.substr(dot + 1) == name && root_.is_object() &&
                   member.substr(0, dot) == root_.get_ref<const Json::object_t&>().back().first;
        });
    }

    bool refuse(std::string problem) {
        problem_ = std::move(problem);
        return false;
    }

    /// `timing.samples[3]`, down to level `levels`, and the last value in it.
    std::string path(std::size_t levels) const {
        std::string text;
        for (std::size_t i = 0; i < levels; ++i) {
            const Json& in = *open_[i];
            if (in.empty()) break;
            if (in.is_array()) {
                text += fmt::format("[{}]", in.size() - 1);
            } else {
                if (!text.empty()) text += '.';
                text += printable(in.get_ref<const Json::object_t&>().back().first, 40);
            }
            if (text.size() > 120) return text.substr(0, text.find_last_of(".[")) + "...";
        }
        return text;
    }
    std::string inside() const {
        const std::string text = path(open_.size() - 1);
        return text.empty() ? "" : " in " + text;
    }
    std::string after() const {
        const std::string text = path(open_.size());
        return text.empty() ? "" : ", at or after " + text;
    }

    /// The letters, digits and signs around a position in the text.
    std::string_view word_at(std::size_t place) const {
        const auto within = [&](std::size_t i) {
            const char c = text_[i];
            return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '+' ||
                   c == '-' || c == '.' || c == '_';
        };
        constexpr std::size_t most = 40;  // to each side
        std::size_t begin = place, end = place;
        while (begin > 0 && place - begin < most && within(begin - 1)) --begin;
        while (end < text_.size() && end - place < most && within(end)) ++end;
        return text_.substr(begin, end - begin);
    }

    std::string_view text_;
    std::span<const std::string_view> left_out_;
    Json root_;
    std::vector<Json*> open_;  ///< the enclosing objects and lists, the outermost first
    bool passing_ = false;     ///< the next value belongs to a skipped member
    std::size_t passed_ = 0;   ///< the nesting depth within a skipped value
    std::string problem_;
    std::size_t line_ = 0;
    bool cut_ = false;
};

}  // namespace

ParsedLine parse_line(std::string_view text, std::span<const std::string_view> left_out) {
    if (text.size() > most_line_bytes) {
        return {nullptr, fmt::format("it is longer than {}", binary_size(most_line_bytes))};
    }
    // The parser takes a NUL for the end.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return {nullptr, fmt::format("it holds a NUL byte, at character {}: the file is binary or "
                                     "damaged",
                                     nul + 1)};
    }
    if (text.starts_with("\xef\xbb\xbf")) {
        return {nullptr, "it begins with a byte order mark"};  // the parser would skip it
    }
    Builder builder(text, left_out);
    Json::sax_parse(text.data(), text.data() + text.size(), &builder);
    return std::move(builder).finish();
}

}  // namespace parallax
