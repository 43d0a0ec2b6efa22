// `parallax occupancy`: how many work-groups a multiprocessor holds, calculated and by the API.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/one_case.hpp"
#include "cli/option_values.hpp"
#include "cli/request.hpp"
#include "cli/supervisor.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "report/occupancy/occupancy_report.hpp"

namespace parallax::cli {
namespace {

/// `9.0`, from `9.0`, `90` or `sm_90`.
std::string parse_capability(std::string_view word) {
    std::string_view digits = word;
    if (digits.starts_with("sm_")) digits.remove_prefix(3);
    for (const std::string_view known : known_capabilities()) {
        std::string plain(known);
        std::erase(plain, '.');
        if (digits == known || digits == plain) return std::string(known);
    }
    throw UsageError(
        fmt::format("--capability '{}' is none that this version knows. There are: {}.", word,
                    fmt::join(known_capabilities(), ", ")));
}

int calculate(const Values& values, bool as_json, CommandContext& context) {
    for (const char* needed : {"items", "registers", "capability"}) {
        if (values.count(needed) > 0) continue;
        throw UsageError(fmt::format(
            "--{} is missing. The calculator takes --items, --registers, --local (0 unless told) "
            "and --capability; or name a kernel as SUITE/VARIANT.",
            needed));
    }
    const UnitLimits limits =
        limits_of(parse_capability(values["capability"].as<std::string>())).value_or(UnitLimits{});
    const auto number = [&](const char* name, std::uint64_t least, std::uint64_t most) {
        return parse_number(
            fmt::format("--{} (compute capability {})", name, limits.compute_capability),
            value_of<std::string>(values, name).value_or("0"), least, most);
    };
    const KernelUse use{
        .items = number("items", 1, limits.group_items),
        .registers = static_cast<std::uint32_t>(number("registers", 1, limits.item_registers)),
        .local_bytes = static_cast<std::uint32_t>(number("local", 0, limits.group_local_bytes))};
    if (as_json) {
        context.out << calculator_json(limits, use) << std::flush;
    } else {
        context.out << text_of(calculator_document(limits, use), terminal_width(), false)
                    << std::flush;
    }
    return exit_ok;
}

/// @throws UsageError when no device supports the request
int print_occupancy(const Case& c, const std::vector<BuiltCase>& all, bool as_json,
                    CommandContext& context) {
    const auto has = [&](Status status) {
        return std::ranges::any_of(
            all, [&](const BuiltCase& made) { return made.outcome.status == status; });
    };
    const auto refused =
        std::ranges::find_if(all, [](const BuiltCase& made) { return made.outcome.refused; });
    if (!has(Status::ok) && !has(Status::failed) && refused != all.end()) {
        throw UsageError(refused->outcome.reason);
    }
    if (as_json) {
        context.out << predictions_json(c, all) << std::flush;
    } else {
        context.out << c.title() << "\n";
        for (const BuiltCase& made : all) {
            context.out << "\n"
                        << report::text_of({.title = {}, .blocks = {predictions_section(made)}},
                                           terminal_width(), false);
        }
        context.out << std::flush;
    }
    if (has(Status::failed)) return exit_failed;
    const bool any = std::ranges::any_of(
        all, [](const BuiltCase& made) { return !predictions_of(made).empty(); });
    return any ? exit_ok : exit_nothing;
}

int predict_without_device(const Values& values, bool as_json, CommandContext& context) {
    refuse_given(values, {"device"},
                 "--{} is about devices, and --capability is for when there is none. Leave one of "
                 "them out.");
    std::string digits = parse_capability(values["capability"].as<std::string>());
    std::erase(digits, '.');
    const Case c = case_of(values, context);
    const auto cuda = std::ranges::find_if(
        context.backends, [](const auto& backend) { return backend->name() == "cuda"; });
    if (cuda == context.backends.end()) {
        context.err
            << "parallax: This program was built without CUDA, whose compiler this takes.\n";
        return exit_nothing;
    }
    const RunConfig config = run_config(context, 0, value_of<std::string>(values, "kernels"));
    try {
        return print_occupancy(c, {build_for(**cuda, std::stoi(digits), c, config)}, as_json,
                               context);
    } catch (const Unsupported& error) {
        context.err << "parallax: " << error.what() << "\n";
        return exit_nothing;
    }
}

int predict_on_devices(const Values& values, bool as_json, CommandContext& context) {
    const Case c = case_of(values, context);
    const RunConfig config = run_config(context, 0, value_of<std::string>(values, "kernels"));
    std::vector<BuiltCase> all;
    if (!build_everywhere(values, c, config, 1, context,
                          [&](const BuiltCase& made, const auto&) { all.push_back(made); })) {
        context.err
            << "parallax: There is no device to build for. --capability 9.0 compiles without "
               "one; 'parallax doctor' says what is missing.\n";
        return exit_nothing;
    }
    return print_occupancy(c, all, as_json, context);
}

int occupancy(const Values& values, CommandContext& context) {
    const bool as_json = value_of<std::string>(values, "format") == "json";
    if (values.count("case") == 0) {
        refuse_given(values, {"device", "define", "size", "type", "kernels"},
                     "--{} is about a kernel. Name it as SUITE/VARIANT.");
        return calculate(values, as_json, context);
    }
    refuse_given(values, {"items", "registers", "local"},
                 "--{} is for the calculator, and a kernel's compiler says it. Leave one out.");
    case_of(values, context);  // a mistyped one is said before any process is started
    return run_supervised(values, context, [&] {
        return values.count("capability") > 0 ? predict_without_device(values, as_json, context)
                                              : predict_on_devices(values, as_json, context);
    });
}

}  // namespace

Command occupancy_command() {
    return {
        .name = "occupancy",
        .arguments = "SUITE/VARIANT [-d DEVICE]... | --items N --registers N --capability 9.0",
        .summary = "how many groups a multiprocessor holds, and what limits it",
        .about =
            "Without a kernel: a calculator. From work-items of a group, registers of a work-item "
            "and bytes of local memory of a group it says how many groups and warps a "
            "multiprocessor of NVIDIA's holds at a time, what each limit allows, and how that "
            "changes with each of the three. With a kernel: builds it on each device, and holds "
            "the calculator against what the API says; with --capability it compiles for one "
            "without a device, and where no device of CUDA is, for 9.0 as well. 'parallax sweep "
            "--occupancy' shows occupancy next to speed.",
        .examples = {"parallax occupancy --items 192 --registers 20 --local 68 --capability 1.0",
                     "parallax occupancy reduction/vector -d cuda:0 --define GROUP=128",
                     "parallax occupancy multiply/blocked --capability 9.0"},
        .positional = {"case"},
        .options =
            [](auto add) {
                add_one_case_options(add);
                add_watch_options(add);
                add("items", settable<std::string>(), "work-items of a group");
                add("registers", settable<std::string>(), "registers of a work-item");
                add("local", settable<std::string>(),
                    "bytes of local memory of a group (default 0)");
                add("capability", settable<std::string>(), "compute capability: 1.0 to 12.1");
                add("quiet", settable_flag(), "only the report; no remarks");
                add("format", settable<std::string>(), "text (default) or json");
            },
        .run = occupancy,
        .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli
