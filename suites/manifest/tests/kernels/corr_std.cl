// groups: ceil(m / items_x)
// mean: input m
// std: output m
// data: input m * n
// float_n: any
// eps: any
// m: m
// n: n
// Standard deviations of columns.
typedef float DATA_TYPE;
__kernel void std_kernel(__global DATA_TYPE *mean, __global DATA_TYPE *std, __global DATA_TYPE *data,
                         DATA_TYPE float_n, DATA_TYPE eps, int m, int n)
{
	int j = get_global_id(0);

	if (j < m)
	{
		std[j] = 0.0;

		int i;
		for (i = 0; i < n; i++)
		{
			std[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
		}
		std[j] /= (float_n);
		std[j] = sqrt(std[j]);
		if (std[j] <= eps)
		{
			std[j] = 1.0;
		}
	}
}
