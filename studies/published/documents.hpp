// The documents that published figures are from.
#pragma once

#include "studies/published/published.hpp"

namespace parallax::documents {

inline constexpr Publication architecture{
    "NVIDIA", "\"OpenCL Programming for the CUDA Architecture\", version 2.3", "2009-08-31"};
inline constexpr Publication introduction{"V. Kindratenko, The American University in Cairo",
                                          "\"Introduction to GPU Programming (part IV)\"",
                                          "December 2010"};
inline constexpr Publication overview{"T. Stich, NVIDIA", "\"Programming in OpenCL\"", "no date"};
inline constexpr Publication optimization{"NVIDIA", "\"OpenCL Optimization\"", "no date"};
inline constexpr Publication course_page{
    "author not named",
    "a page of a course on CUDA, without a title, that times the smoothing of an image", "no date"};

}  // namespace parallax::documents
