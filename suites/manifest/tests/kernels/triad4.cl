// groups: n / items_x
// a: output n
// b: input n
// c: input n
// scalar: any
kernel void triad(global float4* restrict a, global const float4* restrict b,
                  global const float4* restrict c, const float scalar) {
    const size_t i = get_global_id(0);
    a[i] = b[i] + scalar * c[i];
}
