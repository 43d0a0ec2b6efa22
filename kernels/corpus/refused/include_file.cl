// A file that is not here.
//! refused: 3 not_here.h
#include "not_here.h"
__kernel void k(__global int* out) { out[0] = 1; }
