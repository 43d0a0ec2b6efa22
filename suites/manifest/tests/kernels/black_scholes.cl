// groups: ceil(optN / items_x)
// d_Call: output optN
// d_Put: output optN
// d_S: input optN
// d_X: input optN
// d_T: input optN
// R: any
// V: any
// optN: optN
float CND(float d) {
    const float K = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float cnd = 0.39894228f * exp(-0.5f * d * d) * (K * (0.31938153f + K * -0.356563782f));
    if (d > 0) cnd = 1.0f - cnd;
    return cnd;
}
void body(__global float* call, __global float* put, float S, float X, float T, float R, float V) {
    float sqrtT = sqrt(T);
    float d1 = (log(S / X) + (R + 0.5f * V * V) * T) / (V * sqrtT);
    float d2 = d1 - V * sqrtT;
    float e = exp(-R * T);
    *call = S * CND(d1) - X * e * CND(d2);
    *put = X * e * (1.0f - CND(d2)) - S * (1.0f - CND(d1));
}
__kernel void BlackScholes(__global float* d_Call, __global float* d_Put, __global float* d_S,
                           __global float* d_X, __global float* d_T, float R, float V,
                           unsigned int optN) {
    for (unsigned int opt = get_global_id(0); opt < optN; opt += get_global_size(0))
        body(&d_Call[opt], &d_Put[opt], d_S[opt], d_X[opt], d_T[opt], R, V);
}
