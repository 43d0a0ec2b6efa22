// Inputs and right answers of a case, made once and shared by variants and devices.
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

/// The inputs of one case, and what must come out.
struct ReferenceData {
    std::vector<HostArray> inputs;
    std::vector<Expected> expected;
    /// Where `expected` is from: `reference`, `reference kernel` or `command`, `expected data`, the
    /// device that is witness (`opencl:0`), or `itself`: another run on the device whose answers
    /// are checked.
    std::string against;
    std::uint64_t bytes() const;
};

/// That of right answers from a program that a manifest names.
inline constexpr const char* reference_command = "reference command";

/// Keeps the reference data that were asked for last, up to a number of bytes. Thread-safe.
class ReferenceCache {
public:
    /// @param limit_bytes of host memory to keep for later; one reference data is always kept
    explicit ReferenceCache(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

    /// The reference data of this case, shared with the other variants of the same problem.
    /// @param device  id of the one whose answers are to be checked: a suite without a reference
    ///                has another one answer for it
    /// @throws what the witness throws
    std::shared_ptr<const ReferenceData> get(const Case&, const InputPattern&, std::uint64_t seed,
                                             std::string_view device = {});
    /// What answers for such a suite says once more to these inputs; of a captured launch, what its
    /// own side says (ReferenceProvider).
    std::vector<Expected> answered_again(const Case& c, const std::vector<HostArray>& inputs,
                                         std::string_view device) const {
        if (!reference_provider_) throw UsageError("nobody answers for it");
        return reference_provider_->answers(c, inputs, device);
    }
    /// Lets a pool make a reference data that will be asked for.
    void ask(ThreadPool&, const Case&, const InputPattern&, std::uint64_t seed,
             std::string_view device = {});

    /// Who answers for suites without a reference; the first to be set stays.
    void set_reference_provider(std::shared_ptr<ReferenceProvider> reference_provider) {
        if (!reference_provider_) reference_provider_ = std::move(reference_provider);
    }

private:
    using Made = std::shared_ptr<OnceFuture<std::shared_ptr<const ReferenceData>>>;
    struct Entry {
        std::string key;
        Made reference_data;
        bool was_used = false;  ///< or is asked for, and will be
    };
    Made ordered(const Case&, const InputPattern&, std::uint64_t seed, std::string_view device,
                 bool& is_new);
    void forget_oldest();

    std::uint64_t limit_;
    std::shared_ptr<ReferenceProvider> reference_provider_;
    std::mutex mutex_;
    std::list<Entry> entries_;  // the one used last is in front
};

}  // namespace parallax
