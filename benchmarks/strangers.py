# Writes manifests like those of kernels that people bring: no reference, buffers of 64 to 512 MB, kernels of different
# kinds. The time that the judge needs for them is what matters:
#   strangers.py FOLDER && time build/parallax diff opencl:0 cuda:0 $(printf -- '-s %s ' FOLDER/*.json)
# A number after FOLDER divides the sizes, for a processor.
import json
import pathlib
import sys

MB = 1 << 20


def buffer(name, type_name, elements, fill=None, use="input"):
    one = {"name": name, "type": type_name, "elements": elements, "use": use}
    if fill:
        one["fill"] = fill
    return one


N = {"name": "n", "type": "uint", "value": "n"}
# Of each its source, arguments, timed size and groups.
KERNELS = {
    "scale": ("y[i] = 2.5f * x[i] + 1.0f;", "__global const float* x, __global float* y",
              [buffer("x", "float", "n", "random"), buffer("y", "float", "n", use="output")], 128 * MB),
    "axpy_in_place": ("y[i] = 0.5f * x[i] + 0.25f * y[i];", "__global const float* x, __global float* y",
                      [buffer("x", "float", "n", {"random": [-1, 1]}),
                       buffer("y", "float", "n", {"random": [-1, 1]}, "in_out")], 64 * MB),
    "transcendental": ("y[i] = sin(x[i]) * exp(-x[i] * x[i]) + sqrt(fabs(x[i]));",
                       "__global const float* x, __global float* y",
                       [buffer("x", "float", "n", {"random": [-4, 4]}), buffer("y", "float", "n", use="output")],
                       64 * MB),
    "gather": ("y[i] = x[at[i]];", "__global const float* x, __global const uint* at, __global float* y",
               [buffer("x", "float", "n", "random"), buffer("at", "uint", "n", "permutation"),
                buffer("y", "float", "n", use="output")], 32 * MB),
    "bits": ("uint v = x[i]; v ^= v << 13; v ^= v >> 17; v ^= v << 5; y[i] = popcount(v) + (v & 1023);",
             "__global const uint* x, __global uint* y",
             [buffer("x", "uint", "n", {"random": [0, 2**32]}), buffer("y", "uint", "n", use="output")], 128 * MB),
    "stencil": ("const uint l = i > 0 ? i - 1 : 0; const uint r = i + 1 < n ? i + 1 : i; "
                "y[i] = 0.25f * x[l] + 0.5f * x[i] + 0.25f * x[r];", "__global const float* x, __global float* y",
                [buffer("x", "float", "n", "random"), buffer("y", "float", "n", use="output")], 64 * MB),
    "rows": ("float sum = 0.0f; for (int k = begins[i]; k < begins[i + 1]; k++) sum += values[k] * x[columns[k]]; "
             "y[i] = sum;",
             "__global const int* begins, __global const int* columns, __global const float* values, "
             "__global const float* x, __global float* y",
             [buffer("begins", "int", "n + 1", {"csr_offsets": ["16 * n", "n"]}),
              buffer("columns", "int", "16 * n", {"csr_columns": ["begins", "n"]}),
              buffer("values", "float", "16 * n", "random"), buffer("x", "float", "n", "random"),
              buffer("y", "float", "n", use="output")], 4 * MB),
    "branches": ("float v = x[i]; if (v < 0.0f) { for (int k = 0; k < 40; k++) v = v * v - 0.7f; } y[i] = v;",
                 "__global const float* x, __global float* y",
                 [buffer("x", "float", "n", {"random": [-1, 1]}), buffer("y", "float", "n", use="output")], 64 * MB),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    smaller = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for name, (body, parameters, buffers, size) in KERNELS.items():
        (folder / f"{name}.cl").write_text(
            f"__kernel void {name}(const uint n, {parameters}) {{\n    const uint i = get_global_id(0);\n"
            f"    if (i >= n) return;\n    {body}\n}}\n")
        manifest = {"parallax": "manifest", "version": 1, "name": name, "source": f"{name}.cl", "kernel": name,
                    "sizes": {"names": ["n"], "timed": [[size // smaller]], "checked": [[17], [1000]]},
                    "arguments": [N, *buffers], "items": [256], "groups": ["ceil(n / 256)"],
                    "tolerance": {"relative": 1e-5, "absolute": 1e-6}, "work": {"bytes": "8 * n"}}
        (folder / f"{name}.json").write_text(json.dumps(manifest, indent=1))


if __name__ == "__main__":
    main()
