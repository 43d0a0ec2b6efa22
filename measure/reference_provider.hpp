// Right answers for suites that have no reference on the host: from runs on devices.
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

/// What a witness' outputs and scratch hold before it runs. Verification's poisons are others: an
/// element that is not written differs.
inline constexpr std::byte witness_poison{0x5a};

/// Devices that answer for others. Thread-safe. A suite with a reference kernel is answered for by
/// that kernel, on the first device that can; a suite without any, by the same kernel on the first
/// other device that is compared and takes it, or by a second run where there is no other. A
/// captured launch runs again on the first that is OpenCL's, of those that are compared or of all.
class ReferenceProvider {
public:
    /// @param compared    the devices whose answers are checked
    /// @param references  where reference kernels run, in order; asked once, when one is needed.
    ///                    None: on those that are compared
    /// @param program_of  what a case is built from
    ReferenceProvider(std::vector<Entry> compared, std::function<std::vector<Entry>()> references,
                      std::function<Program(const Case&)> program_of);
    ~ReferenceProvider();

    /// Who answers: `reference kernel`, a device's id, or `itself`.
    /// @param device  id of the one whose answers are checked; empty: the first that is compared
    /// @throws Error when nobody can
    std::string name_for(const Case&, std::string_view device);

    /// The answers, for each buffer of the case's plan that is compared.
    /// @param inputs  for each that is loaded
    /// @throws Error naming the device that was asked; UsageError or Unsupported where what is
    /// checked refuses it as well, or every device the reference kernel
    std::vector<Expected> answers(const Case&, const std::vector<HostArray>& inputs,
                                  std::string_view device);

private:
    struct ReferenceRunner;
    ReferenceRunner& runner_for(const Case&, std::string_view device);
    /// Of a captured launch: OpenCL.
    void put_own_side_first(std::vector<Entry>& candidates);
    /// @throws Error
    std::unique_ptr<ReferenceRunner> try_to_build(const Entry&, const Case&);
    std::vector<Expected> answers_of(ReferenceRunner&, const Case&,
                                     const std::vector<HostArray>& inputs);

    std::mutex mutex_;  ///< one answer at a time: devices are no place for several threads
    std::vector<Entry> compared_;
    std::function<std::vector<Entry>()> find_references_;
    std::vector<Entry> references_;
    std::function<Program(const Case&)> program_of_;
    std::map<std::string, DeviceHandle> opened_;  ///< by id, one for all answers
    std::map<std::string, std::unique_ptr<ReferenceRunner>, std::less<>> runners_;
    /// What each device, by id, has not got for an answer: another one is asked in its place.
    std::map<std::string, std::map<std::string, std::exception_ptr>> refusals_;
};

}  // namespace parallax
