// The documents that published figures are from.
#pragma once

#include "studies/published/published.hpp"

namespace parallax::documents {

inline constexpr Document architecture{
    .author = "NVIDIA",
    .title = "\"OpenCL Programming for the CUDA Architecture\", version 2.3",
    .date = "2009-08-31",
};
inline constexpr Document introduction{
    .author = "V. Kindratenko, The American University in Cairo",
    .title = "\"Introduction to GPU Programming (part IV)\"",
    .date = "December 2010",
};
inline constexpr Document overview{
    .author = "T. Stich, NVIDIA",
    .title = "\"Programming in OpenCL\"",
    .date = "no date",
};
inline constexpr Document optimization{
    .author = "NVIDIA",
    .title = "\"OpenCL Optimization\"",
    .date = "no date",
};
inline constexpr Document course_page{
    .author = "author not named",
    .title = "a page of a course on CUDA, without a title, that times the smoothing of an image",
    .date = "no date",
};

}  // namespace parallax::documents
