#include <cooperative_groups.h>

__global__ void normalize(float* y, const float* x, float* sums, int n) {
    const auto grid = cooperative_groups::this_grid();
    float v = 0.0f;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) v += x[i];
    sums[grid.thread_rank()] = v;
    grid.sync();
    float sum = 0.0f;
    for (unsigned int k = 0; k < grid.size(); ++k) sum += sums[k];
    for (int i = grid.thread_rank(); i < n; i += grid.size()) y[i] = x[i] / sum;
}
