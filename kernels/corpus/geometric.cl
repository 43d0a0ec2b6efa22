// Functions of vectors as arrows.

// Products of small whole numbers are exact.
//! in: float4 64 small
//! in: float4 64 small
//! out: float4 64
//! out: float4 64
//! launch: 64 by 32
__kernel void geometric_products(__global const float4* a, __global const float4* b,
                                 __global float4* crosses, __global float4* dots) {
    int i = get_global_id(0);
    crosses[i] = cross(a[i], b[i]);
    dots[i] = (float4)(dot(a[i], b[i]), dot(a[i].xy, b[i].zw), dot(a[i].xyz, b[i].xyz),
                       dot(a[i].x, b[i].y));
}

// Lengths and distances.
//! in: float4 64 unit
//! in: float4 64 unit
//! out: float4 64
//! launch: 64 by 32
//! ulp: 8
__kernel void geometric_lengths(__global const float4* a, __global const float4* b,
                                __global float4* out) {
    int i = get_global_id(0);
    out[i] = (float4)(length(a[i]), distance(a[i], b[i] + 1.0f), length(a[i].xy),
                      distance(a[i].xyz, b[i].zyx + 2.0f));
}

// Arrows of length one.
//! in: float4 64 unit
//! out: float4 64
//! out: float3 64
//! out: float2 64
//! launch: 64 by 32
//! ulp: 8
__kernel void geometric_normalize(__global const float4* in, __global float4* four,
                                  __global float3* three, __global float2* two) {
    int i = get_global_id(0);
    four[i] = normalize(in[i] + 0.5f);
    three[i] = normalize(in[i].xyz + 0.5f);
    two[i] = normalize(in[i].zw + 0.5f);
}

// A ray and its mirror.
//! in: float3 64 small
//! out: float3 64
//! launch: 64 by 32
__kernel void geometric_mirror(__global const float3* in, __global float3* out) {
    int i = get_global_id(0);
    float3 normal = (float3)(0, 1, 0);
    float3 ray = in[i];
    out[i] = ray - 2.0f * dot(ray, normal) * normal;
}

// A matrix of rows times a vector.
typedef struct {
    float4 row[4];
} GeometricMatrix;
float4 transformed(const GeometricMatrix m, float4 v) {
    return (float4)(dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v), dot(m.row[3], v));
}
//! in: float4 64 small
//! out: float4 64
//! launch: 64 by 32
__kernel void geometric_matrix(__global const float4* in, __global float4* out) {
    GeometricMatrix m;
    for (int k = 0; k < 4; ++k) m.row[k] = (float4)(k, 1, -k, 2);
    int i = get_global_id(0);
    out[i] = transformed(m, in[i]);
}

// Doubles.
//! in: double3 64 small
//! out: double3 64
//! out: double 64
//! launch: 64 by 32
//! needs: double
__kernel void geometric_doubles(__global const double3* in, __global double3* crosses,
                                __global double* dots) {
    int i = get_global_id(0);
    crosses[i] = cross(in[i], in[63 - i]);
    dots[i] = dot(in[i], in[63 - i]);
}
