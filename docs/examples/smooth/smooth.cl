// Smooths an image of `height` rows of `width` pixels of CHANNELS values, channel by channel: each value becomes the
// mean of itself and its existing neighbours, rounded to nearest, half up.
__kernel void smooth(__global const ushort* image, __global ushort* out, const uint width, const uint height) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    for (uint c = 0; c < CHANNELS; ++c) {
        uint sum = 0, count = 0;
        for (uint j = y > 0 ? y - 1 : 0; j <= y + 1 && j < height; ++j) {
            for (uint i = x > 0 ? x - 1 : 0; i <= x + 1 && i < width; ++i) {
                sum += image[(j * width + i) * CHANNELS + c];
                ++count;
            }
        }
        out[(y * width + x) * CHANNELS + c] = (sum + count / 2) / count;
    }
}
