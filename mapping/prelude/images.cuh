// Reads of images without a sampler, at integer coordinates. The coordinates tell the dimension. A
// texture unit takes those of two dimensions as floats, which hold every coordinate that an image
// can have.
// == read_imagef(float4) read_imagei(int4) read_imageui(uint4): each
__device__ inline BASE NAME(cudaTextureObject_t image, int2 at) {
    return tex2D<BASE>(image, at.x, at.y);
}
__device__ inline BASE NAME(cudaTextureObject_t image, int at) {
    return tex1Dfetch<BASE>(image, at);
}
// What a kernel is given of an image where its text has samplers, writes images or asks for their
// sizes: the host makes a texture object for each way of reading. CUDA's writes and reads of
// surfaces know bytes only, so the format is told as well.
// == Image
struct Image {
    // By a sampler's bits: 1 normalized, 2 zeros outside, 4 repeated, 6 mirrored, 8 linear.
    cudaTextureObject_t textures[16];
    cudaSurfaceObject_t surface;
    int width, height, depth;
    int channels, channel_bytes;
    // 0: numbers as they are, 1: half, 2: from 0 to 1, 3: from -1 to 1
    int format;
};
// == Image1dBuffer Image2d Image3d Image2dArray: needs Image
struct Image1dBuffer : Image {};
struct Image2d : Image {};
struct Image3d : Image {};
struct Image2dArray : Image {};
// OpenCL promises 1 for a fourth channel that there is not; a texture gives 0.
// == whole_texel: needs Image
template <class Texel>
__device__ inline Texel whole_texel(const Image& image, Texel texel) {
    if (image.channels < 4) texel.w = 1;
    return texel;
}
// A texture unit takes coordinates as floats, but for layers.
// == sampled_imagef(float4) sampled_imagei(int4) sampled_imageui(uint4): each; needs Image2d,
//    whole_texel
template <class At>
__device__ inline BASE NAME(const Image2d& image, unsigned int sampler, At at) {
    return whole_texel(image, tex2D<BASE>(image.textures[sampler], at.x, at.y));
}
template <class At>
__device__ inline BASE NAME(const Image3d& image, unsigned int sampler, At at) {
    return whole_texel(image, tex3D<BASE>(image.textures[sampler], at.x, at.y, at.z));
}
__device__ inline BASE NAME(const Image2dArray& image, unsigned int sampler, float4 at) {
    const int layer = min(max(__float2int_rn(at.z), 0), image.depth - 1);
    return whole_texel(image, tex2DLayered<BASE>(image.textures[sampler], at.x, at.y, layer));
}
__device__ inline BASE NAME(const Image2dArray& image, unsigned int sampler, int4 at) {
    const int layer = min(max(at.z, 0), image.depth - 1);
    return whole_texel(image, tex2DLayered<BASE>(image.textures[sampler], at.x, at.y, layer));
}
template <class Kind, class At>
__device__ inline BASE NAME(const Kind& image, At at) {
    return NAME(image, 0u, at);
}
__device__ inline BASE NAME(const Image1dBuffer& image, int at) {
    return whole_texel(image, tex1Dfetch<BASE>(image.textures[0], at));
}
// Bytes of a texel, which surfaces are written by; writes outside are left out. OpenCL leaves it
// open what they do.
// == store_texel store_word: needs Image2d
template <class Word>
__device__ inline void store_word(const Image2d& image, int2 at, Word word) {
    surf2Dwrite(word, image.surface, at.x * int(sizeof(Word)), at.y, cudaBoundaryModeZero);
}
template <class Word>
__device__ inline void store_word(const Image3d& image, int4 at, Word word) {
    surf3Dwrite(word, image.surface, at.x * int(sizeof(Word)), at.y, at.z, cudaBoundaryModeZero);
}
template <class Word>
__device__ inline void store_word(const Image2dArray& image, int4 at, Word word) {
    if (at.z < 0 || at.z >= image.depth) return;
    surf2DLayeredwrite(word, image.surface, at.x * int(sizeof(Word)), at.y, at.z,
                       cudaBoundaryModeZero);
}
template <class Kind, class At>
__device__ inline void store_texel(const Kind& image, At at, uint4 bits) {
    const int size = image.channels * image.channel_bytes;
    if (image.channel_bytes == 1) {
        bits.x = (bits.x & 0xffu) | (bits.y & 0xffu) << 8 | (bits.z & 0xffu) << 16 | bits.w << 24;
    } else if (image.channel_bytes == 2) {
        bits.x = (bits.x & 0xffffu) | bits.y << 16;
        bits.y = (bits.z & 0xffffu) | bits.w << 16;
    }
    if (size == 16) {
        store_word(image, at, bits);
    } else if (size == 8) {
        store_word(image, at, make_uint2(bits.x, bits.y));
    } else if (size == 4) {
        store_word(image, at, bits.x);
    } else if (size == 2) {
        store_word(image, at, (unsigned short)bits.x);
    } else {
        store_word(image, at, (unsigned char)bits.x);
    }
}
// == channel_bits: needs Image
__device__ inline unsigned int channel_bits(const Image& image, float value) {
    if (image.format == 0) return __float_as_uint(value);
    if (image.format == 1) {
        unsigned short bits;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
        return bits;
    }
    // A NaN becomes 0.
    const int most = (1 << (8 * image.channel_bytes - (image.format == 2 ? 0 : 1))) - 1;
    const int least = image.format == 2 ? 0 : -most - 1;
    const int nearest = value == value ? __float2int_rn(value * most) : 0;
    return (unsigned int)min(max(nearest, least), most);
}
// == write_imagef: needs store_texel, channel_bits
template <class Kind, class At>
__device__ inline void write_imagef(const Kind& image, At at, float4 texel) {
    store_texel(image, at,
                make_uint4(channel_bits(image, texel.x), channel_bits(image, texel.y),
                           channel_bits(image, texel.z), channel_bits(image, texel.w)));
}
// Integers that the format does not hold become the nearest that it holds.
// == write_imagei: needs store_texel
template <class Kind, class At>
__device__ inline void write_imagei(const Kind& image, At at, int4 texel) {
    const int high = int(0x7fffffffu >> (32 - 8 * image.channel_bytes)), low = -high - 1;
    store_texel(image, at,
                make_uint4(min(max(texel.x, low), high), min(max(texel.y, low), high),
                           min(max(texel.z, low), high), min(max(texel.w, low), high)));
}
// == write_imageui: needs store_texel
template <class Kind, class At>
__device__ inline void write_imageui(const Kind& image, At at, uint4 texel) {
    const unsigned int high = 0xffffffffu >> (32 - 8 * image.channel_bytes);
    store_texel(image, at,
                make_uint4(min(texel.x, high), min(texel.y, high), min(texel.z, high),
                           min(texel.w, high)));
}
// == get_image_width get_image_height get_image_depth get_image_array_size: needs Image
__device__ inline int get_image_width(const Image& image) { return image.width; }
__device__ inline int get_image_height(const Image& image) { return image.height; }
__device__ inline int get_image_depth(const Image& image) { return image.depth; }
__device__ inline size_t get_image_array_size(const Image& image) { return image.depth; }
// == get_image_dim: needs Image2d
__device__ inline int2 get_image_dim(const Image& image) {
    return make_int2(image.width, image.height);
}
__device__ inline int4 get_image_dim(const Image3d& image) {
    return make_int4(image.width, image.height, image.depth, 0);
}
