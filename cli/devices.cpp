// `parallax devices`: lists the devices, and which entries are the same physical device.
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/chosen_devices.hpp"
#include "cli/option_values.hpp"
#include "cli/terminal.hpp"
#include "common/text/text.hpp"
#include "report/json_listings.hpp"

namespace parallax::cli {
namespace {

std::string extents(const Size& size) {
    const auto one = [](std::uint64_t value) {
        return value == 0 ? std::string("unstated") : fmt::format("{}", value);
    };
    return fmt::format("{} x {} x {}", one(size.x), one(size.y), one(size.z));
}

std::string tick(double seconds) {
    return seconds > 0 ? fmt::format("{:g} ns", seconds * 1e9) : "unknown";
}

void print(const Entry& entry, const Devices& devices, std::ostream& out) {
    const DeviceInfo& d = entry.info;
    out << fmt::format("{}  {}\n", d.id(), d.name);
    Table table({Table::Align::left, Table::Align::left});
    const auto row = [&](std::string name, std::string value) {
        if (!value.empty()) table.add({std::move(name), std::move(value)});
    };
    const std::vector<std::string> others = same_device_as(devices, entry);
    row("same device as", fmt::format("{}", fmt::join(others, ", ")));
    row("vendor", d.vendor);
    row("platform", d.platform);
    row("API", d.api_version);
    row("driver", d.driver_version);
    row("compiler", d.compiler_version);
    row("compute capability", d.compute_capability);
    row("UUID", d.uuid ? to_string(*d.uuid) : "");
    row("PCI address", d.pci);
    row("compute units", fmt::format("{}{}", d.compute_units,
                                     d.clock_mhz ? fmt::format(" at {} MHz", d.clock_mhz) : ""));
    row("memory", fmt::format("{}, {} in one piece{}", binary_size(d.memory_bytes),
                              binary_size(d.max_allocation_bytes),
                              d.unified_memory ? ", shared with the host" : ""));
    row("last-level cache", binary_size(d.cache_bytes));
    row("local memory", fmt::format("{} a group", binary_size(d.local_bytes)));
    row("constant memory", binary_size(d.constant_bytes));
    row("largest group", fmt::format("{} ({})", d.max_group_items, extents(d.max_items)));
    row("largest launch", fmt::format("{} groups", extents(d.max_groups)));
    row("warp or the like", d.preferred_multiple ? fmt::format("{}", d.preferred_multiple) : "");
    row(d.only_checks ? "taken" : "timer tick",
        d.only_checks ? "where it is named, for checks; never timed" : tick(d.timer_tick_seconds));
    row("has", fmt::format("{}", fmt::join(d.features, ", ")));
    out << table.text(4, table_width(out)) << "\n";
}

int show_devices(const Values& values, CommandContext& context) {
    const std::string format = value_of<std::string>(values, "format").value_or("text");
    const Devices devices = find_devices(context.backends);
    if (format == "json") {
        context.out << devices_json(devices);
    } else {
        for (const Entry& entry : devices.entries) print(entry, devices, context.out);
    }
    for (const Problem& problem : devices.problems) context.err << to_string(problem) << "\n";
    if (!devices.problems.empty() || devices.entries.empty()) {
        context.err << "'parallax doctor' says what keeps devices away, and what helps.\n";
    }
    return chosen_entries(devices, {}).empty() ? exit_nothing : exit_ok;
}

}  // namespace

Command devices_command() {
    return {
        .name = "devices",
        .arguments = "[--format text|json]",
        .summary = "what is here, and which entries are the same physical device",
        .about =
            "Lists every device of every backend with its versions and limits. Entries of two "
            "backends are the same physical device when their UUIDs agree, or, where one has no "
            "UUID, their PCI addresses. Other commands take BACKEND, BACKEND:INDEX or "
            "BACKEND:NAME for -d.",
        .examples = {"parallax devices", "parallax devices --format json"},
        .positional = {},
        .options =
            [](auto add) { add("format", settable<std::string>(), "text (default) or json"); },
        .run = show_devices,
        .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli
