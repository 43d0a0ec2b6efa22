// Shared by suites that multiply matrices: inputs, reference and work.
#pragma once

#include <cstdint>
#include <vector>

#include "common/suite/suite.hpp"

namespace parallax {

/// left * right, row-major: left has rows x depth elements, right depth x columns.
///
/// Column-major matrices are row-major transposes: a = b * c is then transposed(a) = transposed(c)
/// * transposed(b), so left is c and right is b.
struct ProductSizes {
    std::uint64_t rows, columns, depth;
};

/// Two arrays of `first` and `second` elements. Of the edge cases, `denormals` and `one nan` change
/// the first of them, `infinity` the second.
std::vector<HostArray> product_inputs(ElementType, std::uint64_t first, std::uint64_t second,
                                      const InputPattern&, std::uint64_t seed);

std::vector<InputPattern> hostile_products();

/// Sides from 128 to 4096, and one non-square shape.
std::vector<Shape> product_shapes();

/// A fused multiply-add rounds once for each product of an element.
Tolerance product_tolerance(const ProductSizes&);

/// The product in a wider type, row-major, and the magnitudes.
std::vector<Expected> product_answer(const HostArray& left, const HostArray& right,
                                     const ProductSizes&);

/// Every element moved once.
Work product_work(ElementType, const ProductSizes&);

}  // namespace parallax
