// An open device with a queue of cases that are verified in the background.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "measure/ceilings.hpp"
#include "measure/measurement_context.hpp"

namespace parallax {

/// A device that is opened once, and anew after an error. The pool checks cases to come on it, one
/// after the other; whoever times on it pauses the pool.
class DeviceSession {
public:
    /// @param context  whose pool ends before the device session
    DeviceSession(Entry of, MeasurementContext& context)
        : entry(std::move(of)), context_(context) {}
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
    Device& device();
    /// The same; null where it could not be opened again after an error.
    Device* device_or_null() { return is_lost_ ? nullptr : &device(); }
    /// Why it could not be opened again after an error: said once. Empty: nothing new.
    std::string take_trouble() { return std::exchange(trouble_, {}); }
    Ceiling ceiling_of(ElementType) const;
    /// How many times it was opened anew.
    unsigned generation() const { return generation_; }

    /// Lets the pool check a case, which somebody will take, after those that were asked for
    /// before. It is not checked, and skipped, where `is_worth_it` says no when its turn has come.
    void verify_ahead(const Case&, const std::function<bool()>& is_worth_it);
    /// Builds and checks: what the pool has made of it, else on the spot. A device that has failed
    /// is opened anew; without one the outcome is `failed`.
    VerifiedCase verify(const Case&, const std::function<bool()>& is_worth_it);
    /// Checks again where the device was opened anew since: code of the one before is of no use.
    void renew(VerifiedCase&);
    /// Opens the device anew: a context that has seen an error may be of no use any more. Checks
    /// and builds on it that are under way come to their end before; nobody else may use it
    /// meanwhile. Where it cannot be opened, and somebody watches, the run goes on in another
    /// process.
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
    std::shared_ptr<Device> device_;
    std::mutex in_use_;     ///< held while a case is checked, and while the device is opened anew
    bool is_lost_ = false;  ///< it could not be opened again
    std::string trouble_;
    unsigned generation_ = 0;

    std::mutex mutex_;  ///< of what follows
    std::deque<Asked> asked_;
    std::deque<Made> to_do_;
    bool is_checking_ = false;  ///< the pool has a job for this seat
};

}  // namespace parallax
