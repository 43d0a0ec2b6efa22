// kernels: gemver_a gemver_x gemver_w
// groups: ceil(n / items_x), ceil(n / items_y)
// groups2: ceil(n / items_x)
// groups3: ceil(n / items_x)
// a: in_out n * n
// u1: input n
// v1: input n
// u2: input n
// v2: input n
// n: n
// x: in_out n
// y: input n
// z: input n
// beta: any
// w: in_out n
// alpha: any
// A rank-two update, a product with the transpose and one without, in a row.
typedef float DATA_TYPE;
__kernel void gemver_a(__global DATA_TYPE *a, __global DATA_TYPE *u1, __global DATA_TYPE *v1,
                       __global DATA_TYPE *u2, __global DATA_TYPE *v2, int n)
{
	int j = get_global_id(0);
	int i = get_global_id(1);
	if ((i < n) && (j < n))
		a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}
__kernel void gemver_x(__global DATA_TYPE *a, __global DATA_TYPE *x, __global DATA_TYPE *y,
                       __global DATA_TYPE *z, DATA_TYPE beta, int n)
{
	int i = get_global_id(0);
	if (i < n)
	{
		for (int j = 0; j < n; j++) x[i] += beta * a[j * n + i] * y[j];
		x[i] += z[i];
	}
}
__kernel void gemver_w(__global DATA_TYPE *a, __global DATA_TYPE *x, __global DATA_TYPE *w,
                       DATA_TYPE alpha, int n)
{
	int i = get_global_id(0);
	if (i < n)
		for (int j = 0; j < n; j++) w[i] += alpha * a[i * n + j] * x[j];
}
