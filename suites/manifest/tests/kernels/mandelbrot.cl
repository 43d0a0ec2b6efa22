// groups: ceil(width / items_x), ceil(height / items_y)
// out: output width * height
// width: width
// height: height
// x0: any
// y0: any
// dx: any
// dy: any
// maxIterations: any
kernel void mandelbrot(global uchar4* out, int width, int height, float x0, float y0, float dx,
                       float dy, int maxIterations) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (at.x < width && at.y < height) {
        float2 c = (float2)(x0 + at.x * dx, y0 + at.y * dy), z = c;
        int i = 0;
        while (i < maxIterations && z.x * z.x + z.y * z.y < 4.0f) {
            z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
            ++i;
        }
        out[at.y * width + at.x] = (uchar4)(i & 255, i >> 2, i >> 4, 255);
    }
}
