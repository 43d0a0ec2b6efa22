// groups: ceil(npoints / items_x)
// feature: input npoints * nfeatures
// clusters: input nclusters * nfeatures
// membership: output npoints
// npoints: npoints
// nclusters: nclusters
// nfeatures: nfeatures
// offset: any
// size: any
#ifndef FLT_MAX
#define FLT_MAX 3.40282347e+38
#endif
__kernel void kmeans_kernel_c(__global float* feature, __global float* clusters,
                              __global int* membership, int npoints, int nclusters, int nfeatures,
                              int offset, int size) {
    unsigned int point_id = get_global_id(0);
    int index = 0;
    if (point_id < npoints) {
        float min_dist = FLT_MAX;
        for (int i = 0; i < nclusters; i++) {
            float ans = 0;
            for (int l = 0; l < nfeatures; l++) {
                ans += (feature[l * npoints + point_id] - clusters[i * nfeatures + l]) *
                       (feature[l * npoints + point_id] - clusters[i * nfeatures + l]);
            }
            if (ans < min_dist) {
                min_dist = ans;
                index = i;
            }
        }
        membership[point_id] = index;
    }
    return;
}
