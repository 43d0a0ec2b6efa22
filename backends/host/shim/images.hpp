// Textures and surfaces for cuda.hpp, which includes it: an object is the address of an image, and
// the lowest bits of a texture are its sampler.
#pragma once

#include "halves.hpp"

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace parallax_host {

inline const Image& image_behind(unsigned long long object) {
    return *reinterpret_cast<const Image*>(object & ~15ull);
}

/// A decoded sampler.
struct Sampler {
    bool is_normalized, is_linear;
    unsigned address;  ///< 0: clamp to edge, 1: zeros outside, 2: repeat, 3: mirrored repeat
};
inline Sampler sampler_of(unsigned long long object) {
    return {(object & 1) != 0, (object & 8) != 0, static_cast<unsigned>(object >> 1 & 3)};
}

/// The texel index for a coordinate among `count`; below 0: outside, where there are zeros.
inline long long held(long long at, long long count, unsigned address) {
    if (address == 2) return (at % count + count) % count;
    if (address == 3) {
        at = (at % (2 * count) + 2 * count) % (2 * count);
        return at < count ? at : 2 * count - 1 - at;
    }
    if (address == 1) return at < 0 || at >= count ? -1 : at;
    return at < 0 ? 0 : at < count ? at : count - 1;
}

/// A channel of a texel; missing channels and texels outside are 0.
template <class N>
N number_at(const Image& image, long long x, long long y, long long z, int channel) {
    if (x < 0 || y < 0 || z < 0 || channel >= image.channels) return 0;
    const char* const at =
        image.texels +
        (((z * (image.height ? image.height : 1) + y) * image.width + x) * image.channels +
         channel) *
            image.channel_bytes;
    const auto read = [&](auto zero) {
        __builtin_memcpy(&zero, at, sizeof zero);
        return zero;
    };
    if (image.format == 1)
        return static_cast<N>(float_of_half(read(static_cast<unsigned short>(0))));
    if (image.is_floating) return static_cast<N>(read(0.0f));
    if (image.channel_bytes == 4) return image.is_signed ? read(0) : static_cast<N>(read(0u));
    int whole = 0;
    if (image.channel_bytes == 2) {
        whole =
            image.is_signed ? read(static_cast<short>(0)) : read(static_cast<unsigned short>(0));
    } else {
        whole = image.is_signed ? read(static_cast<signed char>(0))
                                : read(static_cast<unsigned char>(0));
    }
    if (image.format < 2) return static_cast<N>(whole);
    const int most = (1 << (8 * image.channel_bytes - (image.format == 2 ? 0 : 1))) - 1;
    const float share = static_cast<float>(whole) / static_cast<float>(most);
    return static_cast<N>(share < -1 ? -1 : share);
}

/// A texel, or one number, from a function that returns a channel.
template <class T, class F>
T texel_of(F number) {
    if constexpr (!__is_class(T)) {
        return number(T(0), 0);
    } else {
        T texel;
        using N = decltype(texel.x);
        texel.x = number(N(0), 0);
        if constexpr (sizeof(T) > sizeof(N)) texel.y = number(N(0), 1);
        if constexpr (sizeof(T) > 2 * sizeof(N)) {
            texel.z = number(N(0), 2);
            texel.w = number(N(0), 3);
        }
        return texel;
    }
}

/// Coordinates on one axis: two neighbours, and the weight of the second.
struct Axis {
    long long first, second;
    float part;
};
inline Axis axis_of(float at, long long count, const Sampler& sampler) {
    // As OpenCL C and CUDA define it: from 0 to 1 first, without a rounding.
    if (sampler.address == 2) at -= __builtin_floorf(at);
    if (sampler.address == 3) at = __builtin_fabsf(at - 2 * __builtin_rintf(0.5f * at));
    if (sampler.is_normalized) at *= static_cast<float>(count);
    if (sampler.is_linear) at -= 0.5f;
    const float whole = __builtin_floorf(at);
    const auto place = static_cast<long long>(whole);
    return {held(place, count, sampler.address), held(place + 1, count, sampler.address),
            sampler.is_linear ? at - whole : 0};
}

/// Where `is_layered`, `z` is an index in any case.
template <class T>
T sampled(unsigned long long object, float x, float y, float z, bool is_layered) {
    const Image& image = image_behind(object);
    const Sampler sampler = sampler_of(object);
    const Axis ax = axis_of(x, image.width, sampler), ay = axis_of(y, image.height, sampler);
    Axis az{0, 0, 0};
    if (is_layered) {
        az.first = az.second = held(static_cast<long long>(z), image.depth, 0);
    } else if (image.depth > 0) {
        az = axis_of(z, image.depth, sampler);
    }
    return texel_of<T>([&](auto zero, int channel) {
        using N = decltype(zero);
        if (!sampler.is_linear) {
            return number_at<N>(image, ax.first, ay.first, az.first, channel);
        }
        float sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const bool far_x = corner & 1, far_y = corner & 2, far_z = corner & 4;
            const float weight = (far_x ? ax.part : 1 - ax.part) * (far_y ? ay.part : 1 - ay.part) *
                                 (far_z ? az.part : 1 - az.part);
            if (weight == 0) continue;
            sum += weight * number_at<float>(image, far_x ? ax.second : ax.first,
                                             far_y ? ay.second : ay.first,
                                             far_z ? az.second : az.first, channel);
        }
        return static_cast<N>(sum);
    });
}

/// Writes outside are ignored, whatever the mode.
template <class T>
void stored(T word, unsigned long long object, int x_bytes, int y, int z) {
    const Image& image = image_behind(object);
    const long long row = 1ll * image.width * image.channels * image.channel_bytes;
    const int height = image.height ? image.height : 1, depth = image.depth ? image.depth : 1;
    if (x_bytes < 0 || x_bytes + static_cast<long long>(sizeof(T)) > row || y < 0 || y >= height ||
        z < 0 || z >= depth) {
        return;
    }
    __builtin_memcpy(image.texels + (1ll * z * height + y) * row + x_bytes, &word, sizeof word);
}

}  // namespace parallax_host

template <class T>
T tex1Dfetch(cudaTextureObject_t object, int at) {
    const parallax_host::Image& image = parallax_host::image_behind(object);
    const long long x = at < image.width ? at : -1;
    return parallax_host::texel_of<T>([&](auto zero, int channel) {
        return parallax_host::number_at<decltype(zero)>(image, x, 0, 0, channel);
    });
}
template <class T>
T tex2D(cudaTextureObject_t object, float x, float y) {
    return parallax_host::sampled<T>(object, x, y, 0, false);
}
template <class T>
T tex3D(cudaTextureObject_t object, float x, float y, float z) {
    return parallax_host::sampled<T>(object, x, y, z, false);
}
template <class T>
T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
    return parallax_host::sampled<T>(object, x, y, static_cast<float>(layer), true);
}
template <class T>
void surf2Dwrite(T word, cudaSurfaceObject_t object, int x_bytes, int y,
                 cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    parallax_host::stored(word, object, x_bytes, y, 0);
}
template <class T>
void surf3Dwrite(T word, cudaSurfaceObject_t object, int x_bytes, int y, int z,
                 cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    parallax_host::stored(word, object, x_bytes, y, z);
}
template <class T>
void surf2DLayeredwrite(T word, cudaSurfaceObject_t object, int x_bytes, int y, int layer,
                        cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    parallax_host::stored(word, object, x_bytes, y, layer);
}
