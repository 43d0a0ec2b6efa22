// CUDA's run-time compiler, loaded at its first use, so that the program starts without it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/text/path_sandbox.hpp"

namespace parallax::cuda {

/// The result of one compilation.
struct NvrtcOutput {
    bool ok = false;
    std::string
        status;         ///< NVRTC's name for the result: `NVRTC_SUCCESS`, `NVRTC_ERROR_COMPILATION`
    std::string cubin;  ///< machine code; empty for a virtual architecture (`compute_90`)
    std::string ptx;
    std::string log;
    std::map<std::string, std::string, std::less<>> symbols;  ///< by name expression
};

/// Whether NVRTC's cache must be disabled. Since 12.9 NVRTC reuses results from the driver's cache:
/// such code lacks the assembler's report, and with 13.0 it may have other float rules. A user can
/// enable the cache by the environment. Source: NVRTC's guide, "Caching".
/// @param cache_disable  the value of CUDA_CACHE_DISABLE
bool must_refuse_cache(int major, int minor, std::string_view cache_disable);

/// The compiler, or the reason why it is missing. It needs no driver and no device.
class Nvrtc {
public:
    /// Searches for it: only the file in the environment variable PARALLAX_NVRTC, if set; otherwise
    /// the loader's names (`libnvrtc.so.13`, ...), lib64 and lib of CUDA_PATH, the program's tree,
    /// the toolkit with which it was built, and /usr/local/cuda.
    /// Does not throw when it is missing. Without a supervisor another process loads it first,
    /// since it may crash or hang.
    static Nvrtc find();

    bool available() const { return library_ != nullptr; }
    /// Why it is missing and how to get it, in full sentences; empty when it is available.
    const std::string& problem() const { return problem_; }

    /// The file; empty when it is missing, as are the next two.
    std::string path() const;
    /// `13.0`
    std::string version() const;
    /// The architectures that it compiles for, ascending: 90 is compute capability 9.0.
    std::vector<int> architectures() const;

    /// Compiles `text`; the compiler must be available. `name` is the file's name in messages.
    /// @param name_expressions  kernels with C++ names, such as `saxpy<float, 256>`, to be
    /// instantiated
    /// @param reach  the files that it may open, as `confined` takes it
    /// @throws UsageError when text or options hold a zero byte, DeviceError when NVRTC fails to
    /// start; errors in the source are in the result.
    NvrtcOutput compile(const std::string& text, const std::string& name,
                        std::span<const std::string> options,
                        std::span<const std::string> name_expressions = {},
                        const std::optional<PathSandbox>& reach = {}) const;

private:
    struct Library;
    /// Null, and a reason more, where it cannot be used.
    static std::shared_ptr<const Library> open(const std::string& file, bool is_named,
                                               std::vector<std::string>& reasons);
    static Nvrtc load();
    std::shared_ptr<const Library> library_;
    std::string problem_;
};

/// The compiler of this program, located once.
const Nvrtc& nvrtc();

}  // namespace parallax::cuda
