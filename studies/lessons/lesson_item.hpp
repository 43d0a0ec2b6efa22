// A value of a lesson's file, and messages with its position.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace parallax {

/// A YAML document without aliases, so that every value has one position.
/// @param file  its name, for messages
/// @throws UsageError for any other text
YAML::Node load_yaml(const std::string& file, const std::string& text);

/// A value of another type or range than requested is a UsageError that names the file, the line
/// and the value.
class LessonItem {
public:
    using Keys = std::vector<std::string>;

    /// @param file  must live as long as this does
    LessonItem(const std::string& file, const YAML::Node& node, std::string what)
        : file_(file), node_(node), what_(std::move(what)) {}

    [[noreturn]] void fail(std::string_view why) const;
    /// @throws UsageError when it is no mapping, has an unknown key, or a key twice
    const LessonItem& mapping(const Keys& keys) const;
    std::optional<LessonItem> find(const std::string& key) const;
    bool has(const std::string& key) const { return find(key).has_value(); }
    LessonItem need(const std::string& key) const;
    /// Markdown without markup of HTML, not empty.
    std::string text() const;
    /// The text as it is, with the ends of its lines. It may be empty.
    std::string verbatim() const;
    std::string text_or_none(const std::string& key) const;
    template <class Number>
    Number number(std::string_view what) const {
        Number value{};
        if (!node_.IsScalar() || !YAML::convert<Number>::decode(node_, value)) {
            fail(fmt::format("write {}", what));
        }
        return value;
    }
    std::vector<LessonItem> list(std::size_t least) const;
    std::vector<std::string> texts(std::size_t least) const;
    /// Members as `NAME=VALUE`, a list of values with commas between.
    std::vector<std::string> assignments() const;

private:
    const std::string& file_;
    YAML::Node node_;
    std::string what_;
};

}  // namespace parallax
