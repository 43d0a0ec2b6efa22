// Images, which kernels read through texture objects.
#pragma once

#include "mapping/table/row.hpp"

namespace parallax::row_lists {

inline constexpr Row kernel_images[] = {
    {"<__read_only |read_only |>image2d_t", "cudaTextureObject_t",
     "CUDA's is a number that stands for texels and for how they are read; the host makes both at "
     "once. OpenCL takes an image without a qualifier for one that is read only.", nearly,
     "tex2D, read_imagef, image read"},
    {"<__read_only |read_only |>image1d_buffer_t", "cudaTextureObject_t",
     "The texels of a buffer. CUDA has one type for images of any dimension: a wrong one is "
     "noticed by nobody.", nearly},
    {"read_imagef($, $)", "=",
     "The prelude's: tex2D<float4> for (int2)(x, y), tex1Dfetch<float4> for one int. Outside of "
     "the image OpenCL leaves it open what is read, and CUDA clamps: keep the coordinates "
     "inside. What the format has not is 0, and 1 for the fourth.", nearly},
    {"read_imagei($, $)", "=",
     "The prelude's: tex2D<int4> or tex1Dfetch<int4>, for images of signed integers.", nearly},
    {"read_imageui($, $)", "=",
     "The prelude's: tex2D<uint4> or tex1Dfetch<uint4>, for images of unsigned integers.", nearly},
};

}  // namespace parallax::row_lists
