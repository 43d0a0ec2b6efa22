// Resolves #include by name and by folder, and keeps track of files and lines.
#include "mapping/preprocess/includes.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/preprocess/directives.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

// Empty files cost nothing of the bytes, and still each takes its time.
constexpr unsigned most_inclusions = 10'000;
// A text with more problems is no kernel.
constexpr std::size_t most_problems = 500;

/// One name for a file, however it is reached.
std::string key_of(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(path, error);
    return (error ? path : whole).string();
}

std::optional<IncludeName> name_in(std::string_view rest) {
    const bool quoted = rest.starts_with('"');
    if (!quoted && !rest.starts_with('<')) return {};
    const std::size_t end = rest.find(quoted ? '"' : '>', 1);
    if (end == std::string_view::npos || end == 1 || end + 1 != rest.size()) return {};
    return IncludeName{std::string(rest.substr(1, end - 1)), quoted};
}

/// The folder that is searched for it first, then the others.
std::vector<fs::path> places_of(const IncludeName& include, const fs::path& folder,
                                const std::vector<std::string>& folders) {
    std::vector<fs::path> places;
    if (include.quoted) places.push_back(folder);
    places.insert(places.end(), folders.begin(), folders.end());
    if (!include.quoted) places.push_back(folder);
    return places;
}

/// Whether a compiler finds the name in its own folders alone.
bool leads_down(const fs::path& name) {
    return name.is_relative() &&
           std::ranges::none_of(name, [](const fs::path& part) { return part == ".."; });
}

class Includer {
public:
    Includer(const std::vector<std::string>& folders, const PathSandbox& reach, bool leaves_unknown)
        : folders_(folders), reach_(reach), leaves_unknown_(leaves_unknown) {}

    Included run(std::string_view file, std::string_view source) {
        const fs::path path{file};
        open_.push_back(key_of(path));
        put(std::string(file), path.parent_path(), source);
        if (!problems_.empty()) throw Refused(fmt::format("{}", fmt::join(problems_, "\n")));
        return std::move(result_);
    }

private:
    void complain(std::string_view file, const DirectiveLine& at, std::string_view advice) {
        if (problems_.size() == most_problems) {
            throw Refused(fmt::format("{}\n{}: and more", fmt::join(problems_, "\n"), file));
        }
        problems_.push_back(fmt::format("{}:{}: '#{} {}': {}", printable(file), at.line, at.name,
                                        printable(at.rest, 60), advice));
    }

    void add(std::string_view text, std::string_view file, unsigned line) {
        if (result_.text.size() + text.size() > most_text_bytes) {
            throw Refused(fmt::format(
                "{}:{}: 'the text': with all that it includes it has more than {}; include less",
                printable(file), line, binary_size(most_text_bytes)));
        }
        result_.text += text;
    }

    void put(const std::string& file, const fs::path& folder, std::string_view source) {
        std::size_t written = 0;
        unsigned conditions = 0;
        for (const DirectiveLine& one : directives_of(source).all) {
            if (one.name == "if" || one.name == "ifdef" || one.name == "ifndef") ++conditions;
            if (one.name == "endif" && conditions > 0) --conditions;
            const bool once = one.name == "pragma" && one.rest == "once";
            if (!once && one.name != "include") continue;
            add(source.substr(written, one.begin - written), file, one.line);
            written = one.begin;
            if (once) {
                once_.insert(open_.back());
                add(std::string(one.last_line - one.line, '\n'), file, one.line);
                written = one.end;
            } else if (include(file, folder, one, conditions > 0)) {
                add(line_directive(one.last_line + 1, file), file, one.line);
                written = one.end;
            }
        }
        add(source.substr(written), file, 1);
    }

    /// @returns whether it was replaced
    bool include(const std::string& file, const fs::path& folder, const DirectiveLine& one,
                 bool conditional) {
        const std::optional<IncludeName> name = name_in(one.rest);
        const auto path = name ? find_include(*name, folder, folders_, reach_) : std::nullopt;
        if (!path) {
            if (leaves_unknown_ && (!name || leads_down(name->name))) return false;
            if (!conditional || leaves_unknown_)
                complain(file, one,
                         name ? why_not_found(*name, folder, folders_, reach_) : no_name());
            return false;
        }
        const std::string key = key_of(*path);
        if (once_.contains(key)) return true;
        if (std::ranges::find(open_, key) != open_.end()) {
            complain(file, one,
                     "the file includes itself; break the circle, or follow its guards with "
                     "--expand");
            return false;
        }
        if (open_.size() > most_include_depth) {
            complain(file, one,
                     fmt::format("files include files more than {} deep; include less",
                                 most_include_depth));
            return false;
        }
        if (++inclusions_ > most_inclusions) {
            throw Refused(fmt::format(
                "{}:{}: '#{} {}': more than {} files are included; include "
                "less, or use #pragma once",
                printable(file), one.line, one.name, printable(one.rest, 60), most_inclusions));
        }
        const std::string* text = text_of(key, *path, file, one);
        if (!text) return false;
        const std::string shown = path->string();
        add(line_directive(1, shown) + "\n", file, one.line);
        open_.push_back(key);
        put(shown, path->parent_path(), *text);
        open_.pop_back();
        // A backslash at the end must not take the next line along.
        if (!text->empty() && (text->back() != '\n' || text->ends_with("\\\n"))) {
            add(text->ends_with('\\') ? "\n\n" : "\n", file, one.line);
        }
        return true;
    }

    /// The text of an included file, read once; nothing when it cannot be used, which is said.
    const std::string* text_of(const std::string& key, const fs::path& path,
                               const std::string& file, const DirectiveLine& one) {
        if (const auto known = texts_.find(key); known != texts_.end()) return &known->second;
        std::string text;
        try {
            text = included_text(path);
        } catch (const Error& error) {
            complain(file, one, error.what());
            return nullptr;
        }
        if (const unsigned line = directives_of(text).open_comment) {
            problems_.push_back(fmt::format("{}:{}: '/*': a comment without its end; close it",
                                            printable(path.string()), line));
            return nullptr;
        }
        result_.files.push_back(path.string());
        return &texts_.emplace(key, std::move(text)).first->second;
    }

    static std::string no_name() {
        return "neither \"name\" nor <name>; write the name, or let --expand work it out";
    }

    const std::vector<std::string>& folders_;
    const PathSandbox& reach_;
    const bool leaves_unknown_;
    std::vector<std::string> open_;  ///< keys of the files that are being put in
    std::set<std::string> once_;
    std::map<std::string, std::string> texts_;
    std::vector<std::string> problems_;
    unsigned inclusions_ = 0;
    Included result_;
};

}  // namespace

std::string with_own_places(const std::string& log, std::string_view text) {
    constexpr std::string_view whole = "<kernel>:", directive = "#line ";
    if (log.find(whole) == log.npos) return log;
    std::vector<std::string> places;  // of each line of the text
    std::string file;
    unsigned next = 1;
    for (const std::string_view line : lines_of(text)) {
        places.push_back(file.empty() ? "" : fmt::format("{}:{}", file, next));
        ++next;
        const std::size_t quote = line.find('"');
        if (!line.starts_with(directive) || quote == line.npos || !line.ends_with('"')) continue;
        unsigned number = 0;
        const std::string_view digits = line.substr(directive.size());
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (parsed.ec != std::errc{}) continue;
        next = number;
        file = line.substr(quote + 1, line.size() - quote - 2);
    }
    std::string made;
    std::size_t from = 0;
    for (std::size_t at; (at = log.find(whole, from)) != log.npos;) {
        const char* const digits = log.data() + at + whole.size();
        std::size_t number = 0;
        const auto parsed = std::from_chars(digits, log.data() + log.size(), number);
        const bool is_known = parsed.ec == std::errc{} && number >= 1 && number <= places.size() &&
                              !places[number - 1].empty();
        const auto end = static_cast<std::size_t>(parsed.ptr - log.data());
        made.append(log, from, at - from);
        made += is_known ? places[number - 1] : log.substr(at, end - at);
        from = end;
    }
    return made.append(log, from);
}

std::optional<fs::path> find_include(const IncludeName& include, const fs::path& folder,
                                     const std::vector<std::string>& folders,
                                     const PathSandbox& reach) {
    for (const fs::path& place : places_of(include, folder, folders)) {
        const fs::path path = place / include.name;
        std::error_code error;
        if (reach.holds(path) && fs::is_regular_file(path, error)) return path;
    }
    return {};
}

std::string why_not_found(const IncludeName& include, const fs::path& folder,
                          const std::vector<std::string>& folders, const PathSandbox& reach) {
    std::vector<std::string> searched;
    for (const fs::path& place : places_of(include, folder, folders)) {
        const fs::path path = place / include.name;
        try {
            reach.check(path);
        } catch (const Error& outside) {
            return outside.what();
        }
        std::error_code error;
        if (fs::exists(path, error)) {
            return fmt::format("{} is no plain file; only such can be included",
                               printable(path.string()));
        }
        searched.push_back(place.empty() ? "." : printable(place.string()));
    }
    return fmt::format("no such file in {}; name its folder with -I FOLDER",
                       fmt::join(searched, ", "));
}

std::string included_text(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    std::ifstream in(path, std::ios::binary);
    if (error || !in) throw Error("the file cannot be read; see who may read it");
    if (bytes > most_text_bytes) {
        throw Error(
            fmt::format("the file has more than {}; include less", binary_size(most_text_bytes)));
    }
    std::string text(static_cast<std::size_t>(bytes), '\0');
    in.read(text.data(), static_cast<std::streamsize>(bytes));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.find('\0') != std::string::npos) {
        throw Error("the file has a NUL byte; kernel sources are plain text");
    }
    return without_mark(std::move(text));
}

Included with_includes(std::string_view file, std::string_view source,
                       const std::vector<std::string>& folders, const PathSandbox& reach,
                       bool leaves_unknown) {
    return Includer(folders, reach, leaves_unknown).run(file, source);
}

}  // namespace parallax
