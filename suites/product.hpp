// What the suites that multiply matrices share: inputs, reference and work.
#pragma once

#include <cstdint>
#include <vector>

#include "common/suite/suite.hpp"

namespace parallax {

/// left * right for row after row: left of rows x depth elements, right of depth x columns.
///
/// Matrices that stand column after column are their transposes row after row: a = b * c is then
/// transposed(a) = transposed(c) * transposed(b), so left is c and right is b.
struct ProductSizes {
    std::uint64_t rows, columns, depth;
};

/// Two arrays of `first` and `second` elements. Of `hostile_products()`, `denormals` and `one nan`
/// change the first of them, `infinity` the second.
std::vector<HostArray> product_inputs(ElementType, std::uint64_t first, std::uint64_t second,
                                      const InputPattern&, std::uint64_t seed);

std::vector<InputPattern> hostile_products();

/// From sides of 128 to sides of 4096, and one that is not square.
std::vector<Shape> product_shapes();

/// A fused multiply-add rounds once for each product of an element.
Tolerance product_tolerance(const ProductSizes&);

/// The product in a wider type, row after row, and the magnitudes.
Expected product_reference(const HostArray& left, const HostArray& right, const ProductSizes&);

/// Every element moved once.
Work product_work(ElementType, const ProductSizes&);

}  // namespace parallax
