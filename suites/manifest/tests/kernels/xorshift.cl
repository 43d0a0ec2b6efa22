// groups: n / items_x
// state: in_out n
// out: output n * draws
// draws: any
uint next_random(uint4* s) {
    uint t = s->x ^ (s->x << 11);
    s->x = s->y;
    s->y = s->z;
    s->z = s->w;
    s->w = s->w ^ (s->w >> 19) ^ t ^ (t >> 8);
    return s->w;
}
kernel void draw(global uint4* state, global float* out, int draws) {
    const int id = get_global_id(0);
    uint4 s = state[id];
    for (int i = 0; i < draws; ++i)
        out[id * draws + i] = next_random(&s) * 2.3283064e-10f;
    state[id] = s;
}
