// groups: ceil((W - K + 1) / items_x), ceil((H - K + 1) / items_y), ceil(C / items_z)
// in: input W * H * C
// weight: input K * K * C
// bias: input C
// out: output (W - K + 1) * (H - K + 1) * C
// W: W
// H: H
// C: C
// K: any
kernel void conv2d_depthwise(global const float* in, global const float* weight,
                             global const float* bias, global float* out, int W, int H, int C,
                             int K) {
    int ox = get_global_id(0);
    int oy = get_global_id(1);
    int c = get_global_id(2);
    int OW = W - K + 1;
    int OH = H - K + 1;
    if (ox >= OW || oy >= OH || c >= C) return;
    float acc = bias[c];
    for (int ky = 0; ky < K; ++ky)
        for (int kx = 0; kx < K; ++kx)
            acc += in[(c * H + oy + ky) * W + ox + kx] * weight[(c * K + ky) * K + kx];
    out[(c * OH + oy) * OW + ox] = acc;
}
