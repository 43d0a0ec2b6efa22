// Images, which kernels read through texture objects and write through surface objects.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_images[] = {
    {"<__read_only |read_only |>image2d_t", "cudaTextureObject_t",
     "CUDA's is a number that stands for texels and for how they are read; the host makes both at "
     "once. OpenCL takes an image without a qualifier for one that is read only.", nearly,
     "tex2D, read_imagef, image read"},
    {"<__read_only |read_only |>image1d_buffer_t", "cudaTextureObject_t",
     "The texels of a buffer. CUDA has one type for images of any dimension: a wrong one is "
     "noticed by nobody.", nearly},
    {"read_imagef($, $)", "=",
     "The prelude's: tex2D<float4> for (int2)(x, y), tex1Dfetch<float4> for one int. Outside of "
     "the image OpenCL leaves it open what is read, and CUDA clamps two coordinates but not the "
     "one of a buffer: keep them inside. A channel that the format has not is 0, the fourth 1: "
     "CUDA's gives 0 there, so where a text reads it, sampled_imagef puts it right.", nearly,
     "@tex2D, @tex1Dfetch"},
    {"read_imagei($, $)", "=",
     "The prelude's: tex2D<int4> or tex1Dfetch<int4>, for images of signed integers.", nearly,
     "@tex2D, @tex1Dfetch"},
    {"read_imageui($, $)", "=",
     "The prelude's: tex2D<uint4> or tex1Dfetch<uint4>, for images of unsigned integers.", nearly,
     "@tex2D, @tex1Dfetch"},
    {"<__read_only |read_only |__write_only |write_only |>image<3d|2d_array>_t", "<Image3d|Image2dArray>",
     "The prelude's: a texture object for each way of reading, a surface object for writing, and "
     "the sizes. Where a text has samplers, writes images or asks for their sizes, image2d_t is "
     "such a thing as well: Image2d.", nearly, "tex3D, tex2DLayered, texture array"},
    {"<__write_only|write_only> image2d_t", "Image2d", "As image3d_t.", nearly,
     "surface object, cudaSurfaceObject_t"},
    {"sampler_t", "unsigned int",
     "CUDA's samplers are parts of texture objects: here it is the number of one of those that "
     "the host made of the image.", nearly, "sampler, cudaTextureDesc"},
    {"CLK_NORMALIZED_COORDS_<FALSE|TRUE>", "<0u|1u>", "A part of the number."},
    {"CLK_ADDRESS_<NONE|CLAMP_TO_EDGE|CLAMP|REPEAT|MIRRORED_REPEAT>", "<0u|0u|2u|4u|6u>",
     "A part of the number. Outside of the image CLAMP_TO_EDGE reads the nearest texel, CLAMP CUDA's "
     "border, which is 0, and the last two the image again.", same,
     "cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror"},
    {"CLK_FILTER_<NEAREST|LINEAR>", "<0u|8u>",
     "A part of the number. How finely neighbours are weighed is the device's: 1/256 on NVIDIA's.",
     nearly, "cudaFilterModePoint, cudaFilterModeLinear"},
    {"read_image<f|i|ui>($, $, $)", "sampled_image<f|i|ui>($, $, $)",
     "The prelude's: tex2D, tex3D or tex2DLayered of the texture object that the sampler names.",
     nearly, "@tex2D, @tex3D, tex2DLayered"},
    {"write_image<f|i|ui>($, $, $)", "=",
     "The prelude's: surf2Dwrite, surf3Dwrite or surf2DLayeredwrite, which write bytes: the texel "
     "is put into the image's format first. OpenCL leaves open how a number between two steps of a "
     "normalized format is rounded: 0.5 in 8 bits is 127 on NVIDIA's and 128 here. What lies "
     "outside is left out, and OpenCL leaves it open what becomes of it: keep the coordinates "
     "inside.", nearly, "@surf2Dwrite, @surf3Dwrite, surf2DLayeredwrite"},
    {"get_image_<width|height|depth>($)", "=", "The prelude's: CUDA's objects do not tell.", nearly,
     "@"},
    {"get_image_array_size($)", "=", "The prelude's, as the width.", nearly, "@"},
    {"get_image_dim($)", "=",
     "The prelude's: (int2)(width, height), and of an image3d_t (int4)(width, height, depth, 0).",
     nearly, "@"},
    {"image1d_t", "",
     "It is not translated. Use an image2d_t of height 1, with (int2)(x, 0) or (float2)(x, 0.5f) "
     "in place of x.", none,
     "one-dimensional image, CL_MEM_OBJECT_IMAGE1D"},
    {"image1d_array_t", "",
     "It is not translated. Use an image2d_array_t of height 1, with (int4)(x, 0, layer, 0) in "
     "place of (int2)(x, layer).", none},
    {"image*_msaa_t, image*_msaa_depth_t", "",
     "CUDA has no images of several samples. Copy each sample into a layer of an image2d_array_t.",
     none},
    {"image*_depth_t", "",
     "It is not translated. Use the image without depth, of one channel of float, and read its "
     "first component.", none},
    {"image*_t", "",
     "It is no image that is translated. Use image2d_t, image3d_t, image2d_array_t or "
     "image1d_buffer_t.", none},
    {"read_write, __read_write", "",
     "An image that a kernel reads and writes is not translated. Read one image and write another.",
     none},
    {"read_only, write_only, __read_only, __write_only", "",
     "It belongs in front of an image2d_t, image3d_t, image2d_array_t or image1d_buffer_t that it "
     "fits: of a buffer's texels only read_only is translated.", none},
    {"read_imageh(), write_imageh()", "",
     "Images of half are not translated by this name. Use read_imagef or write_imagef, which take "
     "such images as well.", none},
    {"get_image_channel_order(), get_image_channel_data_type(), get_image_num_*()", "",
     "CUDA's objects do not tell, and neither does the prelude. Pass it as an argument.", none},
    {"read_image*(), write_image*(), get_image_*(), CLK_NORMALIZED_*, CLK_ADDRESS_*, "
     "CLK_FILTER_*", "", "OpenCL C has no such name for images, or none that is translated.",
     none},
};

}  // namespace parallax::row_lists
