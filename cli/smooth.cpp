// `parallax smooth`: smooths an image on a device with a kernel of the suite `smoothing`.
#include "studies/smooth/smooth.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "cli/chosen_devices.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_values.hpp"
#include "cli/request.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "measure/run_case.hpp"
#include "records/write_file.hpp"
#include "report/listings.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

/// The first GPU, or the first of all.
const Entry& preferred(const std::vector<Entry>& entries) {
    const auto gpu =
        std::ranges::find_if(entries, [](const Entry& entry) { return entry.info.is_gpu; });
    return gpu == entries.end() ? entries.front() : *gpu;
}

void check_room(const DeviceInfo& info, const Plan& plan) {
    if (too_large(info, plan).empty()) return;
    const Footprint need = footprint(plan);
    throw UsageError(
        fmt::format("The image needs buffers of {}, the largest of {}; {} ({}) has {} and allows "
                    "{} in one piece. Choose another device with -d, or a smaller image.",
                    binary_size(need.total), binary_size(need.largest), info.id(), info.name,
                    binary_size(info.memory_bytes), binary_size(info.max_allocation_bytes)));
}

void report(const Case& c, const DeviceInfo& info, const Image& image, const Smoothed& smoothed,
            std::ostream& out) {
    const Timing& timing = *smoothed.timing;
    const Estimate& estimate = timing.estimate;
    Table table({Table::Align::left, Table::Align::left});
    table.add({"image", fmt::format("{} x {} pixels, {} channel(s), maximum {}", image.width,
                                    image.height, image.channels, image.maximum)});
    table.add({"device", fmt::format("{} ({})", info.id(), printable(info.name))});
    table.add({"kernel", fmt::format("{}/{}", c.suite->name, c.variant->name)});
    table.add({"answer", fmt::format("right: {} launches, every value that of the {}",
                                     smoothed.checked.trials, smoothed.checked.against)});
    const std::string interval =
        timing.has_interval()
            ? fmt::format(" ({:.4g} to {:.4g})", estimate.low * 1e3, estimate.high * 1e3)
            : "";
    table.add({"time", fmt::format("{:.4g} ms a launch{}, the median of n={} batches of {} "
                                   "launches",
                                   estimate.median * 1e3, interval, timing.samples.size(),
                                   timing.repeats.front())});
    table.add({"bandwidth", fmt::format("{}, the image read once and written once",
                                        rate(c.suite->work(c).bytes / estimate.median, "B"))});
    if (timing.in_cache) table.add({"note", std::string(cache_remark)});
    out << table.text();
}

int smooth(const Values& values, CommandContext& context) {
    const auto in = value_of<std::string>(values, "in"),
               out = value_of<std::string>(values, "output");
    if (!in || !out) {
        throw UsageError(
            "Name the image and the file for the smoothed one: parallax smooth IN -o OUT.");
    }
    const Suite& suite = suite_named("smoothing");
    const Variant& variant =
        variant_named(suite, value_of<std::string>(values, "variant").value_or("plain"));
    Image image = read_image(*in);
    const ImageFormat format = format_named(*out).value_or(image.format);
    if (const std::string reason = cannot_hold(format, image.channels); !reason.empty()) {
        throw UsageError(fmt::format("-o {}: {}", *out, reason));
    }
    check_writable(*out, {*in});
    const Case c = make_case(suite, variant, {{image.width, image.height}}, suite.types.front(),
                             {{"CHANNELS", static_cast<std::int64_t>(image.channels)}});
    const RunConfig config = run_config(context, 0, value_of<std::string>(values, "kernels"));
    const Program program = program_of(c, config);

    const Devices devices = find_devices(context.backends);
    const std::vector<Entry> entries = chosen_entries(devices, words_of(values, "device"));
    if (entries.empty()) {
        for (const Problem& problem : devices.problems) context.err << to_string(problem) << "\n";
        return print_no_device(context, "to smooth it on");
    }
    const Entry& entry = preferred(entries);
    check_room(entry.info, plan_of(c));
    const InterruptGuard interrupt;
    const auto device = entry.open();
    Smoothed smoothed = smooth_on(*device, c, program, image, InterruptGuard::check);
    if (!smoothed.timing) {
        context.err << fmt::format("parallax: {} ({}), {}: wrong. {} Nothing was written.\n",
                                   entry.info.id(), printable(entry.info.name), c.title(),
                                   smoothed.checked.failure->what);
        return exit_wrong;
    }
    image.values = std::move(smoothed.values);
    write_file(*out, bytes_of(image, format));
    if (value_of<std::string>(values, "format") == "json") {
        context.out << smoothed_json(smoothed, c, entry.info, image, *out);
        return exit_ok;
    }
    report(c, entry.info, image, smoothed, context.out);
    context.out << fmt::format("{} is written as {}.\n", printable(*out), name_of(format));
    return exit_ok;
}

}  // namespace

Command smooth_command() {
    return {
        .name = "smooth",
        .arguments = "IN -o OUT [-d DEVICE] [--variant NAME]",
        .summary = "an image smoothed on a device, checked and timed",
        .about =
            "Reads a PAM, PPM or PGM image (binary, 1 to 4 channels, 8 or 16 bits) and writes it "
            "with every value the mean of itself and those of its neighbours that exist, 9 within "
            "the image, rounded to nearest, half up; each channel on its own, an alpha channel "
            "too. The kernels are those of the suite 'smoothing'. Every value is compared with a "
            "calculation on the host before anything is written or a time is shown. OUT gets the "
            "format that its name ends with (.pam, .ppm, .pgm), else that of IN.",
        .examples = {"parallax smooth photo.ppm -o smooth.ppm",
                     "parallax smooth scan.pam -o smooth.pam -d cuda:0 --variant pitched_staged"},
        .positional = {"in"},
        .options =
            [](auto add) {
                using Words = std::vector<std::string>;
                add("in", po::value<std::string>(), "the image");
                add("output,o", settable<std::string>(Setting::file),
                    "the file for the smoothed image");
                add("device,d", settable<Words>(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; of several, and without it, the first "
                    "GPU, or the first device where there is none");
                add("variant", settable<std::string>(),
                    "of the suite: plain (default), staged, padded, padded_staged, pitched, "
                    "pitched_staged, wide");
                add("kernels", po::value<std::string>(), "folder of kernel files to use instead");
                add("format", settable<std::string>(), "text (default) or json");
            },
        .run = smooth,
        .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli
