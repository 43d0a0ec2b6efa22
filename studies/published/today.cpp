// Chooses records for published cases.
#include "studies/published/today.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "common/text.hpp"

namespace parallax {
namespace {

/// The constants of the case, and those that its suite and variant have unless told.
std::vector<Constant> usual_constants(const PublishedCase& c) {
    const Suite& suite = suite_named(c.suite);
    return constants_of(suite, variant_named(suite, c.variant), c.constants);
}

/// Whether each of `some` has the same value in `all`, where that has one of the name.
bool agrees(const std::vector<Constant>& some, const std::vector<Constant>& all) {
    return std::ranges::all_of(some, [&](const Constant& one) {
        const auto found = std::ranges::find(all, one.name, &Constant::name);
        return found == all.end() || found->value == one.value;
    });
}

bool was_measured(const RecordAtHand& record) {
    return record.status == Status::ok && record.seconds > 0;
}

/// Bytes a second; operations a second when the case moves no bytes.
double speed_of(const RecordAtHand& record) {
    return (record.bytes > 0 ? record.bytes : record.operations) / record.seconds;
}

}  // namespace

std::string DeviceAndApi::title() const {
    return fmt::format("{}, {}", printable(device, 60), printable(backend));
}

Today::Today(const std::vector<RecordAtHand>& records) {
    for (const RecordAtHand& r : records) {
        if (!r.is_of_the_suite) continue;
        records_[{r.suite, r.variant}].push_back(r);
        const DeviceAndApi place{r.device, r.backend};
        if (std::ranges::find(places_, place) == places_.end()) places_.push_back(place);
    }
    std::ranges::sort(places_, {}, [](const DeviceAndApi& place) {
        return std::tuple(place.device, place.backend != "opencl", place.backend);
    });
}

std::vector<Constant> Today::unusual(const RecordAtHand& record, const PublishedCase& c) {
    std::vector<Constant> others;
    const std::vector<Constant> usual = usual_constants(c);
    for (const Constant& one : record.constants) {
        if (std::ranges::find(usual, one) == usual.end()) others.push_back(one);
    }
    return others;
}

std::vector<const RecordAtHand*> Today::all_of(const PublishedCase& c,
                                               const std::string& device) const {
    std::vector<const RecordAtHand*> all;
    const auto found = records_.find({c.suite, c.variant});
    if (found == records_.end()) return all;
    const Suite& suite = suite_named(c.suite);
    // A constant that the suite got after the record was made had the value that it has by itself.
    const std::vector<Constant> usual = constants_of(suite, variant_named(suite, c.variant), {});
    for (const RecordAtHand& r : found->second) {
        std::vector<Constant> constants = r.constants;
        constants.insert(constants.end(), usual.begin(), usual.end());
        if (r.device == device && r.type == name_of(suite.types.front()) &&
            agrees(c.constants, constants)) {
            all.push_back(&r);
        }
    }
    return all;
}

std::vector<std::uint64_t> Today::common_shape(const std::string& suite, const std::string& device,
                                               std::span<const PublishedCase> together) const {
    std::map<std::vector<std::uint64_t>, std::set<const PublishedCase*>> having;
    for (const PublishedCase& c : together) {
        if (c.suite != suite || !c.shape.empty()) continue;
        for (const RecordAtHand* r : all_of(c, device)) {
            if (r->status == Status::ok && unusual(*r, c).empty()) having[r->shape].insert(&c);
        }
    }
    const auto most = std::ranges::max_element(having, {}, [](const auto& entry) {
        return std::pair(entry.second.size(), size_of_problem(entry.first));
    });
    return most == having.end() ? std::vector<std::uint64_t>{} : most->first;
}

const RecordAtHand* Today::best(const PublishedCase& c, const DeviceAndApi& place,
                                std::span<const PublishedCase> together) const {
    const std::vector<std::uint64_t> shape =
        c.shape.empty() ? common_shape(c.suite, place.device, together) : c.shape;
    const auto rank = [&](const RecordAtHand& r) {
        return std::tuple(r.status != Status::skipped, r.shape == shape,
                          -static_cast<std::ptrdiff_t>(unusual(r, c).size()),
                          size_of_problem(r.shape), r.started);
    };
    const RecordAtHand* best = nullptr;
    for (const RecordAtHand* r : all_of(c, place.device)) {
        if (r->backend != place.backend) continue;
        if (best == nullptr || rank(*best) < rank(*r)) best = r;
    }
    return best;
}

std::optional<double> Today::faster(const PublishedCase& slow, const PublishedCase& fast,
                                    const DeviceAndApi& place,
                                    std::span<const PublishedCase> together) const {
    const RecordAtHand* before = best(slow, place, together);
    const RecordAtHand* after = best(fast, place, together);
    if (!before || !after || before == after) return {};
    if (!was_measured(*before) || !was_measured(*after)) return {};
    if (slow.suite == fast.suite &&
        (size_of_problem(before->shape) != size_of_problem(after->shape) ||
         !agrees(unusual(*before, slow), after->constants) ||
         !agrees(unusual(*after, fast), before->constants))) {
        return {};
    }
    if (speed_of(*before) <= 0 || speed_of(*after) <= 0) return {};
    return speed_of(*after) / speed_of(*before);
}

double size_of_problem(const std::vector<std::uint64_t>& shape) {
    double size = 1;
    for (const std::uint64_t extent : shape) size *= static_cast<double>(extent);
    return size;
}

}  // namespace parallax
