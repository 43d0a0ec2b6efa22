// Gives recorded CUDA launches the source of their kernels from the user's files.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "records/line.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax {

/// A recorded launch as a manifest with the kernel's source.
struct SourcedLaunch {
    Json json;
    std::map<std::string, std::string> texts;  ///< files of the manifest that are not on the disk
    std::string why_no_opencl;                 ///< empty: it has the OpenCL C, too
    std::string from;                          ///< the file with the kernel
    std::string also;                          ///< another one that defines it; empty: none
};

/// The kernels of the user's CUDA files, by their names in machine code.
class RecordedSources {
public:
    /// @param folders  which includes may read in addition
    /// @throws UsageError, Refused for a file that cannot be read; Unsupported without clang
    RecordedSources(const CudaSources&, const std::vector<std::filesystem::path>& folders);
    ~RecordedSources();

    /// The manifests that can take the place of a recorded one, the best first: the CUDA source
    /// with its translation, and the CUDA source alone. None: no file defines the kernel.
    /// @param manifest  with machine code
    /// @param folder  it is in
    std::vector<SourcedLaunch> launches(const Json& manifest, const std::filesystem::path& folder);

private:
    struct File;
    struct Found;
    const Found* find(const std::string& mangled);

    const CudaSources given_;
    std::vector<File> files_;
    std::map<std::string, std::unique_ptr<Found>> known_;  ///< by recorded names; null: in no file
};

}  // namespace parallax
