// groups: ceil(imageW / items_x), ceil(imageH / items_y)
// d_Dst: output imageW * imageH
// d_Src: input imageW * imageH
// c_Kernel: input 2 * filterR + 1
// imageW: imageW
// imageH: imageH
// filterR: any
__kernel void convolutionRows(__global float* d_Dst, __global const float* d_Src,
                              __constant float* c_Kernel, int imageW, int imageH, int filterR) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < imageW && y < imageH) {
        float sum = 0;
        for (int k = -filterR; k <= filterR; k++) {
            int d = x + k;
            if (d >= 0 && d < imageW) sum += d_Src[y * imageW + d] * c_Kernel[filterR - k];
        }
        d_Dst[y * imageW + x] = sum;
    }
}
