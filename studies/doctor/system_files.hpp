// A system's files as the doctor sees them, below a root that may be another system's.
#pragma once

#include <optional>

#include <sys/stat.h>

#include "studies/doctor/doctor.hpp"

namespace parallax {

/// Reads files below a root directory.
class SystemFiles {
public:
    explicit SystemFiles(const DoctorView& view);

    /// `/etc/x` below the root.
    std::filesystem::path at(std::string_view path) const;
    bool has(std::string_view path) const;
    /// The first bytes of a plain file; nothing: it cannot be read.
    std::optional<std::string> text(std::string_view path) const;
    /// Names in a folder, in order; none: it is not there.
    std::vector<std::string> names(std::string_view folder) const;
    /// The file that the loader would take for a library, given its name or the beginning of its
    /// name.
    std::optional<std::filesystem::path> library(std::string_view begin) const;
    /// Files of that whole name in the loader's folders, in order, each once.
    std::vector<std::filesystem::path> libraries(std::string_view name) const;
    /// The variable's value; nothing: it is not set.
    std::optional<std::string> variable(const char* name) const;
    /// Whether files may be made in this folder, or the folder itself where it is not there.
    bool may_be_made(const std::string& folder) const;
    /// Why a device file cannot be opened: `mode` (its rights), `refused` (a scheduler or a
    /// container keeps it away); empty: it can.
    std::string why_closed(std::string_view path) const;

private:
    /// @param wanted  of the last three bits: read, write, enter
    bool has_rights(const struct stat&, mode_t wanted) const;
    void add_folders(std::string_view list);

    const DoctorView& view_;
    std::vector<std::filesystem::path> library_folders_;
};

/// Shared state of the parts of an examination.
struct Examination {
    SystemFiles files;
    DoctorReport report = {};
    std::vector<unsigned> device_files = {};  ///< N of `/dev/nvidiaN`

    void find(std::string_view api, std::string_view name, std::string what, std::string cure,
              bool keeps_away = true);
};

/// A value as messages show it.
std::string shown_value(std::string_view text);
/// Without blanks and line ends around it.
std::string stripped(std::string_view text);
/// The number that a text begins with.
std::optional<unsigned> number_in(std::string_view text);
/// The words between commas.
std::vector<std::string> listed(std::string_view text);

void look_at_driver(Examination&);
void look_at_opencl(Examination&);
void look_at_cuda(Examination&);
void look_at_mps(Examination&);

}  // namespace parallax
