// An open device with a queue of cases that are verified in the background.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "measure/ceilings.hpp"
#include "measure/device_handle.hpp"
#include "measure/measurement_context.hpp"

namespace parallax {

/// A device that the pool verifies cases on, one after the other, before they are timed. Code that
/// times on it pauses the pool. MeasurementContext::add_session makes one.
class DeviceSession {
public:
    DeviceSession(Entry of, MeasurementContext& context)
        : entry(std::move(of)), context_(context), handle_(entry, context.config.programs) {}
    DeviceSession(const DeviceSession&) = delete;
    DeviceSession& operator=(const DeviceSession&) = delete;

    /// A case that was checked, and on which opening of the device.
    struct VerifiedCase {
        Outcome outcome;
        unsigned generation = 0;
    };

    const Entry entry;
    Ceilings ceilings;

    /// The device, opened if it is not. @throws DeviceError
    Device& device(Opening opening = Opening::timing) { return handle_.device(opening); }
    /// DeviceHandle::device_or_null
    Device* device_or_null() { return handle_.device_or_null(); }
    /// DeviceHandle::take_trouble
    std::string take_trouble() { return handle_.take_trouble(); }
    Ceiling ceiling_of(ElementType) const;
    /// DeviceHandle::generation
    unsigned generation() const { return handle_.generation(); }

    /// Lets the pool check a case, which somebody will take, after those that were asked for
    /// before. It is not checked, and skipped, where `is_worth_it` says no when its turn has come.
    void verify_ahead(const Case&, const std::function<bool()>& is_worth_it);
    /// Builds and checks: what the pool has made of it, else on the spot. A device that has failed
    /// is opened anew; without one the outcome is `failed`.
    VerifiedCase verify(const Case&, const std::function<bool()>& is_worth_it);
    /// Checks again where the device was opened anew since: code of the one before is of no use.
    void renew(VerifiedCase&);
    /// DeviceHandle::reopen, after verifications on it that are under way.
    /// @param c, reason  what has failed, and why
    void reopen(const Case& c, const std::string& reason);

private:
    using Made = std::shared_ptr<OnceFuture<VerifiedCase>>;
    struct Asked {
        Case the_case;
        Made made;
    };
    VerifiedCase build_and_verify_case(const Case&, const std::function<bool()>& is_worth_it);
    void reopen_in_use(const Case& c, const std::string& reason);
    void check_next();

    MeasurementContext& context_;
    DeviceHandle handle_;
    std::mutex in_use_;  ///< held while a case is verified, and while the device is opened again

    std::mutex mutex_;  ///< of what follows
    std::deque<Asked> asked_;
    std::deque<Made> to_do_;
    bool is_checking_ = false;  ///< the pool has a job for this session
};

}  // namespace parallax
