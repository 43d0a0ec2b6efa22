// Rows of an odd length do not begin where a float4 may.
// host: right
// sanitized: failed: an access at a place that is not aligned
__kernel void rows_of_four(__global const float* x, __global float* a, const uint rows) {
    const uint row = get_global_id(0);
    if (row < rows) *(__global float4*)(a + 5 * row) = (float4)(x[row]);
}
