// groups: ceil(nj / items_x)
// a: in_out ni * nj
// r: in_out nj * nj
// q: input ni * nj
// k: any
// ni: ni
// nj: nj
// A column's share is taken from those after it.
typedef float DATA_TYPE;
__kernel void gramschmidt_kernel3(__global DATA_TYPE *a, __global DATA_TYPE *r, __global DATA_TYPE *q,
                                  int k, int ni, int nj)
{
	int j = get_global_id(0) + (k + 1);

	if (j < nj)
	{
		r[k * nj + j] = 0.0;

		int i;
		for (i = 0; i < ni; i++)
		{
			r[k * nj + j] += q[i * nj + k] * a[i * nj + j];
		}
		for (i = 0; i < ni; i++)
		{
			a[i * nj + j] -= q[i * nj + k] * r[k * nj + j];
		}
	}
}
