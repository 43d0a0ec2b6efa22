// groups: any
// src0: input any
// offset0: 0
// src1: input any
// offset1: 0
// dst: output any
// offsetd: 0
// ne0: ne0
// ne1: any
// nb01: 4 * ne0
// nb11: 4 * ne0
// nb1: 4 * ne0
// Two tables are added; a group has a row, and rows lie so many bytes apart.
kernel void kernel_add(global char* src0, ulong offset0, global char* src1, ulong offset1,
                       global char* dst, ulong offsetd, int ne0, int ne1, ulong nb01, ulong nb11,
                       ulong nb1) {
    src0 = src0 + offset0;
    src1 = src1 + offset1;
    dst = dst + offsetd;
    int i1 = get_group_id(0);
    if (i1 >= ne1) return;
    global char* a = src0 + i1 * nb01;
    global char* b = src1 + i1 * nb11;
    global char* c = dst + i1 * nb1;
    for (int i0 = get_local_id(0); i0 < ne0; i0 += get_local_size(0))
        *((global float*)(c + i0 * 4)) = *((global float*)(a + i0 * 4)) + *((global float*)(b + i0 * 4));
}
