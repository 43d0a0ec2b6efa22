// What a call option pays at the end of a random path of its share's price.
__kernel void pay(__global const uint* restrict seeds, __global float* restrict payoff,
                  const float drift, const float volatility, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    uint s = seeds[i];
    float price = 1.0f;
    for (uint step = 0; step < 64; ++step) {
        s = s * 1664525u + 1013904223u;
        const float u = (float)((s >> 8) + 1u) * 5.9604645e-8f;
        s = s * 1664525u + 1013904223u;
        const float angle = (float)(s >> 8) * 3.7450704e-7f;
        const float radius = native_sqrt(fmax(-2.0f * native_log(u), 0.0f));
        price *= native_exp(drift + volatility * radius * native_cos(angle));
    }
    payoff[i] = fmax(price - 1.0f, 0.0f);
}
