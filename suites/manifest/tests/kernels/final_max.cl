// groups: 1
// items: 1
// block: input count
// count: count
// result: output 1
__kernel void final_max(__global const int *block, const uint count, __global int *result)
{
    int best = INT_MIN;
    for (uint i = 0; i < count; ++i) best = max(best, block[i]);
    result[0] = best;
}
