// The shelf: kept records, and which of several stands for a case.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// Records of any runs and devices. Pointers into it hold as long as nothing is added.
class Shelf {
public:
    void add(Record record);

    /// The records of a suite's variant, in the order in which they were added.
    std::vector<const Record*> of(std::string_view suite, std::string_view variant) const;

private:
    std::map<std::pair<std::string, std::string>, std::vector<Record>, std::less<>> records_;
};

/// The record that speaks for a case among those of one device: rather one that was measured than
/// one that was not, rather at the size that is wanted, and of these the newest (of equally new
/// ones the last). Null: there are none.
/// @param size  extents that are wanted; empty: any
const Record* best_of(const std::vector<const Record*>&,
                      const std::vector<std::uint64_t>& size = {});

/// The value of a constant in a record of a case; nothing: the record is from before the suite had
/// it.
std::optional<std::int64_t> constant_in(const CaseKey&, std::string_view constant);

/// The `.jsonl` files of a folder in order, or the file itself. @throws UsageError
std::vector<std::filesystem::path> result_files(const std::filesystem::path&);

}  // namespace parallax
