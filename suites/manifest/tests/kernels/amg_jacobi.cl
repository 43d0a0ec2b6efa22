// groups: any
// row_indices: input size + 1
// column_indices: input 8 * size
// elements: input 8 * size
// weight: any
// old_result: input size
// new_result: output size
// rhs: input size
// size: size
// A damped Jacobi step of a smoother over compressed rows, by a loop over the grid.
__kernel void jacobi(__global const unsigned int* row_indices,
                     __global const unsigned int* column_indices, __global const float* elements,
                     float weight, __global const float* old_result, __global float* new_result,
                     __global const float* rhs, unsigned int size) {
    for (unsigned int i = get_global_id(0); i < size; i += get_global_size(0)) {
        float sum = 0.0f;
        float diag = 1.0f;
        const unsigned int row_end = row_indices[i + 1];
        for (unsigned int j = row_indices[i]; j < row_end; ++j) {
            const unsigned int col = column_indices[j];
            if (i == col) diag = elements[j];
            else sum += elements[j] * old_result[col];
        }
        new_result[i] = weight * (rhs[i] - sum) / diag + (1.0f - weight) * old_result[i];
    }
}
