// wrong: at >= 0 && => 
// wrong: at >= 0 && => at > 0 &&
// wrong: at < m ? => at <= m ?
// wrong: at < m ? => at < m - 1 ?
// wrong: at >= 0 && at < m ? => 1 ?
// wrong: : -1.0f => : 0.0f
// wrong: const int at => const short at
// wrong: const int at => const int at = index[i] < 0 ? 0 : index[i]; const int old
// wrong: const int at => const int at = index[i] < m ? index[i] : m - 1; const int old
// wrong: out[i] = => if (at >= 0) out[i] =
// wrong: table[at] => table[m - 1 - at]
__kernel void gather(__global const int* index, __global const float* table, __global float* out,
                     const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int at = index[i];
    out[i] = at >= 0 && at < m ? table[at] : -1.0f;
}
