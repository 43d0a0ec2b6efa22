// Computes references on devices, for suites without a host reference.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/devices.hpp"
#include "common/suite/suite.hpp"
#include "measure/binding.hpp"
#include "measure/device_handle.hpp"

namespace parallax {

/// Fills a reference run's outputs and scratch. Verification uses other poisons, so an unwritten
/// element differs.
inline constexpr std::byte witness_poison{0x5a};

/// Computes references on devices. Thread-safe. A suite with a reference kernel uses it on the
/// first capable device; a suite without one uses the same kernel on the first other compared
/// device that supports it, or a second run where there is none. A captured launch is repeated on
/// the first OpenCL device, of the compared ones or of all.
class ReferenceProvider {
public:
    /// @param compared    the verified devices
    /// @param references  devices for reference kernels, in order; called once, when needed. None:
    /// those that are compared
    /// @param program_of  returns the program of a case on a backend
    /// @param base  RunConfig::base
    ReferenceProvider(std::vector<Entry> compared, std::function<std::vector<Entry>()> references,
                      std::function<Program(const Case&, std::string_view backend)> program_of,
                      const Variant* base = nullptr);
    ~ReferenceProvider();

    /// The origin of the reference: `reference kernel`, a device's id, or `itself`.
    /// @param device  id of the verified device; empty: the first compared one
    /// @throws Error when no device can compute it
    std::string name_for(const Case&, std::string_view device);

    /// The reference for each compared buffer of the case's plan.
    /// @param inputs  for each initialised buffer
    /// @throws Error with the device that ran it; UsageError or Unsupported where the verified
    /// device refuses as well, or every device refuses the reference kernel
    std::vector<Expected> answers(const Case&, const std::vector<HostArray>& inputs,
                                  std::string_view device);

private:
    struct ReferenceRunner;
    /// Whether another kernel, the base, gives the answers.
    bool is_compared_with_base(const Case&) const;
    /// The case that computes the reference: of the reference kernel or the base, where there is
    /// one.
    Case case_to_run(const Case&) const;
    ReferenceRunner& runner_for(const Case&, std::string_view device);
    /// Own side of a captured launch: OpenCL.
    void put_own_side_first(std::vector<Entry>& candidates);
    /// @throws Error
    std::unique_ptr<ReferenceRunner> try_to_build(const Entry&, const Case&);
    std::vector<Expected> answers_of(ReferenceRunner&, const Case&,
                                     const std::vector<HostArray>& inputs);

    std::mutex mutex_;  ///< one reference at a time: devices are not thread-safe
    std::vector<Entry> compared_;
    std::function<std::vector<Entry>()> find_references_;
    std::vector<Entry> references_;
    std::function<Program(const Case&, std::string_view backend)> program_of_;
    const Variant* base_;
    std::map<std::string, DeviceHandle> opened_;  ///< by id, shared by all references
    std::map<std::string, std::unique_ptr<ReferenceRunner>, std::less<>> runners_;
    /// Missing capabilities by device id: another device is used instead.
    std::map<std::string, std::map<std::string, std::exception_ptr>> refusals_;
};

}  // namespace parallax
