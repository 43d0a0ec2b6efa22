// groups: ceil(W / items_x), ceil(H / items_y)
// cur: input W * H
// next: output W * H
// W: W
// H: H
__kernel void life(__global const uchar *cur, __global uchar *next, const int W, const int H)
{
    const int2 p = (int2)(get_global_id(0), get_global_id(1));
    if (p.x >= W || p.y >= H) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            int nx = (p.x + dx + W) % W;
            int ny = (p.y + dy + H) % H;
            alive += cur[ny * W + nx];
        }
    }
    const int here = p.y * W + p.x;
    next[here] = (alive == 3 || (alive == 2 && cur[here])) ? 1 : 0;
}
