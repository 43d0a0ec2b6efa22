// Reads values of lessons' files, and says what is wrong with one.
#include "studies/lessons/lesson_item.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/ranges.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>

#include "common/error.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

/// Rejects what would expand a short file to a long lesson, and ignored content.
class Scan : public YAML::EventHandler {
public:
    explicit Scan(const std::string& file) : file_(file) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) fail(mark, "a lesson is one document, and this begins another");
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        fail(mark, "no alias (*): write the text once more");
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}

private:
    [[noreturn]] void fail(const YAML::Mark& mark, std::string_view why) const {
        throw UsageError(fmt::format("{}:{}: {}", file_, mark.line + 1, why));
    }

    const std::string& file_;
    int documents_ = 0;
};

/// Whether Markdown holds HTML, or a link that a browser would run. Text in backticks is code.
bool has_markup(const std::string& markdown) {
    bool in_code = false;
    for (std::size_t i = 0; i < markdown.size(); ++i) {
        if (markdown[i] == '`') in_code = !in_code;
        if (in_code || markdown[i] != '<' || i + 1 == markdown.size()) continue;
        const char next = markdown[i + 1];
        if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/' ||
            next == '!' || next == '?') {
            return true;
        }
    }
    const std::string lower = lower_case(markdown);
    return lower.find("javascript:") != lower.npos || lower.find("data:") != lower.npos ||
           lower.find("vbscript:") != lower.npos;
}

/// The text as people read it: of each quote [[TEXT | SOURCE]] the TEXT
/// (docs/reference/lessons.md).
std::string without_sources(std::string_view text) {
    std::string read;
    for (;;) {
        const std::size_t begin = text.find("[["), end = text.find("]]", begin);
        if (begin == text.npos || end == text.npos) return read.append(text);
        const std::string_view quote = text.substr(begin + 2, end - begin - 2);
        const std::size_t bar = quote.find('|'), last = quote.find_last_not_of(" \n", bar - 1);
        read.append(text.substr(0, begin));
        read.append(bar == quote.npos ? text.substr(begin, end + 2 - begin)
                                      : quote.substr(0, last + 1));
        text.remove_prefix(end + 2);
    }
}

}  // namespace

YAML::Node load_yaml(const std::string& file, const std::string& text) {
    try {
        std::istringstream in(text);
        YAML::Parser parser(in);
        Scan scan(file);
        while (parser.HandleNextDocument(scan)) {
        }
        return YAML::Load(text);
    } catch (const YAML::DeepRecursion& error) {
        throw UsageError(fmt::format("{}:{}: nested too deeply", file, error.mark.line + 1));
    } catch (const YAML::Exception& error) {
        throw UsageError(fmt::format("{}:{}: no YAML: {}", file, error.mark.line + 1, error.msg));
    }
}

void LessonItem::fail(std::string_view why) const {
    const YAML::Mark mark = node_.Mark();
    throw UsageError(mark.is_null()
                         ? fmt::format("{}: {}: {}", file_, what_, why)
                         : fmt::format("{}:{}: {}: {}", file_, mark.line + 1, what_, why));
}

const LessonItem& LessonItem::mapping(const Keys& keys) const {
    if (!node_.IsMap()) fail(fmt::format("write keys and values: {}", fmt::join(keys, ", ")));
    Keys seen;
    for (const auto& member : node_) {
        const std::string key = member.first.IsScalar() ? member.first.Scalar() : "";
        if (std::ranges::find(keys, key) == keys.end()) {
            fail(fmt::format("the key '{}' is not known; there are {}", printable(key, 60),
                             fmt::join(keys, ", ")));
        }
        if (std::ranges::find(seen, key) != seen.end()) {
            fail(fmt::format("the key '{}' stands twice", key));
        }
        seen.push_back(key);
    }
    return *this;
}

std::optional<LessonItem> LessonItem::find(const std::string& key) const {
    const YAML::Node& node = node_;
    const YAML::Node found = node[key];
    if (!found.IsDefined()) return {};
    return LessonItem(file_, found, key);
}

LessonItem LessonItem::need(const std::string& key) const {
    if (auto item = find(key)) return *item;
    fail(fmt::format("the key '{}' is missing", key));
}

std::string LessonItem::text() const {
    if (!node_.IsScalar()) fail("write a text");
    std::string text = node_.Scalar();
    while (text.ends_with('\n')) text.pop_back();
    if (text.empty()) fail("the text is empty");
    if (has_markup(text)) {
        fail(
            "no HTML, and no link but to http, https or a file: put '<' into backticks, or "
            "write &lt;");
    }
    return without_sources(text);
}

std::string LessonItem::verbatim() const {
    if (!node_.IsScalar()) fail("write a text");
    return node_.Scalar();
}

std::string LessonItem::text_or_none(const std::string& key) const {
    const auto item = find(key);
    return item ? item->text() : "";
}

std::vector<LessonItem> LessonItem::list(std::size_t least) const {
    if (!node_.IsSequence() || node_.size() < least) {
        fail(fmt::format("write a list of {} or more", least));
    }
    std::vector<LessonItem> items;
    for (std::size_t i = 0; i < node_.size(); ++i) {
        items.emplace_back(file_, node_[i], fmt::format("{} {}", what_, i + 1));
    }
    return items;
}

std::vector<std::string> LessonItem::texts(std::size_t least) const {
    std::vector<std::string> texts;
    for (const LessonItem& item : list(least)) texts.push_back(item.text());
    return texts;
}

std::vector<std::string> LessonItem::assignments() const {
    if (!node_.IsMap()) fail("write names and values: {NAME: VALUE}");
    std::vector<std::string> words;
    for (const auto& member : node_) {
        const LessonItem value(file_, member.second, what_);
        std::string list;
        if (member.second.IsSequence()) {
            list = fmt::format("{}", fmt::join(value.texts(1), ","));
        } else {
            list = value.text();
        }
        words.push_back(fmt::format("{}={}", member.first.Scalar(), list));
    }
    return words;
}

}  // namespace parallax
