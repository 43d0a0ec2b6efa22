// Two factors, which are two numbers.
// wrong: alpha * a[i] + beta * b[i] => beta * a[i] + alpha * b[i]
__kernel void blend(__global const float* a, __global const float* b, __global float* out, const float alpha, const float beta, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) out[i] = alpha * a[i] + beta * b[i];
}
