// The prelude's reads of images, without a sampler, at integer coordinates.
#include "mapping/prelude/prelude_functions.hpp"

namespace parallax {
namespace {

// The coordinates tell the dimension. A texture unit takes those of two dimensions as floats, which
// hold every coordinate that an image can have.
constexpr PlainFunction functions[] = {
    {"read_imagef",
     R"(__device__ inline float4 read_imagef(cudaTextureObject_t image, int2 at) {
    return tex2D<float4>(image, at.x, at.y);
}
__device__ inline float4 read_imagef(cudaTextureObject_t image, int at) {
    return tex1Dfetch<float4>(image, at);
}
)"},
    {"read_imagei",
     R"(__device__ inline int4 read_imagei(cudaTextureObject_t image, int2 at) {
    return tex2D<int4>(image, at.x, at.y);
}
__device__ inline int4 read_imagei(cudaTextureObject_t image, int at) {
    return tex1Dfetch<int4>(image, at);
}
)"},
    {"read_imageui",
     R"(__device__ inline uint4 read_imageui(cudaTextureObject_t image, int2 at) {
    return tex2D<uint4>(image, at.x, at.y);
}
__device__ inline uint4 read_imageui(cudaTextureObject_t image, int at) {
    return tex1Dfetch<uint4>(image, at);
}
)"},
};

}  // namespace

std::span<const PlainFunction> image_functions() {
    return functions;
}

}  // namespace parallax
