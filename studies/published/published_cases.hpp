// The records of today that a claim or an experiment speaks of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "studies/published/published_claims.hpp"
#include "studies/published/published_records.hpp"

namespace parallax::cli {

/// Whether each constant of `some` has the same value in `all`, where that has one of the name.
bool agrees(const std::vector<Constant>& some, const std::vector<Constant>& all);

/// The variant that a case names, as it is; nothing: there is no such suite or variant.
std::optional<Circumstances> circumstances_of(const ClaimedCase&);

/// Finds records of cases that are compared with each other: what says no shape gets the one that
/// most of them have.
class CasesToday {
public:
    CasesToday(const TodaysRecords& records, const std::vector<ClaimedCase>& together);

    /// Null: there is none that was measured.
    const Today* on(const TodaysRecords::Where&, const ClaimedCase&) const;

    /// How many times as fast `fast` is as `slow`, by the work that each does in a second; nothing:
    /// one has no record, or they cannot be compared, since sizes or constants that neither names
    /// differ.
    std::optional<double> faster(const TodaysRecords::Where&, const ClaimedCase& slow,
                                 const ClaimedCase& fast) const;

private:
    /// With a shape, where any record has one.
    std::optional<Circumstances> circumstances(const ClaimedCase&, const std::string& device) const;

    const TodaysRecords& records_;
    std::vector<Circumstances> together_;
};

/// Bytes a second, or operations where it moves none.
double speed_of(const Today&);

/// `NVIDIA H100 80GB HBM3, opencl`
std::string title_of(const TodaysRecords::Where&);

/// `GROUP=512 GROUPS=60`
std::string in_words(const std::vector<Constant>&);

/// `matvec/warp GROUP=512 1100x100000`, without what is empty.
std::string in_words(const ClaimedCase&, const std::vector<std::uint64_t>& shape);

double size_of_problem(const std::vector<std::uint64_t>& shape);

}  // namespace parallax::cli
