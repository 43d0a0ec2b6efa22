// Parses command-line words about cases, and loads the kernel sources that they name.
#include "suites/case_words.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "kernels/kernel_texts.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {
namespace {

constexpr std::uint64_t most_kernel_bytes = std::uint64_t{4} << 20;

template <class T>
std::optional<T> whole_number(std::string_view word) {
    T value{};
    const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
    if (result.ec != std::errc{} || result.ptr != word.data() + word.size()) return {};
    return value;
}

std::optional<std::uint64_t> extent(std::string_view word) {
    std::uint64_t scale = 1;
    if (word.starts_with("2^")) {
        const auto power = whole_number<unsigned>(word.substr(2));
        if (!power || *power > 62) return {};
        return std::uint64_t{1} << *power;
    }
    if (!word.empty()) {
        const std::size_t unit = std::string_view("KMG").find(word.back());
        if (unit != std::string_view::npos) {
            scale = std::uint64_t{1} << (10 * (unit + 1));
            word.remove_suffix(1);
        }
    }
    const auto value = whole_number<std::uint64_t>(word);
    if (!value || *value > std::numeric_limits<std::uint64_t>::max() / scale) return {};
    return *value * scale;
}

/// @throws UsageError saying why a captured folder has this launch no more
void refuse_lost_launch(const Suite& suite, std::string_view variant) {
    for (const RefusedCase& one : refused_cases(suite)) {
        if (one.name != variant) continue;
        throw UsageError(fmt::format(
            "{}/{} cannot be used: {}{} 'parallax list {}' shows the launches that are whole; for "
            "this one capture the program again.",
            suite.manifest, variant, one.why, one.why.ends_with('.') ? "" : ".", suite.manifest));
    }
}

}  // namespace

Shape parse_shape(std::string_view word) {
    Shape shape;
    std::string_view rest = word;
    while (true) {
        const std::size_t end = rest.find('x');
        const auto value = extent(rest.substr(0, end));
        if (!value) {
            throw UsageError(
                fmt::format("'{}' is not a size. Sizes look like 1048576, 2^20, 1M or "
                            "1024x777.",
                            word));
        }
        if (*value == 0) throw UsageError("A size of 0. Sizes count elements, from 1 on.");
        shape.extents.push_back(*value);
        if (end == std::string_view::npos) return shape;
        rest.remove_prefix(end + 1);
    }
}

Constant parse_define(std::string_view word, const std::vector<CasePick>& picks) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == word.size()) {
        throw UsageError(
            fmt::format("'--define {}' has no value. It looks like --define TILE=16.", word));
    }
    Constant constant{std::string(word.substr(0, equals)), 0};
    const std::string_view value = word.substr(equals + 1);
    for (const CasePick& pick : picks) {
        for (const ConstantSpec& spec : pick.suite->constants) {
            const auto choice = std::ranges::find(spec.choices, value);
            if (spec.name != constant.name || choice == spec.choices.end()) continue;
            constant.value = choice - spec.choices.begin();
            return constant;
        }
    }
    const auto number = whole_number<std::int64_t>(value);
    if (!number) {
        throw UsageError(
            fmt::format("'{}' is not a value for {}. Values are whole numbers; 'parallax "
                        "list SUITE' shows the constants that have named ones.",
                        value, constant.name));
    }
    constant.value = *number;
    return constant;
}

ElementType parse_type(std::string_view word) {
    std::vector<std::string> known;
    for (const Suite& suite : suites()) {
        for (const ElementType type : suite.types) {
            if (name_of(type) == word) return type;
            add_once(known, std::string(name_of(type)));
        }
    }
    throw UsageError(fmt::format("'{}' is not an element type.{} There are: {}.", word,
                                 did_you_mean(word, known), fmt::join(known, ", ")));
}

CasePick parse_pick(std::string_view word, const ManifestPermissions& permissions) {
    if (const std::size_t end = manifest_length(word); end > 0) {
        CasePick pick{&manifest_suite(std::string(word.substr(0, end)), permissions), nullptr};
        const std::string_view variant = word.substr(std::min(end + 1, word.size()));
        if (!variant.starts_with('/') && !variant.empty()) {
            refuse_lost_launch(*pick.suite, variant);
            pick.variant = &variant_named(*pick.suite, variant);
        }
        return pick;
    }
    if (word.ends_with(".cl") || word.ends_with(".cu"))
        suite_named(word);  // says what to do with a kernel's file
    const std::size_t slash = word.find('/');
    const std::string_view name = word.substr(0, slash);
    if (slash != std::string_view::npos &&
        std::ranges::find(suites(), name, &Suite::name) == suites().end()) {
        throw UsageError(fmt::format(
            "There is no suite and no folder '{}'.{} 'parallax capture -o DIR -- PROGRAM' makes a "
            "folder of a program's launches; 'parallax list' shows the suites.",
            word.substr(0, word.rfind('/')), did_you_mean(name, names(suites()))));
    }
    CasePick pick{&suite_named(name), nullptr};
    if (slash != std::string_view::npos) {
        pick.variant = &variant_named(*pick.suite, word.substr(slash + 1));
    }
    return pick;
}

CasePick parse_variant(const std::optional<std::string>& word,
                       const ManifestPermissions& permissions) {
    if (!word) {
        throw UsageError(
            "Which kernel? Name it as SUITE/VARIANT; 'parallax list' shows what there is.");
    }
    CasePick pick = parse_pick(*word, permissions);
    const std::vector<Variant>& variants = pick.suite->variants;
    const auto kernels = std::ranges::count(variants, false, &Variant::by_name_only);
    if (!pick.variant && !pick.suite->manifest.empty() && kernels == 1) {
        pick.variant = &variants.front();
    }
    if (!pick.variant) {
        throw UsageError(
            fmt::format("Which variant of {}? Name it as SUITE/VARIANT; there are: {}.", *word,
                        fmt::join(names(variants), ", ")));
    }
    return pick;
}

ElementType type_for(const CasePick& pick, const std::optional<std::string>& word) {
    if (!word) return default_type(*pick.suite, *pick.variant);
    refuse_type(*pick.suite);
    return parse_type(*word);
}

void refuse_type(const Suite& suite) {
    if (suite.manifest.empty()) return;
    throw UsageError(
        fmt::format("--type is for the program's own suites, whose kernels have a T; the types of "
                    "{} stand in it. Leave --type out, or change {}.",
                    suite.name, suite.manifest));
}

std::uint64_t parse_number(std::string_view option, std::string_view word, std::uint64_t least,
                           std::uint64_t most) {
    const auto value = whole_number<std::uint64_t>(word);
    if (!value || *value < least || *value > most) {
        throw UsageError(fmt::format("{} is a whole number from {} to {}, and not '{}'.", option,
                                     least, most, word));
    }
    return *value;
}

std::string parse_choice(std::string_view option, const std::string& word,
                         const std::vector<std::string>& known) {
    if (std::ranges::find(known, word) == known.end()) {
        throw UsageError(fmt::format("{} '{}' is unknown.{} There are: {}.", option, word,
                                     did_you_mean(word, known), fmt::join(known, ", ")));
    }
    return word;
}

std::string kernel_source(std::string_view file, const std::optional<std::string>& folder) {
    // A name from a record may be arbitrary.
    const bool plain = std::filesystem::path(file).filename() == std::filesystem::path(file);
    if (folder && plain) {
        const std::string path = *folder + "/" + std::string(file);
        try {
            return without_mark(read_file(path, most_kernel_bytes));
        } catch (const UsageError& problem) {
            throw UsageError(
                fmt::format("Cannot read the kernel file {}: {}. --kernels names a folder with "
                            "files named as the program's own.",
                            path, problem.what()));
        }
    }
    const auto files = embedded_kernels();
    const auto found = std::ranges::find(files, file, &EmbeddedFile::name);
    if (found == files.end()) {
        throw UsageError(fmt::format("The program has no kernel file '{}'.", file));
    }
    return std::string(found->text);
}

}  // namespace parallax
