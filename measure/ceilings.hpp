// What a device can do at most, measured before its cases.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "measure/measurement_context.hpp"
#include "records/record.hpp"

namespace parallax {

/// Ceilings of a device, by element type.
using Ceilings = std::map<ElementType, Ceiling>;

/// Host seconds for the batches of a ceiling that others are a share of: shares are said to a
/// hundredth.
inline constexpr double ceiling_seconds = 0.3;

/// The suite that measures ceilings; null: there is none.
const Suite* suite_of_ceilings();

/// What is measured for these types: copying, launching and, for each floating type, fused
/// multiply-adds. The shapes are open.
std::vector<Case> ceiling_cases(const std::set<ElementType>&);

/// Who measures ceilings.
struct CeilingTaker {
    /// The device, asked before each case, as one may ruin it; null: it could not be opened again,
    /// and the cases are run to say so.
    std::function<Device*()> device;
    std::function<Record(const Case&)> run;   ///< measures a case of the suite
    std::function<void(const Record&)> take;  ///< gets one that is kept from an earlier run
};

/// One of ceiling_cases(): what an earlier run has kept (measure/kept_ceilings.hpp), else measured
/// and kept.
Record measured_ceiling(const Case&, const DeviceInfo&, const RunConfig&, const RunInfo&,
                        const CeilingTaker&);
/// All of them.
Ceilings measured_ceilings(const DeviceInfo&, const std::set<ElementType>&, const RunConfig&,
                           const RunInfo&, const CeilingTaker&);

/// The ceilings of the types that these records of one device stand for.
Ceilings ceilings_from(const std::vector<Record>& records, const std::set<ElementType>&);

}  // namespace parallax
