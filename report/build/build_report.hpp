// The output and the saved files of `parallax build` for a case and a device.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "studies/build/built_case.hpp"

namespace parallax {

/// One object on a line.
std::string build_json(const BuiltCase&);
/// One line's content: seconds for all kernels, or why there are none.
struct BuildLine {
    std::optional<double> seconds;
    std::string reason;
};
/// Nothing: it is no such line.
std::optional<BuildLine> read_build_json(std::string_view line);

/// A table of the kernels, and the compiler's log.
std::string build_text(const BuiltCase&);

/// Sources and code in files, named after kernel and backend; empty parts have no file.
class BuildFolder {
public:
    /// @throws UsageError when it cannot be made
    explicit BuildFolder(std::filesystem::path);

    /// @param backend   as the files are to name it
    /// @param language  how the name of the compiler's text ends: `cl`, `cu`
    /// @throws UsageError when one cannot be written
    void save(const BuiltKernel&, const std::string& backend, std::string_view language) const;

private:
    void write(const std::string& name, const std::string& text) const;

    std::filesystem::path path_;
};

}  // namespace parallax
