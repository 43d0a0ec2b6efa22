// `parallax list`: lists the suites and variants with their descriptions.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/option_values.hpp"
#include "cli/request.hpp"
#include "cli/terminal.hpp"
#include "common/text/text.hpp"
#include "report/json_listings.hpp"
#include "suites/case_words.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// The longest name of its variants, plus two blanks.
std::size_t widest_name(const Suite& suite) {
    std::size_t widest = 0;
    for (const Variant& variant : suite.variants) widest = std::max(widest, variant.name.size());
    return widest + 2;
}

void list_all(std::ostream& out) {
    const std::size_t width = terminal_width();
    for (const Suite& suite : suites()) {
        out << wrapped(fmt::format("{}: {}", suite.name, suite.question), width, 2) << "\n";
        for (const Variant& variant : suite.variants) {
            out << two_columns(variant.name, variant.description, 4, 4 + widest_name(suite), width);
        }
        out << "\n";
    }
    out << wrapped(
               "'parallax list SUITE' shows shapes, types and constants; 'parallax show "
               "SUITE/VARIANT' the kernel.",
               width, 0)
        << "\n";
}

std::string range_of(const ConstantSpec& spec) {
    if (!spec.choices.empty()) return fmt::format("{}", fmt::join(spec.choices, ", "));
    if (spec.follows) return "not with --define";
    return fmt::format("{} to {}", spec.least, spec.most);
}

std::string default_of(const ConstantSpec& spec) {
    if (!spec.choices.empty()) return spec.choices.at(static_cast<std::size_t>(spec.value));
    return spec.follows ? "" : fmt::format("{}", spec.value);
}

std::string joined(const std::vector<Shape>& shapes) {
    std::vector<std::string> words;
    for (const Shape& shape : shapes) words.push_back(to_string(shape));
    return fmt::format("{}", fmt::join(words, ", "));
}

void list_one(const Suite& suite, std::ostream& out) {
    const std::size_t width = terminal_width();
    const auto shapes = [&](const std::string& text) {
        out << "    " << wrapped(text, width, 4, 4) << "\n";
    };
    out << wrapped(fmt::format("{}: {}", suite.name, suite.question), width, 2) << "\n\n";
    out << "variants\n";
    for (const Variant& variant : suite.variants) {
        std::string text = variant.description;
        if (!variant.natives.empty())
            text += fmt::format(" [native: {}]", native_backends(variant));
        for (const Constant& constant : variant.constants) {
            text += fmt::format(" [{}={}]", constant.name, constant.value);
        }
        out << two_columns(variant.name, text, 4, 4 + widest_name(suite), width);
    }
    Table constants(
        {Table::Align::left, Table::Align::right, Table::Align::left, Table::Align::left});
    for (const ConstantSpec& spec : suite.constants) {
        constants.add({spec.name, default_of(spec), spec.meaning, "(" + range_of(spec) + ")"});
    }
    if (!suite.constants.empty()) {
        out << "constants (--define NAME=VALUE)\n" << constants.text(4, table_width(out));
    }
    std::vector<std::string_view> types;
    for (const ElementType type : suite.types) types.push_back(name_of(type));
    if (suite.manifest.empty()) {
        out << fmt::format("types (--type)\n    {}\n", fmt::join(types, ", "));
    }
    out << fmt::format("shapes (-n {}), timed on one that suits the device\n",
                       fmt::join(suite.dimensions, "x"));
    if (suite.variants.front().shapes.empty()) {
        shapes(joined(suite.shapes));
    } else {
        for (const Variant& variant : suite.variants) {
            shapes(fmt::format("{}: {}", variant.name, joined(shapes_of(suite, variant))));
        }
    }
    if (!suite.check_shapes.empty()) {
        out << "verified on, in addition to the timed one\n";
        shapes(joined(suite.check_shapes));
    }
}

}  // namespace

Command list_command() {
    return {.name = "list",
            .arguments = "[SUITE] [--format text|json]",
            .summary = "suites and variants, and what each teaches",
            .about =
                "Shows the suites, or one of them with its variants, constants, types and shapes. "
                "It opens no device.",
            .examples = {"parallax list", "parallax list transpose", "parallax list mine.json"},
            .positional = {"suite"},
            .options =
                [](auto add) {
                    add("suite", po::value<std::string>(),
                        "the suite to show, or a manifest's file");
                    add("format", settable<std::string>(), "text (default) or json");
                    add_allow_option(add);
                    add("define,D", settable<Words>(), "NAME=VALUE: a macro of the files");
                    add_source_options(add);
                },
            .run = [](const Values& values, CommandContext& context) -> int {
                const auto name = value_of<std::string>(values, "suite");
                const Suite* one = !name ? nullptr
                                   : names_manifest(*name) || name->find('/') != name->npos
                                       ? parse_pick(*name, context.permissions).suite
                                       : &suite_named(*name);
                if (one) print_refused(*one, context.err);
                if (value_of<std::string>(values, "format") == "json") {
                    context.out << (one ? suite_json(*one) : suites_json());
                } else if (one) {
                    list_one(*one, context.out);
                } else {
                    list_all(context.out);
                }
                return exit_ok;
            },
            .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli
