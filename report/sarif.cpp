// Finds the places that tests are about, and renders them as SARIF.
#include "report/sarif.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"
#include "common/version.hpp"
#include "mapping/analyze/signature.hpp"
#include "mapping/from_cuda/cuda_kernels.hpp"
#include "report/json_text.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view decimal_digits = "0123456789";

/// The file, the line and the message of a line such as `In mine.cl:4:27: error: what`; an empty
/// file: it names none.
SourcePlace named_place(std::string_view line) {
    for (std::size_t colon = line.find(':'); colon != line.npos;
         colon = line.find(':', colon + 1)) {
        std::size_t begin = colon;
        while (begin > 0 && (std::isalnum(static_cast<unsigned char>(line[begin - 1])) ||
                             std::string_view("_./+-").find(line[begin - 1]) != line.npos))
            --begin;
        const std::string_view file = line.substr(begin, colon - begin);
        const std::size_t end = line.find_first_not_of(decimal_digits, colon + 1);
        if (file.find('.') == file.npos || end == line.npos || end == colon + 1 ||
            end > colon + 8 || line[end] != ':')
            continue;
        std::string_view message = line.substr(end + 1);
        const std::size_t column = message.find_first_not_of(decimal_digits);
        if (column > 0 && column != message.npos && message[column] == ':')
            message.remove_prefix(column + 1);
        message.remove_prefix(std::min(message.find_first_not_of(' '), message.size()));
        const std::string number(line.substr(colon + 1, end - colon - 1));
        return {std::string(file), std::stoul(number), std::string(message)};
    }
    return {};
}

/// The line of a kernel's head, from 1 on; 1 where it is not known, as of CUDA without clang.
std::size_t line_of_kernel(const std::string& file, const std::string& source,
                           const std::string& name) {
    std::vector<Signature> found;
    try {
        if (fs::path(file).extension() == ".cu") {
            for (CudaKernel& one : cuda_kernels(file, source, {.kernels = {name}}))
                found.push_back(std::move(one.signature));
        } else {
            found = signatures(file, source, TranslateOptions{});
        }
    } catch (const Error&) {
        // What the source lacks without its host's macros.
    }
    const auto own = std::ranges::find(found, name, &Signature::kernel);
    return own == found.end() ? 1 : std::max(own->line, 1u);
}

/// Relative to the working folder, as a URI.
std::string uri_of(const std::string& file) {
    fs::path path(file);
    if (path.is_absolute()) path = path.lexically_proximate(fs::current_path());
    std::string uri;
    for (const char c : path.lexically_normal().generic_string()) {
        const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) ||
                              std::string_view("-._~/").find(c) != std::string_view::npos;
        uri += is_plain
                   ? std::string(1, c)
                   : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
    return uri;
}

std::string_view sarif_level(const TestResult& test) {
    return test.type == undecided_test            ? "warning"
           : test.outcome == TestOutcome::skipped ? "note"
                                                  : "error";
}

std::string_view sarif_kind(const TestResult& test) {
    return test.type.empty() ? "skipped" : std::string_view(test.type);
}

/// The tests that say the same of a place.
struct SarifResult {
    const TestResult* test = nullptr;
    SourcePlace place;
    std::vector<std::string> names = {};
};

Json result_json(const SarifResult& one) {
    constexpr std::size_t most_names = 4;
    std::vector<std::string> names = one.names;
    if (names.size() > most_names) {
        names.resize(most_names);
        names.emplace_back("...");
    }
    const std::string& said = one.place.message.empty() ? one.test->message : one.place.message;
    const std::string text = fmt::format("{}: {}{}{}", fmt::join(names, ", "), said,
                                         said.ends_with('.') ? "" : ".", repeat_words(*one.test));
    Json result{{"ruleId", sarif_kind(*one.test)},
                {"level", sarif_level(*one.test)},
                {"message", {{"text", printable(text)}}}};
    if (one.place.file.empty()) return result;
    Json location;
    location["physicalLocation"]["artifactLocation"]["uri"] = uri_of(one.place.file);
    location["physicalLocation"]["region"]["startLine"] = std::max<std::size_t>(one.place.line, 1);
    result["locations"].push_back(std::move(location));
    return result;
}

}  // namespace

std::vector<SourcePlace> places_in(const fs::path& folder, std::string_view messages) {
    std::vector<SourcePlace> places;
    for (const std::string_view line : lines_of(messages)) {
        SourcePlace place = named_place(line);
        const bool is_error =
            !place.message.starts_with("warning") && !place.message.starts_with("note");
        std::error_code error;
        if (place.file.empty() || !is_error || !fs::is_regular_file(folder / place.file, error))
            continue;
        place.file = (folder / place.file).string();
        const bool is_told = std::ranges::any_of(places, [&](const SourcePlace& one) {
            return one.file == place.file && one.line == place.line;
        });
        if (!is_told) places.push_back(std::move(place));
    }
    return places;
}

std::vector<SourcePlace> source_places(std::string_view suite, const std::string& file,
                                       std::string_view kernel, std::string_view messages) {
    const Suite* const own = loaded_manifest(suite);
    if (!own) return {};
    const fs::path manifest(own->manifest);
    const fs::path folder = fs::is_directory(manifest) ? manifest : manifest.parent_path();
    std::vector<SourcePlace> places = places_in(folder, messages);
    if (!places.empty()) return places;
    std::size_t line = 1;
    try {
        line =
            line_of_kernel(file, own->text(file), std::string(kernel.substr(0, kernel.find('<'))));
    } catch (const Error&) {
        // It has changed since.
    }
    return {{(folder / file).string(), line, {}}};
}

std::string sarif_text(const TestReport& report) {
    std::vector<SarifResult> findings;
    for (const TestResult& test : report.tests) {
        if (test.outcome == TestOutcome::passed) continue;
        std::vector<SourcePlace> places;
        if (test.places) places = test.places();
        if (places.empty()) places.emplace_back();
        for (SourcePlace& place : places) {
            const auto same = std::ranges::find_if(findings, [&](const SarifResult& one) {
                return one.place == place && one.test->type == test.type &&
                       (!place.message.empty() || one.test->message == test.message);
            });
            SarifResult& one =
                same != findings.end() ? *same : findings.emplace_back(&test, std::move(place));
            add_once(one.names, test.name);
        }
    }
    Json run, rules = Json::array();
    std::vector<std::string_view> kinds;
    run["tool"]["driver"] = {{"name", report.name}, {"version", program_version}};
    run["results"] = Json::array();
    for (const SarifResult& one : findings) {
        add_once(kinds, sarif_kind(*one.test));
        run["results"].push_back(result_json(one));
    }
    for (const std::string_view kind : kinds) rules.push_back(Json{{"id", kind}});
    run["tool"]["driver"]["rules"] = std::move(rules);
    Json all{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}};
    all["runs"].push_back(std::move(run));
    return printed(all);
}

}  // namespace parallax::report
