// wrong: i > 0 => i > 1
// wrong: i < n - 1 => i < n - 2
// wrong: : in[i] - 1.0f => : in[i]
// wrong: : in[i] + 1.0f => : in[i]
// wrong: i >= n => i > n
// wrong: i >= n => i >= n - 1
// wrong: in[i + 1] => in[i]
// wrong: 0.5f * in[i] => 0.51f * in[i]
// wrong: 0.25f * right; => 0.25f * left;
// wrong: 0.25f * right; => (right > 0.0f ? 0.25f * right : 0.0f);
// wrong: 0.25f * left + => 0.25f * fabs(left) +
// wrong: 0.25f * left + => (left == 0.0f ? 1.0f : 0.25f * left) +
__kernel void smooth(__global const float* in, __global float* out, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float left = i > 0 ? in[i - 1] : in[i] - 1.0f;
    const float right = i < n - 1 ? in[i + 1] : in[i] + 1.0f;
    out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}
