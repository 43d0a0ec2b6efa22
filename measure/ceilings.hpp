// What a device can do at most, measured before its cases.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "measure/setup.hpp"
#include "records/record.hpp"

namespace parallax {

/// Ceilings of a device, by element type.
using Ceilings = std::map<ElementType, Ceiling>;

/// The suite that measures ceilings; null: there is none.
const Suite* suite_of_ceilings();

/// How many cases measured_ceilings() runs for these types.
std::size_t ceiling_count(const std::set<ElementType>&);

/// Measures copying, launching and, for each floating type, fused multiply-adds.
/// @param device  asked before each case, as one may ruin it; null: it could not be opened again,
/// and the cases are run to say so
/// @param run  measures a case of the suite
Ceilings measured_ceilings(const std::function<Device*()>& device, const DeviceInfo&,
                           const std::set<ElementType>&, const RunContext&,
                           const std::function<Record(const Case&)>& run);

/// The ceilings of the types that these records of one device stand for.
Ceilings ceilings_from(const std::vector<Record>& records, const std::set<ElementType>&);

}  // namespace parallax
