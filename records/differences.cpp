// Compares two records member by member, in words.
#include "records/differences.hpp"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

std::string said(const std::string& text) {
    return text.empty() ? "unknown" : text;
}
template <class T>
std::string said(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "unknown";
}

class Contrasts {
public:
    Contrasts(const Record& then, const Record& now) : then_(then), now_(now) {}

    template <class Get>
    void add(std::string what, Get&& get) {
        const std::string before = said(get(then_)), after = said(get(now_));
        if (before != after) found_.push_back({std::move(what), before, after});
    }
    std::vector<RecordDifference> take() { return std::move(found_); }

private:
    const Record &then_, &now_;
    std::vector<RecordDifference> found_;
};

std::string whole_time(const Record& record) {
    if (!record.timing) return "not measured";
    if (!record.timing->has_interval()) return duration(record.seconds()) + " (n=1)";
    return fmt::format("{} ({} to {})", duration(record.seconds()), duration(record.low()),
                       duration(record.high()));
}

}  // namespace

std::vector<RecordDifference> differences_between(const Record& then, const Record& now) {
    Contrasts d(then, now);
    d.add("host", [](const Record& r) { return r.run.host; });
    d.add("device", [](const Record& r) { return r.where.name; });
    d.add("entry", [](const Record& r) { return r.device; });
    d.add("UUID", [](const Record& r) { return r.where.uuid; });
    d.add("PCI address", [](const Record& r) { return r.where.pci; });
    d.add("platform", [](const Record& r) { return r.where.platform; });
    d.add("API", [](const Record& r) { return r.where.api; });
    d.add("driver", [](const Record& r) { return r.where.driver; });
    d.add("compiler", [](const Record& r) { return r.where.compiler; });
    d.add("program", [](const Record& r) { return r.run.program_version; });
    d.add("MIG", [](const Record& r) { return r.where.settings.mig; });
    d.add("MPS", [](const Record& r) { return r.where.settings.mps; });
    d.add("persistence", [](const Record& r) { return r.where.settings.persistence; });
    d.add("ECC", [](const Record& r) { return r.where.settings.ecc; });
    d.add("power limit (W)", [](const Record& r) { return r.where.settings.power_limit_watts; });
    if (then.timing && now.timing) {
        d.add("clock (MHz)", [](const Record& r) { return r.after.sm_clock_mhz; });
        d.add("highest clock (MHz)", [](const Record& r) { return r.after.max_sm_clock_mhz; });
        d.add("memory clock (MHz)", [](const Record& r) { return r.after.memory_clock_mhz; });
        d.add("other processes", [](const Record& r) { return r.after.other_processes; });
    }
    d.add("text of the kernel", [](const Record& r) { return r.program.source_hash; });
    d.add("float rules", [](const Record& r) {
        const FloatRules& f = r.program.floats;
        return fmt::format("contract {}, exact division {}, flush denormals {}, relaxed {}",
                           f.contract, f.exact_division, f.flush_denormals, f.relaxed);
    });
    if (!then.program.given_hash.empty() && !now.program.given_hash.empty()) {
        d.add("text that the compiler got", [](const Record& r) { return r.program.given_hash; });
        d.add("options of the compiler",
              [](const Record& r) { return fmt::format("{}", fmt::join(r.program.options, " ")); });
        d.add("PTX", [](const Record& r) { return r.program.ptx_hash; });
    }
    return d.take();
}

std::vector<RecordDifference> outcomes_of(const Record& then, const Record& now) {
    std::vector<RecordDifference> all{{"status", std::string(status_word(then.status, then.doubts)),
                                       std::string(status_word(now.status, now.doubts))}};
    if (then.check && now.check && !then.check->output_hash.empty() &&
        !now.check->output_hash.empty() && then.timing.has_value() == now.timing.has_value()) {
        const bool same = then.check->output_hash == now.check->output_hash;
        all.push_back({"answers", then.check->output_hash.substr(0, 8),
                       now.check->output_hash.substr(0, 8) + (same ? ": the same bits" : "")});
    }
    if (then.timing || now.timing) {
        std::string after = whole_time(now);
        if (then.timing && now.timing)
            after += fmt::format(", {:.3g} times", now.seconds() / then.seconds());
        all.push_back({"time of a run", whole_time(then), std::move(after)});
    }
    return all;
}

}  // namespace parallax
