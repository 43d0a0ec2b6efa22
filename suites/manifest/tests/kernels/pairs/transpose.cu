constexpr int Tile = 32, Rows = 8;

__global__ void transpose(const float* __restrict__ in, float* __restrict__ out, int height, int width) {
    __shared__ float tile[Tile][Tile + 1];
    int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
    for (int j = 0; j < Tile; j += Rows)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * Tile + threadIdx.x;
    y = blockIdx.x * Tile + threadIdx.y;
    for (int j = 0; j < Tile; j += Rows)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

void host(const float* a, float* b, int h, int w) {
    dim3 grid((w + Tile - 1) / Tile, (h + Tile - 1) / Tile);
    transpose<<<grid, dim3(Tile, Rows)>>>(a, b, h, w);
}
