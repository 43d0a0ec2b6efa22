// Smooths images on devices.
#include "studies/smooth/smooth.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "common/error.hpp"
#include "measure/compare.hpp"
#include "measure/run_case.hpp"
#include "suites/smoothing.hpp"

namespace parallax {
namespace {

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

}  // namespace

Smoothed smooth_on(Device& device, const Case& c, const Program& program, const Image& image,
                   const std::function<void()>& check) {
    const Plan plan = plan_of(c);
    ReferenceData reference_data;
    reference_data.inputs.push_back(laid_out(image, c));
    reference_data.expected = c.suite->reference(c, reference_data.inputs);
    reference_data.against = c.suite->reference_name;

    Binding binding(device, plan, build(device, program, plan));
    Smoothed smoothed;
    const InputPattern pattern{"the image"};
    // A value that equals the one poison by chance does not equal the other.
    for (const std::byte poison : {std::byte{0xff}, std::byte{0xa5}}) {
        check();
        binding.load(reference_data.inputs, poison);
        binding.run();
        compare_outputs(binding, c, pattern, 0, reference_data, smoothed.checked);
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
        rule, check);
    timing.in_cache = is_half_in_cache(device.info(), plan);
    compare_outputs(binding, c, pattern, 0, reference_data, smoothed.checked);
    if (!smoothed.checked.right()) return smoothed;

    const std::size_t output = binding.outputs().front();
    HostArray answer(c.type, plan.buffers[output].elements);
    binding.read_part(output, 0, answer);
    if (compare(answer, reference_data.expected.front(), c.suite->tolerance(c)).mismatch) {
        throw DeviceError(fmt::format("{} gave other values when its answer was read again.",
                                      device.info().id()));
    }
    smoothed.timing = std::move(timing);
    smoothed.values = taken_out(answer, c);
    return smoothed;
}

}  // namespace parallax
