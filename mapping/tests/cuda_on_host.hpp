// The CUDA text of a kernel file, compiled by the C++ compiler and run on the host.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mapping/tests/corpus.hpp"
#include "mapping/tests/corpus_data.hpp"

namespace parallax::corpus {

/// In which order the items of a group go on after each barrier. What a barrier should have kept
/// apart comes out differently.
enum class Order { ascending, descending };

/// One text, compiled into a shared object of its own and loaded.
class HostLibrary {
public:
    /// Compiles `text`, which holds these kernels. @throws Error with what the compiler says.
    HostLibrary(const std::string& text, const std::vector<std::string>& kernels);
    HostLibrary(HostLibrary&&) noexcept;
    ~HostLibrary();

    /// Runs a kernel on what `inputs_of` gives it; all of its buffers afterwards.
    /// @throws Error when it waits for items that do not come, leaves items waiting, or writes
    /// behind its dynamic local memory or a buffer.
    std::vector<Bytes> run(const Kernel& kernel, Order order) const;

private:
    struct Loaded;
    std::unique_ptr<Loaded> loaded_;
};

/// Whether the host has what a kernel needs; otherwise the reason.
std::string missing_on_host(const Kernel& kernel);

}  // namespace parallax::corpus
