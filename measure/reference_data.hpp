// Inputs and expected results of a case, computed once and shared by variants and devices.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.hpp"
#include "common/process/thread_pool.hpp"
#include "common/suite/suite.hpp"
#include "measure/reference_provider.hpp"
#include "records/record.hpp"

namespace parallax {

/// The inputs of one case, and the expected outputs.
struct ReferenceData {
    std::vector<HostArray> inputs;
    std::vector<Expected> expected;
    /// The origin of `expected`: `reference`, `reference kernel` or `command`, `expected data`, the
    /// device that computed it (`opencl:0`), or `itself`: another run on the verified device.
    std::string against;
    std::uint64_t bytes() const;
};

/// The reference's name where a manifest names a program for it.
inline constexpr const char* reference_command = "reference command";

/// Keeps the reference data that were asked for last, up to a number of bytes. Thread-safe.
class ReferenceCache {
public:
    /// @param limit_bytes  host memory for the cache; one entry is always kept
    explicit ReferenceCache(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

    /// The reference data of this case, shared with other variants of the same problem.
    /// @param device  id of the verified device: a suite without a reference uses another one
    /// @throws what the reference provider throws
    std::shared_ptr<const ReferenceData> get(const Case&, const InputPattern&, std::uint64_t seed,
                                             std::string_view device = {});
    /// Recomputes the reference of such a suite for these inputs; for a captured launch, on its own
    /// side (ReferenceProvider).
    std::vector<Expected> answered_again(const Case& c, const std::vector<HostArray>& inputs,
                                         std::string_view device) const {
        if (!reference_provider_) throw UsageError("no device computes its reference");
        return reference_provider_->answers(c, inputs, device);
    }
    /// Lets a pool compute reference data that will be requested.
    void ask(ThreadPool&, const Case&, const InputPattern&, std::uint64_t seed,
             std::string_view device = {});

    /// Sets the provider for suites without a reference; the first one stays.
    void set_reference_provider(std::shared_ptr<ReferenceProvider> reference_provider) {
        if (!reference_provider_) reference_provider_ = std::move(reference_provider);
    }

private:
    using Made = std::shared_ptr<OnceFuture<std::shared_ptr<const ReferenceData>>>;
    struct Entry {
        std::string key;
        Made reference_data;
        bool was_used = false;  ///< or requested, and will be used
    };
    Made ordered(const Case&, const InputPattern&, std::uint64_t seed, std::string_view device,
                 bool& is_new);
    void forget_oldest();

    std::uint64_t limit_;
    std::shared_ptr<ReferenceProvider> reference_provider_;
    std::mutex mutex_;
    std::list<Entry> entries_;  // most recently used first
};

}  // namespace parallax
