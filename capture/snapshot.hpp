// A launch of OpenCL, and its contents before and after.
#pragma once

#include <span>

#include "capture/keep.hpp"

namespace parallax::capture {

/// One launch as requested by the program.
struct LaunchCall {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    const std::size_t *offset, *global, *local;
    cl_uint waits;
    const cl_event* wait_list;
};

/// Keeps the contents of a launch of OpenCL.
class Snapshot final : public LaunchContents {
public:
    /// Collects the data of a launch; the mutex must be held. `why_not`: the reason why it cannot
    /// be captured.
    Snapshot(const LaunchCall&, const KernelObject&, const QueueObject&);
    ~Snapshot() override;
    /// The launch has this event, which it releases.
    void launched(cl_event event) { event_ = event; }
    std::string wait() override;
    void before() override;
    void wait_for_end() override;
    std::string after() override;
    std::vector<std::string> files(bool with_after) const override;
    std::uint64_t bytes() const override;

private:
    struct Buffer {
        cl_mem memory = nullptr;
        std::byte* shared = nullptr;  ///< instead: its start in clSVMAlloc memory
        std::uint64_t bytes = 0;
        std::string before, after;
        /// Read-only for kernels according to the program.
        bool is_read_only = false;
        std::optional<std::size_t> same_as;  ///< an earlier argument
        std::optional<ImageForm> image;
    };
    struct Item {
        const KernelArgument argument;
        std::optional<Buffer> buffer;
        std::optional<SamplerForm> sampler;
    };
    /// The source with the compiler's answers filled in, and the macros on which it depends, as
    /// options.
    struct Decided {
        std::vector<std::string> words;
        std::string source;
    };
    Decided decided_source(const BuildOptions&) const;
    /// Builds a kernel of the layer's own on the program's device, and runs it over the range of a
    /// launch; its only argument gets `answer`. @returns whether that could be
    bool ask_device(const std::string& source, const std::string& options, const LaunchCall& range,
                    std::span<std::byte> answer) const;
    bool may_wait_for_program() const;
    void choose_local();
    std::array<std::size_t, 3> look();
    Store::Reader reader_of(const Buffer&);
    std::string read(const Buffer&);
    std::string read_before(const Buffer&);
    std::string read_after(const Buffer&);
    /// An argument of the manifest, with what the launch left.
    nlohmann::ordered_json json_of(Item&);

    LaunchCall call_;
    KernelObject kernel_;
    QueueObject queue_;
    std::vector<Item> items_;
    std::vector<std::uint64_t> offset_;
    std::string local_from_;
    cl_event event_ = nullptr;
};

}  // namespace parallax::capture
