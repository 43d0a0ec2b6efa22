// groups: ceil(Ne / items_x)
// lambda: any
// Nr: Nr
// Nc: Nc
// Ne: Nr * Nc
// iN: input Nr
// iS: input Nr
// jE: input Nc
// jW: input Nc
// dN: output Nr * Nc
// dS: output Nr * Nc
// dE: output Nr * Nc
// dW: output Nr * Nc
// q0sqr: any
// c: output Nr * Nc
// I: input Nr * Nc
// Anisotropic diffusion over an image in columns, with neighbours from tables.
__kernel void speckle(float lambda, int Nr, int Nc, long Ne, __global const int* iN,
                      __global const int* iS, __global const int* jE, __global const int* jW,
                      __global float* dN, __global float* dS, __global float* dE,
                      __global float* dW, float q0sqr, __global float* c,
                      __global const float* I) {
    int ei = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (ei < Ne) {
        int row = ei % Nr;
        int col = ei / Nr;
        float Jc = I[ei];
        float n = I[iN[row] + Nr * col] - Jc;
        float s = I[iS[row] + Nr * col] - Jc;
        float w = I[row + Nr * jW[col]] - Jc;
        float e = I[row + Nr * jE[col]] - Jc;
        float g2 = (n * n + s * s + w * w + e * e) / (Jc * Jc);
        float l = (n + s + w + e) / Jc;
        float num = 0.5f * g2 - 0.0625f * l * l;
        float den = 1 + 0.25f * l;
        float qsqr = num / (den * den);
        den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
        float cc = 1.0f / (1.0f + den);
        if (cc < 0) cc = 0;
        else if (cc > 1) cc = 1;
        dN[ei] = n;
        dS[ei] = s;
        dW[ei] = w;
        dE[ei] = e;
        c[ei] = cc * lambda;
    }
}
