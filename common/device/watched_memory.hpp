// What a device that looks for races is told of a buffer.
#pragma once

namespace parallax {

/// What the memory of such a device is besides.
class WatchedMemory {
public:
    WatchedMemory() = default;
    WatchedMemory(const WatchedMemory&) = delete;
    WatchedMemory& operator=(const WatchedMemory&) = delete;

    /// From now on any of several stores to an element may be the last one: that no order decides
    /// which is no race. A load of what others store still is.
    void take_any_store() { takes_any_store_ = true; }
    bool takes_any_store() const { return takes_any_store_; }

protected:
    ~WatchedMemory() = default;

private:
    bool takes_any_store_ = false;
};

}  // namespace parallax
