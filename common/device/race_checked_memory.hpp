// Options of a buffer on a device that detects races.
#pragma once

namespace parallax {

/// Additional interface of a race-checking device's memory.
class WatchedMemory {
public:
    WatchedMemory() = default;
    WatchedMemory(const WatchedMemory&) = delete;
    WatchedMemory& operator=(const WatchedMemory&) = delete;

    /// From now on concurrent stores to an element are no race, whichever is last. A load that
    /// races with a store still is.
    void take_any_store() { takes_any_store_ = true; }
    bool takes_any_store() const { return takes_any_store_; }

protected:
    ~WatchedMemory() = default;

private:
    bool takes_any_store_ = false;
};

}  // namespace parallax
