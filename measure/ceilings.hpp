// Measures the peak rates of a device before its cases (roofline ceilings).
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

/// Host seconds for the batches of a ceiling, so that shares of it are precise to 1 %.
inline constexpr double ceiling_seconds = 0.3;

/// The suite that measures ceilings; null: there is none.
const Suite* suite_of_ceilings();

/// The types whose ceilings the cases need: their own, and `float` for a user's kernel that counts
/// operations of a type without a ceiling.
std::set<ElementType> ceiling_types(const std::vector<Case>&);

/// The measured ceilings of these types: copy bandwidth, launch time and, for each floating type,
/// fused multiply-adds. The shapes are open.
std::vector<Case> ceiling_cases(const std::set<ElementType>&);

/// Callbacks that measure ceilings.
struct CeilingTaker {
    /// The device, requested before each case, as one may corrupt it; null: it could not be
    /// reopened, and the cases are run to report that.
    std::function<Device*()> device;
    std::function<Record(const Case&)> run;   ///< measures a case of the suite
    std::function<void(const Record&)> take;  ///< receives one that an earlier run stored
};

/// What a study that measures its ceilings first learns of them.
struct CeilingListener {
    std::function<void()> begin = {};              ///< called before each one is measured
    std::function<void(const Case&)> tell = {};    ///< of known shape, before it is timed
    std::function<void(const Record&)> keep = {};  ///< each, also one that an earlier run stored
};

/// Builds ahead what has to be measured of ceiling_cases(): before all else, as it comes first.
void ask_ceilings(MeasurementContext&, DeviceSession&, const std::set<ElementType>&,
                  const RunInfo&);

/// One of ceiling_cases(): loaded from the store (measure/kept_ceilings.hpp), or measured and
/// stored.
Record measured_ceiling(const Case&, const DeviceInfo&, const RunConfig&, const RunInfo&,
                        const CeilingTaker&);
/// All of them, one after the other; a failed device is reopened.
Ceilings measured_ceilings(const MeasurementContext&, DeviceSession&, const std::set<ElementType>&,
                           double most_seconds, const RunInfo&, const CeilingListener&);

/// The ceilings of these types, from the records of one device.
Ceilings ceilings_from(const std::vector<Record>& records, const std::set<ElementType>&);

}  // namespace parallax
