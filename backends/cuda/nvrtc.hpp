// CUDA's run-time compiler, loaded when it is first needed, so that the program starts without it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::cuda {

/// What came out of one compilation.
struct NvrtcOutput {
    bool ok = false;
    std::string
        status;         ///< NVRTC's name for the result: `NVRTC_SUCCESS`, `NVRTC_ERROR_COMPILATION`
    std::string cubin;  ///< machine code; empty for a virtual architecture (`compute_90`)
    std::string ptx;
    std::string log;
};

/// Whether NVRTC is told to use no cache. Since 12.9 it takes what it compiled before from the
/// driver's: such code comes without the assembler's report, and of 13.0 it may be of other float
/// rules. Who wants to see what a cache saves says so. Source: NVRTC's guide, "Caching".
/// @param cache_disable  the environment's CUDA_CACHE_DISABLE
bool must_refuse_cache(int major, int minor, std::string_view cache_disable);

/// The compiler, or the reason why there is none. It needs no driver and no device.
class Nvrtc {
public:
    /// Looks for it: the file that the environment variable PARALLAX_NVRTC names, and nothing else
    /// if it is set; what the loader finds by name (`libnvrtc.so.13`, ...); lib64 and lib of
    /// CUDA_PATH; the tree that the program lies in; the toolkit that it was built with;
    /// /usr/local/cuda.
    /// Never throws for what is not there. A process that nobody watches lets another one load it
    /// first: it may end that, or never answer.
    static Nvrtc find();

    bool available() const { return library_ != nullptr; }
    /// Why it is not available and how to get it, in full sentences; empty when it is.
    const std::string& problem() const { return problem_; }

    /// The file; empty when not available, as are the next two.
    std::string path() const;
    /// `13.0`
    std::string version() const;
    /// The architectures that it compiles for, ascending: 90 is compute capability 9.0.
    std::vector<int> architectures() const;

    /// Compiles `text`; it must be available. `name` stands for the file in messages.
    /// @throws UsageError when text or options hold a zero byte, DeviceError when NVRTC refuses to
    /// start; what it says of the text is in the result.
    NvrtcOutput compile(const std::string& text, const std::string& name,
                        std::span<const std::string> options) const;

private:
    struct Library;
    static Nvrtc load();
    std::shared_ptr<const Library> library_;
    std::string problem_;
};

/// The compiler of this program, looked for once.
const Nvrtc& nvrtc();

}  // namespace parallax::cuda
