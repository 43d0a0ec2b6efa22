// What the host's backend and a kernel that it has compiled tell each other.
#pragma once

namespace parallax_host {

/// What the backend gives to a kernel. The functions are to be called by an item.
struct Machine {
    void (*wait_for_group)();
    void (*wait_for_warp)(unsigned mask);  ///< for the lanes of the mask
    void (*stop)(const char* why);         ///< ends the launch, which has failed
    void (*lacks)(const char* what);       ///< the same: nothing here does what it asks for
    /// The same: of an access outside of memory that it may touch, at this place of its code.
    void (*outside)(const char* does, unsigned long bytes, const void* place);
    /// Of an access that is about to be made, of plain memory or of what other items may change
    /// meanwhile: atomic functions and volatile memory.
    /// @param place  of the code, @param retries  it may be one of many until another item goes on
    void (*loads)(const void* at, unsigned long bytes, const void* place);
    void (*stores)(const void* at, unsigned long bytes, const void* place);
    void (*synchronizes)(const void* at, unsigned long bytes, bool retries);
    /// From now on numbers are rounded so: 0 to the nearest, 1 down, 2 up, 3 towards zero.
    void (*round)(int way);
};

/// An image, its rows one after the other.
struct alignas(16) Image {
    char* texels;
    int width, height, depth;  ///< 0: it has no such extent
    int channels, channel_bytes;
    int format;  ///< 0: numbers as they are, 1: half, 2: from 0 to 1, 3: from -1 to 1
    bool is_signed, is_floating;
};

/// What a kernel says of one of its parameters.
struct Parameter {
    unsigned bytes;
    bool is_floating;
};

}  // namespace parallax_host
