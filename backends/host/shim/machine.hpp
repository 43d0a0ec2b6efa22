// The interface between the host backend and a compiled kernel.
#pragma once

namespace parallax_host {

/// Functions of the backend for a kernel; called by a work-item.
struct Machine {
    void (*wait_for_group)();
    void (*wait_for_warp)(unsigned mask);  ///< for the lanes of the mask
    /// Waits until no lane of the warp can go on. @returns the lanes that wait at the same place
    unsigned (*active_lanes)();
    void (*yields)();                      ///< other work-items may run here
    void (*stop)(const char* why);         ///< ends the launch, which has failed
    void (*lacks)(const char* what);       ///< the same: a requested function is missing
    /// The same: an access outside of allowed memory, at this code address.
    void (*outside)(const char* does, unsigned long bytes, const void* place);
    /// Announce an access to ordinary memory, or to memory that other work-items may change
    /// meanwhile: atomic functions and volatile memory.
    /// @param place  code address, @param retries  it may be repeated until another work-item
    /// continues
    void (*loads)(const void* at, unsigned long bytes, const void* place);
    void (*stores)(const void* at, unsigned long bytes, const void* place);
    void (*synchronizes)(const void* at, unsigned long bytes, bool retries);
    /// Sets the rounding of numbers: 0 to nearest, 1 down, 2 up, 3 towards zero.
    void (*round)(int way);
};

/// An image, row after row.
struct alignas(16) Image {
    char* texels;
    int width, height, depth;  ///< 0: no such extent
    int channels, channel_bytes;
    int format;  ///< 0: numbers as they are, 1: half, 2: from 0 to 1, 3: from -1 to 1
    bool is_signed, is_floating;
};

/// A kernel's description of one of its parameters.
struct Parameter {
    unsigned bytes;
    bool is_floating;
};

}  // namespace parallax_host
