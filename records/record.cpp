// Functions of records.
#include "records/record.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/answer.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

constexpr std::array status_words{
    std::pair{Status::ok, std::string_view{"ok"}},
    std::pair{Status::wrong, std::string_view{"wrong"}},
    std::pair{Status::unsupported, std::string_view{"unsupported"}},
    std::pair{Status::refused, std::string_view{"refused"}},
    std::pair{Status::failed, std::string_view{"failed"}},
    std::pair{Status::skipped, std::string_view{"skipped"}},
    std::pair{Status::checked, std::string_view{"checked"}},
};

template <class T>
std::string known(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "unknown";
}

std::string known(const std::string& text) {
    return text.empty() ? "unknown" : text;
}

std::pair<std::string_view, std::int64_t> by_name(const Constant& one) {
    return {one.name, one.value};
}

}  // namespace

CaseKey CaseKey::sorted() const {
    CaseKey key = *this;
    std::ranges::sort(key.constants, {}, by_name);
    return key;
}

bool CaseKey::operator==(const CaseKey& other) const {
    return !(*this < other) && !(other < *this);
}

bool CaseKey::operator<(const CaseKey& other) const {
    const auto mine = std::tie(suite, variant, type, shape);
    const auto others = std::tie(other.suite, other.variant, other.type, other.shape);
    if (mine != others) return mine < others;
    return std::ranges::lexicographical_compare(sorted().constants, other.sorted().constants, {},
                                                by_name, by_name);
}

std::string CaseKey::name() const {
    return suite + "/" + variant;
}

std::string CaseKey::without_constants() const {
    return fmt::format("{} {} {}", name(), type, fmt::join(shape, "x"));
}

std::optional<std::int64_t> CaseKey::value_of(std::string_view constant) const {
    const auto found = std::ranges::find(constants, constant, &Constant::name);
    return found == constants.end() ? std::nullopt : std::optional(found->value);
}

CaseKey key_of(const Case& c) {
    return {c.suite->name, c.variant->name, std::string(name_of(c.type)), c.shape.extents,
            c.constants};
}

std::string to_string(const CaseKey& key) {
    std::string text = key.without_constants();
    for (const auto& [name, value] : key.constants) text += fmt::format(" {}={}", name, value);
    return text;
}

CaseKey asked_key_of(const Case& c) {
    CaseKey key = key_of(c);
    if (!c.default_constants.empty()) key.constants = c.default_constants;
    return key;
}

CaseKey Record::asked() const {
    CaseKey asked = key;
    if (!default_constants.empty()) asked.constants = default_constants;
    if (!compared_with.empty()) {
        asked.variant = compared_with;
        asked.constants = compared_constants;
    }
    return asked;
}

std::string constants_text(const Constants& constants) {
    std::vector<std::string> words;
    for (const auto& [name, value] : constants) words.push_back(fmt::format("{}={}", name, value));
    return fmt::format("{}", fmt::join(words, " "));
}

Constants changed_constants(const Constants& now, const Constants& before) {
    Constants changed;
    std::ranges::copy_if(now, std::back_inserter(changed), [&](const Constant& one) {
        return std::ranges::find(before, one) == before.end();
    });
    return changed;
}

std::string tuned_sentence(const Record& record) {
    const Constants& now = record.key.constants;
    const Constants changed = changed_constants(now, record.default_constants);
    if (changed.empty()) return "Tuned: no better constants than its own were found.";
    return fmt::format("Tuned: {} in place of {}.", constants_text(changed),
                       constants_text(changed_constants(record.default_constants, now)));
}

std::string_view name_of(Status status) {
    return std::ranges::find(status_words, status, [](const auto& p) { return p.first; })->second;
}

std::string_view status_word(Status status, const Doubts& doubts) {
    return is_doubtful(status, doubts) ? "doubtful" : name_of(status);
}

std::string_view strict_failure(const Record& record) {
    const bool is_of_one_api =
        record.program.language == "native" &&
        std::ranges::find(suites(), record.key.suite, &Suite::name) != suites().end();
    if (record.status == Status::refused) return "refused";
    if (record.status == Status::unsupported) return is_of_one_api ? "" : "unsupported";
    if (!is_right(record.status)) return {};
    if (!record.doubts.empty()) return "doubtful";
    return record.check && record.check->checked_against == "itself" ? "not compared" : "";
}

std::optional<Status> status_named(std::string_view name) {
    for (const auto& [status, word] : status_words) {
        if (word == name) return status;
    }
    return {};
}

DeviceRecord device_record(const DeviceInfo& info, DeviceSettings settings) {
    std::string uuid;
    if (info.uuid) {
        for (const std::uint8_t byte : *info.uuid) uuid += fmt::format("{:02x}", byte);
    }
    return {.name = info.name,
            .backend = info.backend,
            .platform = info.platform,
            .vendor = info.vendor,
            .uuid = uuid,
            .pci = info.pci,
            .api = info.api_version,
            .driver = info.driver_version,
            .compiler = info.compiler_version,
            .compute_capability = info.compute_capability,
            .compute_units = info.compute_units,
            .memory_bytes = info.memory_bytes,
            .cache_bytes = info.cache_bytes,
            .timer_tick_seconds = info.timer_tick_seconds,
            .settings = std::move(settings)};
}

std::vector<double> Timing::round_medians() const {
    std::map<unsigned, std::vector<double>> rounds;
    for (std::size_t i = 0; i < samples.size(); ++i) rounds[round[i]].push_back(samples[i]);
    std::vector<double> medians;
    for (auto& [number, values] : rounds) medians.push_back(median_of(std::move(values)));
    return medians;
}

std::string Timing::uncertainty_text() const {
    return has_interval() ? fmt::format("±{:.1f} %", 100 * estimate.half_width()) : "n=1";
}

bool is_agreement(std::string_view against) {
    return !against.empty() && !against.starts_with("reference") && against != expected_data;
}

std::string agreement_remark(std::string_view what) {
    return fmt::format(
        "{} has no reference: answers were compared with another run's, which proves agreement, "
        "not truth.",
        what);
}

void add_ceiling_doubt(Record& record) {
    const bool is_copy = record.share.of == "copy";
    // A cache is faster than memory, and copying on a CPU uses one core.
    const bool is_explained =
        is_copy && record.timing && (record.timing->in_cache || record.where.pci.empty());
    const auto type = element_type_named(record.key.type);
    const bool has_own = is_copy || (type && has_ceiling(*type));
    const double possible = has_own && !(record.ceiling.others_use > disturbed_ceiling)
                                ? possible_share
                                : possible_share_of_rough;
    if (!record.timing || is_explained || !(record.share.share > possible)) return;
    Doubt found{
        DoubtKind::beyond_ceiling,
        fmt::format(
            "it does {:.3g} times what the device's own {} do at most. It leaves out work, the "
            "model of its work counts too much, or the ceiling was disturbed.",
            record.share.share, is_copy ? "copies" : "fused multiply-adds")};
    std::erase_if(record.doubts, [&](const Doubt& one) { return one.sentence == found.sentence; });
    record.doubts.push_back(std::move(found));
}

bool Record::counts_operations() const {
    return share.of == "fma" || (share.of.empty() && !work.moves_much());
}

std::string Record::rate_text() const {
    const bool by_operations = counts_operations();
    const double done = by_operations ? work.operations : work.bytes;
    if (!timing || done <= 0) return {};
    const ElementType type = element_type_named(key.type).value_or(ElementType::f32);
    return rate(done / seconds(), rate_unit(by_operations, type));
}

bool one_physical_device(const DeviceRecord& a, const DeviceRecord& b) {
    if (!a.uuid.empty() && !b.uuid.empty()) return a.uuid == b.uuid;
    return !a.pci.empty() && a.pci == b.pci;
}

std::vector<std::pair<std::string, std::string>> facts_of(const Record& record) {
    const DeviceRecord& where = record.where;
    std::vector<std::pair<std::string, std::string>> facts{
        {"device", where.name},
        {"entry", record.device},
        {"platform", known(where.platform)},
        {"vendor", known(where.vendor)},
        {"uuid", known(where.uuid)},
        {"pci", known(where.pci)},
        {"api", known(where.api)},
        {"driver", known(where.driver)},
        {"compiler", known(where.compiler)},
        {"compute_capability", known(where.compute_capability)},
        {"compute_units", fmt::format("{}", where.compute_units)},
        {"timer tick", fmt::format("{:.4g} us", 1e6 * where.timer_tick_seconds)},
    };
    if (record.timing) {
        facts.emplace_back("max_sm_clock_mhz", known(record.after.max_sm_clock_mhz));
        facts.emplace_back("memory_clock_mhz", known(record.after.memory_clock_mhz));
        facts.emplace_back("power_limit_watts", known(record.after.power_limit_watts));
        facts.emplace_back("ecc", known(record.after.ecc));
    }
    facts.emplace_back("program", record.run.program_version);
    for (const auto& [name, value] : record.run.environment) facts.emplace_back(name, value);
    return facts;
}

bool is_broken_on_purpose(const Record& record) {
    return !record.program.edits.empty() && record.program.edits.front().starts_with(broken_edit);
}

bool is_of_the_suite(const Record& record) {
    if (!record.program.edits.empty()) return false;
    const auto suite = std::ranges::find(suites(), record.key.suite, &Suite::name);
    if (suite == suites().end()) return true;
    const auto variant = std::ranges::find(suite->variants, record.key.variant, &Variant::name);
    if (variant != suite->variants.end() && variant->floats) return true;
    return record.program.floats == FloatRules{};
}

}  // namespace parallax
