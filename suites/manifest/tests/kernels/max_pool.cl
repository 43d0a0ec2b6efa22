// groups: ceil(nthreads / items_x)
// nthreads: nthreads
// bottom: input nthreads / pooled_width / pooled_height * height * width
// height: any
// width: any
// pooled_width: any
// pooled_height: any
// top: output nthreads
__kernel void max_pool2(const int nthreads, __global const float* bottom, const int height,
                        const int width, const int pooled_height, const int pooled_width,
                        __global float* top) {
    const int index = get_global_id(0);
    if (index >= nthreads) return;
    const int pw = index % pooled_width;
    const int ph = (index / pooled_width) % pooled_height;
    const int c = index / pooled_width / pooled_height;
    const int h = ph * 2, w = pw * 2;
    float best = -INFINITY;
    for (int y = h; y < min(h + 2, height); ++y)
        for (int x = w; x < min(w + 2, width); ++x)
            best = fmax(best, bottom[(c * height + y) * width + x]);
    top[index] = best;
}
