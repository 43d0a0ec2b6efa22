// The result store: kept records, which of them are of a case, and which of several stands for it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// The key with the constants that its suite got after the key was written. They had the values
/// that the variant has unless told. Suites that this program does not have change nothing.
CaseKey completed(CaseKey);

/// Whether a kept case is the one that is wanted: by suite and variant, and by type, shape and
/// constants as far as `wanted` names them.
bool is_case(const CaseKey& kept, const CaseKey& wanted);

/// Constants of a kept case that `wanted` does not name and that have other values than the suite
/// and the variant give them.
Constants unusual_constants(const CaseKey& kept, const CaseKey& wanted);

/// Elements of a problem.
double size_of_problem(const std::vector<std::uint64_t>& shape);

/// Records of one case or of several.
using Records = std::vector<const Record*>;

/// Records of any runs and devices. Pointers into it hold as long as nothing is added.
class ResultStore {
public:
    void add(Record record);

    /// The records of a case, in the order in which they were added.
    Records of(const CaseKey& wanted) const;

private:
    std::map<std::pair<std::string, std::string>, std::vector<Record>> records_;
};

/// Which of several records stands for a case.
enum class SelectionPolicy {
    /// For who looks for figures: rather one that was measured, then one at the wanted size, then
    /// one with few unusual constants, then the largest, then that of the newest run, then the
    /// last.
    best,
    /// For who compares, and must not look away from an error: a wrong one before one that failed,
    /// before one that was measured, an unsupported and a skipped one; and of these the last.
    worst
};

/// The record that speaks for a case among those of one device. Null: there are none.
/// @param wanted  what was looked for; its shape is the size that the best one has, empty: any
const Record* chosen(const Records&, SelectionPolicy, const CaseKey& wanted = {});

/// The size at which most of several cases have a record that was measured; of several sizes the
/// largest. Empty: nothing was measured.
std::vector<std::uint64_t> common_size(const std::vector<Records>& of_each_case);

/// The `.jsonl` files of a folder in order, or the file itself; what is not here, of what was
/// installed with the program. @throws UsageError
std::vector<std::filesystem::path> result_files(const std::filesystem::path&);

/// All records of FOLDER/*/*.jsonl, file by file.
/// @throws UsageError when the folder or a file in it cannot be read
std::vector<Record> records_of_devices(const std::filesystem::path& folder);

}  // namespace parallax
