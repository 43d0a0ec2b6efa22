// kernels: sparse::csr_spmv<int,double>
// groups: ceil(num_rows / items_x)
// num_rows: num_rows
// row_offsets: input num_rows + 1
// col_indices: input 8 * num_rows
// values: input 8 * num_rows
// x: input num_rows
// y: output num_rows
namespace sparse {
template <typename IndexType, typename ValueType = float>
__global__ void csr_spmv(const IndexType num_rows, const IndexType* row_offsets,
                         const IndexType* col_indices, const ValueType* values,
                         const ValueType* x, ValueType* y)
{
    const IndexType row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row >= num_rows) return;
    const auto row_begin = row_offsets[row];
    const auto row_end = row_offsets[row + 1];
    ValueType sum{};
    for (auto jj = row_begin; jj < row_end; ++jj) sum += values[jj] * x[col_indices[jj]];
    y[row] = sum;
}
}  // namespace sparse
