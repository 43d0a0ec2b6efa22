"""A client of pyopencl: kernels of its own, and its scan, sort and reduction."""

import numpy as np
import pyopencl as cl
import pyopencl.algorithm
import pyopencl.array
import pyopencl.reduction
import pyopencl.scan

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
numbers = np.random.default_rng(7).integers(0, 1000, 5000).astype(np.int32)
on_device = cl.array.to_device(queue, numbers)

text = """
struct Step { int by; float times; };
__kernel void moved(__global const int *in, __global float *out, struct Step step) {
    const size_t i = get_global_id(0);
    out[i] = in[i] * step.times + step.by + get_global_offset(0);
}
"""
program = cl.Program(context, text).build("-cl-mad-enable")
step = np.array((5, 2.5), np.dtype([("by", "i4"), ("times", "f4")]))
out = cl.array.zeros(queue, 5000, np.float32)
program.moved(queue, (1000,), (100,), on_device.data, out.data, step, global_offset=(200,))
assert np.allclose(out.get()[200:1200], numbers[200:1200] * 2.5 + 205)

scan = cl.scan.InclusiveScanKernel(context, np.int32, "a + b", neutral="0")
sums = on_device.copy()
scan(sums)
assert np.array_equal(sums.get(), np.cumsum(numbers))

sort = cl.algorithm.RadixSort(context, "int *ary", key_expr="ary[i]", sort_arg_names=["ary"])
((in_order,), _) = sort(on_device, key_bits=10)
assert np.array_equal(in_order.get(), np.sort(numbers))

longest = cl.reduction.ReductionKernel(
    context, np.int32, neutral="-1", reduce_expr="max(a, b)", map_expr="x[i]", arguments="__global int *x"
)
assert longest(on_device).get() == numbers.max()
print("pyopencl done")
