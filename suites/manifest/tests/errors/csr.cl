// wrong: j < off[r + 1] => j + 1 < off[r + 1]
// wrong: y[r] = s => if (off[r] < off[r + 1]) y[r] = s
// wrong: y[r] = s => if (off[r + 1] - off[r] != 1) y[r] = s
// wrong: j < off[r + 1] => j < min(off[r + 1], off[r] + 16)
// wrong: j < off[r + 1] => j < min(off[r + 1], off[r] + 32)
// wrong: j < off[r + 1] => j < min(off[r + 1], off[r] + 64)
// wrong: float s = 0.0f => float s = val[off[r]] * 0.0f + 1.0f
// wrong: j = off[r] => j = off[r] + 1
// wrong: r < rows => r < rows - 1
// wrong: x[cols[j]] => x[cols[j] > 0 ? cols[j] : 1]
// wrong: x[cols[j]] => x[j % rows]
// wrong: x[cols[j]] => x[(cols[j] + 1) % rows]
__kernel void csr(const uint rows, __global const uint* off, __global const uint* cols,
                  __global const float* val, __global const float* x, __global float* y) {
    const uint r = get_global_id(0);
    if (r < rows) {
        float s = 0.0f;
        for (uint j = off[r]; j < off[r + 1]; ++j) s += val[j] * x[cols[j]];
        y[r] = s;
    }
}
