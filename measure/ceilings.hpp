// What a device can do at most, measured before its cases.
#pragma once

#include <functional>
#include <map>
#include <optional>
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
/// @param device  null: it could not be opened; the cases are run, to say so, and come to nothing
/// @param run  measures a case of the suite
Ceilings measured_ceilings(Device* device, const DeviceInfo&, const std::set<ElementType>&,
                           const RunContext&, const std::function<Record(const Case&)>& run);

/// The ceilings of the types that these records stand for.
/// @param records  of one device, all of them `ok`
Ceilings ceilings_from(const std::vector<Record>& records, const std::set<ElementType>&);

/// Ceilings that earlier commands measured. Implementations may keep them where they like.
class CeilingShelf {
public:
    CeilingShelf() = default;
    CeilingShelf(const CeilingShelf&) = delete;
    CeilingShelf& operator=(const CeilingShelf&) = delete;
    virtual ~CeilingShelf() = default;

    /// The newest records for this device as it is now, one for each of these cases' variant and
    /// type; empty where one is missing, too old, or of another driver, clock or program.
    virtual std::vector<Record> find(const DeviceInfo&, const std::set<ElementType>&) = 0;
    virtual void keep(const std::vector<Record>&) = 0;
};

}  // namespace parallax
