// groups: n / items_x
// x: input 4 * n
// y: output 4 * n
// p: any
// One pass of a Stockham FFT of radix 4; p is how long the transforms so far are.
float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 twiddle(float2 a, int k, float alpha) {
    float cs, sn;
    sn = sincos((float)k * alpha, &cs);
    return cmul(a, (float2)(cs, sn));
}
__kernel void fft_radix4(__global const float2* x, __global float2* y, int p) {
    int t = get_global_size(0);
    int i = get_global_id(0);
    int k = i & (p - 1);
    int j = ((i - k) << 2) + k;
    float alpha = -3.14159265f * (float)k / (float)(2 * p);
    float2 u0 = x[i];
    float2 u1 = twiddle(x[i + t], 1, alpha);
    float2 u2 = twiddle(x[i + 2 * t], 2, alpha);
    float2 u3 = twiddle(x[i + 3 * t], 3, alpha);
    float2 v0 = u0 + u2, v1 = u0 - u2, v2 = u1 + u3;
    float2 d = u1 - u3;
    float2 v3 = (float2)(d.y, -d.x);
    y[j] = v0 + v2;
    y[j + p] = v1 + v3;
    y[j + 2 * p] = v0 - v2;
    y[j + 3 * p] = v1 - v3;
}
