// groups: ceil(no_of_nodes / items_x)
// nodes: input no_of_nodes
// edges: input null
// mask: in_out no_of_nodes
// next: in_out no_of_nodes
// visited: input no_of_nodes
// cost: in_out no_of_nodes
// no_of_nodes: no_of_nodes
typedef struct {
    int starting;
    int no_of_edges;
} Node;
__kernel void BFS_1(const __global Node* nodes, const __global int* edges, __global char* mask,
                    __global char* next, __global char* visited, __global int* cost,
                    const int no_of_nodes) {
    int tid = get_global_id(0);
    if (tid < no_of_nodes && mask[tid]) {
        mask[tid] = false;
        for (int i = nodes[tid].starting; i < (nodes[tid].no_of_edges + nodes[tid].starting); i++) {
            int id = edges[i];
            if (!visited[id]) {
                cost[id] = cost[tid] + 1;
                next[id] = true;
            }
        }
    }
}
