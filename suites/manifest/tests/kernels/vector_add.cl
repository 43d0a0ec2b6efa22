// groups: ceil(iNumElements / items_x)
// a: input iNumElements
// b: input iNumElements
// c: output iNumElements
// iNumElements: iNumElements
// As vendors' samples begin: the guard returns early, inputs are not const.
__kernel void VectorAdd(__global float* a, __global float* b, __global float* c,
                        int iNumElements) {
    // get index into global data array
    int iGID = get_global_id(0);
    if (iGID >= iNumElements) {
        return;
    }
    c[iGID] = a[iGID] + b[iGID];
}
