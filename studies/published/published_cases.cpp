// The records of today that a claim or an experiment speaks of.
#include "studies/published/published_cases.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"

namespace parallax::cli {

bool agrees(const std::vector<Constant>& some, const std::vector<Constant>& all) {
    return std::ranges::all_of(some, [&](const Constant& constant) {
        const auto other = std::ranges::find(all, constant.name, &Constant::name);
        return other == all.end() || other->value == constant.value;
    });
}

std::optional<Circumstances> circumstances_of(const ClaimedCase& c) {
    const auto suite = std::ranges::find(suites(), c.suite, &Suite::name);
    if (suite == suites().end()) return {};
    const auto variant = std::ranges::find(suite->variants, c.variant, &Variant::name);
    if (variant == suite->variants.end()) return {};
    return Circumstances{&*suite, &*variant, c.shape, c.constants};
}

CasesToday::CasesToday(const TodaysRecords& records, const std::vector<ClaimedCase>& together)
    : records_(records) {
    for (const ClaimedCase& c : together) {
        if (auto line = circumstances_of(c)) together_.push_back(std::move(*line));
    }
}

std::optional<Circumstances> CasesToday::circumstances(const ClaimedCase& c,
                                                       const std::string& device) const {
    std::optional<Circumstances> line = circumstances_of(c);
    if (line && line->shape.empty()) {
        line->shape = records_.common_shape(together_, *line->suite, device);
    }
    return line;
}

const Today* CasesToday::on(const TodaysRecords::Where& where, const ClaimedCase& c) const {
    const std::optional<Circumstances> line = circumstances(c, where.device);
    if (!line) return nullptr;
    const Today* today = records_.best(*line, where.device, where.backend);
    return today != nullptr && today->status == Status::ok && today->seconds > 0 ? today : nullptr;
}

std::optional<double> CasesToday::faster(const TodaysRecords::Where& where, const ClaimedCase& slow,
                                         const ClaimedCase& fast) const {
    const Today* before = on(where, slow);
    const Today* after = on(where, fast);
    if (before == nullptr || after == nullptr || before == after) return {};
    if (slow.suite == fast.suite) {
        if (size_of_problem(before->shape.extents) != size_of_problem(after->shape.extents)) {
            return {};
        }
        const auto before_unusual = unusual(*before, *circumstances(slow, where.device));
        const auto after_unusual = unusual(*after, *circumstances(fast, where.device));
        if (!agrees(before_unusual, after->constants) || !agrees(after_unusual, before->constants))
            return {};
    }
    const double speed = speed_of(*before);
    if (speed <= 0 || speed_of(*after) <= 0) return {};
    return speed_of(*after) / speed;
}

double speed_of(const Today& today) {
    return (today.bytes > 0 ? today.bytes : today.operations) / today.seconds;
}

std::string title_of(const TodaysRecords::Where& where) {
    return fmt::format("{}, {}", printable(where.device, 60), printable(where.backend));
}

std::string in_words(const std::vector<Constant>& constants) {
    std::vector<std::string> words;
    for (const Constant& c : constants) words.push_back(fmt::format("{}={}", c.name, c.value));
    return fmt::format("{}", fmt::join(words, " "));
}

std::string in_words(const ClaimedCase& c, const std::vector<std::uint64_t>& shape) {
    std::string text = c.suite + "/" + c.variant;
    if (!c.constants.empty()) text += " " + in_words(c.constants);
    if (!shape.empty()) text += " " + to_string(Shape{shape});
    return text;
}

double size_of_problem(const std::vector<std::uint64_t>& shape) {
    double size = 1;
    for (const std::uint64_t extent : shape) size *= static_cast<double>(extent);
    return size;
}

}  // namespace parallax::cli
