// groups: numNodes / items_x, numNodes / items_y
// pathDistance: in_out numNodes * numNodes
// path: in_out numNodes * numNodes
// numNodes: numNodes
// pass: 0
__kernel void floydWarshallPass(__global uint* pathDistance, __global uint* path,
                                const unsigned int numNodes, const unsigned int pass) {
    int xValue = get_global_id(0);
    int yValue = get_global_id(1);
    int k = pass;
    int oldWeight = pathDistance[yValue * numNodes + xValue];
    int tempWeight = pathDistance[yValue * numNodes + k] + pathDistance[k * numNodes + xValue];
    if (tempWeight < oldWeight) {
        pathDistance[yValue * numNodes + xValue] = tempWeight;
        path[yValue * numNodes + xValue] = k;
    }
}
