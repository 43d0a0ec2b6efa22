// Chooses records for published cases.
#include "studies/published/today.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "common/text/grouping.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

/// Whether no constant of `some` has another value in `all`.
bool agrees(const Constants& some, const CaseKey& all) {
    return std::ranges::all_of(some, [&](const Constant& one) {
        return all.value_of(one.name).value_or(one.value) == one.value;
    });
}

/// Bytes a second; operations a second when the case moves no bytes.
double speed_of(const Record& record) {
    return record.work.bytes > 0 ? record.bytes_per_second() : record.operations_per_second();
}

}  // namespace

std::string DeviceAndApi::title() const {
    return fmt::format("{}, {}", printable(device, 60), printable(backend));
}

Today::Today(std::vector<Record> records) {
    for (Record& r : records) {
        if (!is_of_the_suite(r)) continue;
        add_once(places_, DeviceAndApi{r.where.name, r.where.backend});
        store_.add(std::move(r));
    }
    std::ranges::sort(places_, {}, [](const DeviceAndApi& place) {
        return std::tuple(place.device, place.backend != "opencl", place.backend);
    });
}

Records Today::all_of(CaseKey c, const std::string& device) const {
    c.type = name_of(suite_named(c.suite).types.front());
    c.shape.clear();
    Records all = store_.of(c);
    std::erase_if(all, [&](const Record* record) { return record->where.name != device; });
    return all;
}

const Record* Today::best(const CaseKey& c, const DeviceAndApi& place,
                          std::span<const CaseKey> together) const {
    CaseKey wanted = c;
    if (c.shape.empty()) {
        std::vector<Records> of_each;
        for (const CaseKey& other : together) {
            if (other.suite != c.suite || !other.shape.empty()) continue;
            of_each.push_back(all_of(other, place.device));
            std::erase_if(of_each.back(), [&](const Record* record) {
                return !unusual_constants(record->key, other).empty();
            });
        }
        wanted.shape = common_size(of_each);
    }
    Records records = all_of(c, place.device);
    std::erase_if(records,
                  [&](const Record* record) { return record->where.backend != place.backend; });
    return chosen(records, SelectionPolicy::best, wanted);
}

std::optional<double> Today::faster(const CaseKey& slow, const CaseKey& fast,
                                    const DeviceAndApi& place,
                                    std::span<const CaseKey> together) const {
    const Record* before = best(slow, place, together);
    const Record* after = best(fast, place, together);
    if (!before || !after || before == after) return {};
    if (slow.suite == fast.suite &&
        (size_of_problem(before->key.shape) != size_of_problem(after->key.shape) ||
         !agrees(unusual_constants(before->key, slow), after->key) ||
         !agrees(unusual_constants(after->key, fast), before->key))) {
        return {};
    }
    // Nothing was measured where there is no speed.
    if (speed_of(*before) <= 0 || speed_of(*after) <= 0) return {};
    return speed_of(*after) / speed_of(*before);
}

}  // namespace parallax
