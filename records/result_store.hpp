// The result store: finds the records of a case, and selects one of several.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// The key with the constants that its suite got later, with the variant's default values. Keys of
/// unknown suites stay unchanged.
CaseKey completed(CaseKey);

/// Whether a stored case matches: by suite and variant, and by type, shape and constants as far as
/// `wanted` has them.
bool is_case(const CaseKey& kept, const CaseKey& wanted);

/// Constants of a stored case that `wanted` does not have and that differ from the suite's and the
/// variant's defaults.
Constants unusual_constants(const CaseKey& kept, const CaseKey& wanted);

/// Number of elements of a problem.
double size_of_problem(const std::vector<std::uint64_t>& shape);

/// Records of one or several cases.
using Records = std::vector<const Record*>;

/// Records of any runs and devices. Pointers into it are valid until a record is added.
class ResultStore {
public:
    void add(Record record);

    /// The records of a case, in the order in which they were added.
    Records of(const CaseKey& wanted) const;

private:
    std::map<std::pair<std::string, std::string>, std::vector<Record>> records_;
};

/// Which of several records represents a case.
enum class SelectionPolicy {
    /// For results: prefers measured ones, then the wanted size, then few unusual constants, then
    /// the largest size, then the newest run, then the last one.
    best,
    /// For comparisons, which must not miss an error: prefers wrong, then failed, measured,
    /// unsupported and skipped; of equal ones the last.
    worst
};

/// The representative of a case among the records of one device. Null: there are none.
/// @param wanted  the requested case; its shape is the size that the best one has, empty: any
const Record* chosen(const Records&, SelectionPolicy, const CaseKey& wanted = {});

/// The size at which most of several cases have a measured record; the largest of equal ones.
/// Empty: nothing was measured.
std::vector<std::uint64_t> common_size(const std::vector<Records>& of_each_case);

/// The `.jsonl` files of a folder, sorted, or the file itself; if missing, the installed ones with
/// that name. @throws UsageError
std::vector<std::filesystem::path> result_files(const std::filesystem::path&);

/// All records of FOLDER/*/*.jsonl, file by file.
/// @throws UsageError when the folder or a file in it cannot be read
std::vector<Record> records_of_devices(const std::filesystem::path& folder);

}  // namespace parallax
