// What `parallax build` shows and saves of a case that was built on a device.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/outcome.hpp"
#include "records/json_fwd.hpp"

namespace parallax::cli {

/// One kernel of the case on one device.
struct Built {
    std::string kernel;
    std::vector<double> build_seconds;  ///< each time that it was built
    std::shared_ptr<const Code> code;   ///< of the last time; none: it did not build
    std::optional<std::uint32_t> groups_per_unit;
    std::string text;  ///< what the compiler was given
    std::string log;
};

/// The case on one device.
struct BuiltOn {
    DeviceInfo device;
    Outcome outcome;  ///< status, reason
    std::vector<Built> kernels;
};

/// One object, as `--format json` prints it.
Json json_of(const BuiltOn&);

/// A table of the kernels, and what the compiler said.
void print(const BuiltOn&, std::ostream& out);

/// Texts and code in files, named after kernel and backend; what is empty leaves no file.
class BuildFolder {
public:
    /// @throws UsageError when it cannot be made
    explicit BuildFolder(std::filesystem::path);

    /// @param backend   as the files are to name it
    /// @param language  how the name of the compiler's text ends: `cl`, `cu`
    /// @throws UsageError when one cannot be written
    void save(const Built&, const std::string& backend, std::string_view language) const;

private:
    void write(const std::string& name, const std::string& text) const;

    std::filesystem::path path_;
};

}  // namespace parallax::cli
