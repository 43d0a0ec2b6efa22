// What is taken modulo a number is below it.
// wrong: key[i] % buckets => key[i] & 3u
__kernel void buckets(__global const uint* key, __global int* count, const uint n, const uint buckets) {
    const uint i = get_global_id(0);
    if (i < n) atomic_inc(&count[key[i] % buckets]);
}
