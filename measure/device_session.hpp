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

/// A device on which the pool verifies cases, one after the other, before they are timed. Code that
/// times on it pauses the pool. Created by MeasurementContext::add_session.
class DeviceSession {
public:
    DeviceSession(Entry of, MeasurementContext& context)
        : entry(std::move(of)), context_(context), handle_(entry, context.config.programs) {}
    DeviceSession(const DeviceSession&) = delete;
    DeviceSession& operator=(const DeviceSession&) = delete;

    /// A verified case, and the generation of the device.
    struct VerifiedCase {
        Outcome outcome;
        unsigned generation = 0;
    };

    const Entry entry;
    Ceilings ceilings;

    /// The device, opened if it is not. @throws DeviceError
    Device& device(const Opening& opening = {}) { return handle_.device(opening); }
    /// DeviceHandle::device_or_null
    Device* device_or_null() { return handle_.device_or_null(); }
    /// DeviceHandle::take_trouble
    std::string take_trouble() { return handle_.take_trouble(); }
    /// The ceiling of the case's type; of `float` for operations of a user's kernel without a type.
    Ceiling ceiling_of(const Case&) const;
    /// DeviceHandle::generation
    unsigned generation() const { return handle_.generation(); }

    /// Queues a case for verification by the pool; the caller will take it. It is skipped when
    /// `is_worth_it` returns false at its start.
    void verify_ahead(const Case&, const std::function<bool()>& is_worth_it);
    /// Builds and verifies a case, or takes the pool's result. A failed device is reopened first;
    /// without a device the outcome is `failed`.
    VerifiedCase verify(const Case&, const std::function<bool()>& is_worth_it);
    /// Verifies again where the device was reopened since: its code is invalid.
    void renew(VerifiedCase&);
    /// Times a verified case on its own; a failed device is reopened. The pool must be paused.
    /// @param most_seconds  for its batches, if that is less than the rule says
    /// @param quiet         RunConfig::quiet
    void time(Outcome&, double most_seconds, const std::function<void(bool timing)>& quiet = {});
    /// Derives the status of a case that failed while it was timed alternately: from verification,
    /// or from the exception, after which the device is reopened. Nothing of it may be in use.
    void fail(Outcome&, const std::exception_ptr&);
    /// Calls DeviceHandle::reopen after running verifications have ended.
    /// @param c, reason  the failed case, and why
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
    std::mutex in_use_;  ///< held while a case is verified or the device is reopened

    std::mutex mutex_;  ///< of the following members
    std::deque<Asked> asked_;
    std::deque<Made> to_do_;
    bool is_checking_ = false;  ///< the pool has a job for this session
};

}  // namespace parallax
