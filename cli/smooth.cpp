// `parallax smooth`: an image smoothed on a device by a kernel of the suite `smoothing`.
#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/request.hpp"
#include "common/error.hpp"
#include "common/text.hpp"
#include "measure/clock.hpp"
#include "measure/compare.hpp"
#include "measure/gate.hpp"
#include "measure/run_case.hpp"
#include "records/write_file.hpp"
#include "studies/smooth/image.hpp"
#include "suites/smoothing.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

/// What the device made of an image.
struct Smoothed {
    Checked checked;
    std::optional<Timing> timing;            ///< none: an answer was wrong
    std::vector<std::uint16_t> values = {};  ///< as Image::values
};

/// The image in the layout of the case, 0 where the layout has more than the image.
HostArray laid_out(const Image& image, const Case& c) {
    const ImageLayout layout = layout_of(c);
    HostArray array(c.type, layout.values());
    const std::span<std::uint16_t> stored = array.as<std::uint16_t>();
    std::ranges::fill(stored, std::uint16_t{0});
    for (std::uint64_t i = 0; i < image.values.size(); ++i) {
        const std::uint64_t pixel = i / layout.channels;
        stored[layout.at(pixel % layout.width, pixel / layout.width, i % layout.channels)] =
            image.values[i];
    }
    return array;
}

/// The image that lies in memory in the layout of the case.
std::vector<std::uint16_t> taken_out(const HostArray& array, const Case& c) {
    const ImageLayout layout = layout_of(c);
    const std::span<const std::uint16_t> stored = array.as<std::uint16_t>();
    std::vector<std::uint16_t> values;
    values.reserve(layout.width * layout.height * layout.channels);
    for (std::uint64_t y = 0; y < layout.height; ++y) {
        for (std::uint64_t x = 0; x < layout.width; ++x) {
            const auto pixel = stored.subspan(layout.at(x, y, 0), layout.channels);
            values.insert(values.end(), pixel.begin(), pixel.end());
        }
    }
    return values;
}

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

/// Runs, checks, times and checks again. What was checked last is what comes back.
Smoothed smooth_on(Device& device, const Case& c, const Program& program, const Image& image) {
    const Plan plan = plan_of(c);
    Workload workload;
    workload.inputs.push_back(laid_out(image, c));
    workload.expected = c.suite->reference(c, workload.inputs);
    workload.against = c.suite->reference_name;

    Binding binding(device, plan, build(device, program, plan));
    Smoothed smoothed;
    const Filling filling{"the image"};
    // A value that equals the one poison by chance does not equal the other.
    for (const std::byte poison : {std::byte{0xff}, std::byte{0xa5}}) {
        InterruptGuard::check();
        binding.load(workload.inputs, poison);
        binding.run();
        check_outputs(binding, c, filling, 0, workload, smoothed.checked);
        if (!smoothed.checked.right()) return smoothed;
    }
    StoppingRule rule;
    rule.rounds = 1;
    rule.most_seconds = 0.3;
    rule.batch_seconds =
        std::max(rule.batch_seconds, least_batch_seconds(device.info().timer_tick_seconds));
    Timing timing = measure(
        [&](unsigned) -> Runnable {
            return [&](unsigned repeats) { return binding.run(repeats); };
        },
        rule, InterruptGuard::check);
    check_outputs(binding, c, filling, 0, workload, smoothed.checked);
    if (!smoothed.checked.right()) return smoothed;

    const std::size_t output = binding.outputs().front();
    HostArray answer(c.type, plan.buffers[output].elements);
    binding.read_part(output, 0, answer);
    if (compare(answer, workload.expected.front(), c.suite->tolerance(c)).mismatch) {
        throw DeviceError(fmt::format("{} gave other values when its answer was read again.",
                                      device.info().id()));
    }
    smoothed.timing = std::move(timing);
    smoothed.values = taken_out(answer, c);
    return smoothed;
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
    table.add({"time", fmt::format("{:.4g} ms a launch ({:.4g} to {:.4g}), the median of {} "
                                   "batches of {} launches",
                                   estimate.median * 1e3, estimate.low * 1e3, estimate.high * 1e3,
                                   timing.samples.size(), timing.repeats.front())});
    table.add({"bandwidth", fmt::format("{}, the image read once and written once",
                                        rate(c.suite->work(c).bytes / estimate.median, "B"))});
    if (fits_in_cache(info, plan_of(c))) {
        table.add(
            {"note", "the buffers fit in the last-level cache: these are figures of the cache"});
    }
    out << table.text();
}

void report_json(const Case& c, const DeviceInfo& info, const Image& image,
                 const Smoothed& smoothed, const std::string& file, std::ostream& out) {
    const Estimate& estimate = smoothed.timing->estimate;
    out << nlohmann::ordered_json{{"file", file},
                                  {"width", image.width},
                                  {"height", image.height},
                                  {"channels", image.channels},
                                  {"maximum", image.maximum},
                                  {"device", info.id()},
                                  {"name", info.name},
                                  {"suite", c.suite->name},
                                  {"variant", c.variant->name},
                                  {"launches_checked", smoothed.checked.trials},
                                  {"seconds", estimate.median},
                                  {"seconds_low", estimate.low},
                                  {"seconds_high", estimate.high},
                                  {"bytes_per_second", c.suite->work(c).bytes / estimate.median},
                                  {"fits_in_cache", fits_in_cache(info, plan_of(c))}}
               .dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace)
        << "\n";
}

int smooth(const Values& values, World& world) {
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
    const RunContext context = run_context(world, 0, value_of<std::string>(values, "kernels"));
    const Program program = program_of(c, context);

    const Devices devices = find_devices(world.backends);
    const std::vector<Entry> entries = chosen_entries(devices, words_of(values, "device"));
    if (entries.empty()) {
        for (const std::string& problem : devices.problems) world.err << problem << "\n";
        return say_no_device(world, "to smooth it on");
    }
    const Entry& entry = preferred(entries);
    check_room(entry.info, plan_of(c));
    const InterruptGuard interrupt;
    const auto device = entry.open();
    Smoothed smoothed = smooth_on(*device, c, program, image);
    if (!smoothed.timing) {
        world.err << fmt::format("parallax: {} ({}), {}: wrong. {} Nothing was written.\n",
                                 entry.info.id(), printable(entry.info.name), c.title(),
                                 smoothed.checked.failure->what);
        return exit_wrong;
    }
    image.values = std::move(smoothed.values);
    write_file(*out, bytes_of(image, format));
    if (value_of<std::string>(values, "format") == "json") {
        report_json(c, entry.info, image, smoothed, *out, world.out);
        return exit_ok;
    }
    report(c, entry.info, image, smoothed, world.out);
    world.out << fmt::format("{} is written as {}.\n", printable(*out), name_of(format));
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
                add("output,o", po::value<std::string>(), "the file for the smoothed image");
                add("device,d", po::value<Words>()->composing(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; of several, and without it, the first "
                    "GPU, or the first device where there is none");
                add("variant", po::value<std::string>(),
                    "of the suite: plain (default), staged, padded, padded_staged, pitched, "
                    "pitched_staged, wide");
                add("kernels", po::value<std::string>(), "folder of kernel files to use instead");
                add("format", po::value<std::string>(), "text (default) or json");
            },
        .run = smooth,
        .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli
