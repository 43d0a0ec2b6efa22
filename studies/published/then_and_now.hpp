// A row of published results as one table: then, now, and whether the published order still holds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/result_store.hpp"
#include "studies/published/published.hpp"

namespace parallax {

/// A device, and the API that it was reached by.
struct DeviceAndApi {
    std::string device, backend;
    bool operator==(const DeviceAndApi&) const = default;
    std::string title() const;  ///< `NVIDIA H100 80GB HBM3, opencl`
};

/// Today's records, and the choice of one for a published case.
class Today {
public:
    /// Leaves out records of other kernels than the suites' own.
    explicit Today(std::vector<Record> records);

    /// Devices and APIs with records: ordered by device, OpenCL before CUDA.
    const std::vector<DeviceAndApi>& places() const { return places_; }

    /// The best record of the case (records/result_store.hpp), of the suite's first type. A case
    /// without a shape gets the one that most of `together` have a record of on this device. Null:
    /// there is no record.
    const Record* best(const CaseKey&, const DeviceAndApi&,
                       std::span<const CaseKey> together) const;

private:
    /// All records of the case on the device, of any shape.
    Records all_of(CaseKey, const std::string& device) const;

    ResultStore store_;
    std::vector<DeviceAndApi> places_;
};

/// Whether a published gain still holds.
enum class Kept {
    kept,      ///< a gain, of at least `kept_share` of what it bought; or no difference, as then
    smaller,   ///< still a gain
    gone,      ///< no gain any more
    reversed,  ///< the other way round
    gain,      ///< there was none, and there is one
    loss       ///< there was no difference, and it is slower
};
std::string_view name_of(Kept);

/// A ratio of two times nearer to 1 than this is none.
inline constexpr double no_difference = 1.05;
/// A factor is kept when today's has this share of what the published one has above 1.
inline constexpr double kept_share = 0.5;

/// @param published  of several sources the smallest gain; nothing: a gain without a number
/// @param today      above 0
Kept judge(std::optional<double> published, double today);

/// The speedup according to one source.
struct PublishedFactor {
    std::string source;            ///< the device, or `in words`
    std::optional<double> factor;  ///< as PublishedStep::factor
    std::string text;              ///< `1.36x`
};

/// The factor on every device for which both cases have a published result; or the stated one.
std::vector<PublishedFactor> published_factors(const Claim&, const PublishedStep&);

/// One source's entry in a line.
struct ThenNowCell {
    std::string figure = {};        ///< of the faster case: `24.8 GB/s`; empty: there is none
    std::string factor = {};        ///< over the slower one: `22.5x`; empty: not compared
    std::optional<Kept> kept = {};  ///< of a place, where both cases were measured
};

/// A case, or the one that it is compared with.
struct ThenNowLine {
    const Claim* claim;
    std::string what;  ///< `naive`, `naive -> tiled`
    bool compares = false;
    std::vector<ThenNowCell> then, now;
};

/// All that is shown of a row.
struct ThenAndNow {
    const PublishedRow* row = nullptr;
    std::vector<std::string> sources;  ///< of `then`: `GeForce GTX 280`, `in words`
    std::vector<DeviceAndApi> places;  ///< of `now`: those that have a record of any line
    std::vector<ThenNowLine> lines;
    std::vector<std::string> also;      ///< published results without a row
    std::vector<std::string> failures;  ///< why a case has no result today
    std::vector<std::string> references;

    /// `kept`, or `2 kept; 1 reversed; 1 not measured`; empty: nothing of the claim was measured.
    std::string outcome(const Claim&, const DeviceAndApi&) const;
};

ThenAndNow then_and_now(const PublishedRow&, const Today&);

}  // namespace parallax
