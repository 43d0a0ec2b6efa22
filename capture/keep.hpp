// Decides which launches are kept, and keeps their contents before and after: the same for both
// APIs.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "capture/state.hpp"

namespace parallax::capture {

/// The contents of one launch of either API. The mutex is held while it is made, and not later.
class LaunchContents {
public:
    LaunchContents() = default;
    LaunchContents(const LaunchContents&) = delete;
    LaunchContents& operator=(const LaunchContents&) = delete;
    virtual ~LaunchContents() = default;

    const std::string& why_not() const { return why_not_; }  ///< it cannot be kept; empty: it can
    const std::string& key() const { return key_; }          ///< identifies the work
    const std::string& form() const { return form_; }        ///< of this, all but values
    const std::vector<std::uint64_t>& global() const { return global_; }
    const std::vector<std::uint64_t>& local() const { return local_; }
    /// Waits until the launch could begin, and the device does nothing for it.
    /// @returns why that may wait for the program itself; empty: the launch can be kept
    virtual std::string wait() = 0;
    /// Reads the buffers.
    virtual void before() = 0;
    /// Waits for the launch's end. @throws std::exception
    virtual void wait_for_end() = 0;
    /// Reads the buffers again; writes the case, and returns its name.
    virtual std::string after() = 0;
    /// The files of the initial contents, or of all.
    virtual std::vector<std::string> files(bool with_after) const = 0;
    virtual std::uint64_t bytes() const = 0;  ///< of the initial contents

protected:
    /// Keeps the first reason.
    void cannot(std::string_view why_not) {
        if (why_not_.empty()) why_not_ = why_not;
    }
    std::string key_, form_, why_not_;
    std::vector<std::uint64_t> global_, local_;
};

/// The digits of bytes, as a manifest's `hex` has them.
std::string hex(const std::vector<std::byte>&);
/// Writes a case's manifest, which claims a name like this one. @returns the name
std::string write_case(const std::string& wanted, nlohmann::ordered_json&);

/// Information about a launch before it is passed on.
struct Noted {
    std::shared_ptr<Tally> tally;
    std::shared_ptr<Kind> kind;  ///< a part of the tally; if it is late, only once it has a case
    bool is_first = false;       ///< of the kernel
    std::unique_ptr<LaunchContents> contents;  ///< to be kept
};

// The mutex must be held.
void leave_out(Noted&, const std::string& reason);
/// Gives up keeping a launch. @param stays  the reason is permanent
void let_go(Noted&, const std::string& reason, bool stays);
/// Chooses whether `contents` are kept. @param number  of the launch in the program
void choose(Noted&, std::uint64_t number);
/// Counts a launch that was passed on. @returns the sum that gets its time
Sum& count(Noted&);

// The mutex must not be held.
/// Takes what the launch begins with, if it is to be kept.
/// @param alone  holds other snapshots back until the launch has been taken
void take_before(Noted&, std::unique_lock<std::mutex>& alone);
/// Takes what the launch left. @param commands  of the program when it was noted
void take_after(Noted&, std::uint64_t commands);

}  // namespace parallax::capture
