// Errors planted in the kernels of strided_copy.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors strided_copy_errors() {
    return {.small_shape = {{107}},
            .small_constants = {{"GROUP", 16}},
            .errors = {
                past_end("copy", "one element too many",
                         {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                           "if (i <= n) out[i] = in[i];\n}\n\n// The same"}},
                         "a guard zone follows the end"),
                wrong("copy", "one element lost",
                      {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                        "if (i < n && i != 4000) out[i] = in[i];\n}\n\n// The same"}},
                      "it keeps the poison"),
                wrong("copy", "input overwritten",
                      {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                        "if (i < n) out[i] = in[i];\n    if (i + 1 == n) ((__global T*)in)[i] = "
                        "0;\n}\n\n// The same"}},
                      "inputs are read back and compared", {.finding = ExpectedFinding::altered}),
                wrong("copy", "doubles through float",
                      {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                        "if (i < n) out[i] = (float)in[i];\n}\n\n// The same"}},
                      "random doubles do not fit in a float",
                      {.pattern = "random", .type = ElementType::f64}),
                wrong("copy", "ints through float",
                      {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                        "if (i < n) out[i] = (T)(float)in[i];\n}\n\n// The same"}},
                      "a float holds 24 bits of an int",
                      {.pattern = "random", .type = ElementType::i32}),
                wrong("copy4", "last of the tail lost",
                      {{"i - whole < n - 4 * whole", "i - whole + 1 < n - 4 * whole"}},
                      "it keeps the poison"),
                wrong("copy4", "tail repeats its first",
                      {{"= in[3 * whole + i]", "= in[4 * whole]"}}, "3 has a tail of three"),
                wrong("copy4", "components swapped",
                      {{"out4[i] = in4[i];",
                        "out4[i] = (T4)(in4[i].x, in4[i].z, in4[i].y, in4[i].w);"}},
                      "integers tell neighbours apart"),
                wrong("strided", "first element by the wrong index",
                      {{"get_group_id(1)", "get_group_id(0)"}}, "some elements are never written",
                      {.is_race = true}),
                wrong("strided", "stride one too large",
                      {{"get_global_id(0) * stride", "get_global_id(0) * (stride + 1)"}},
                      "some elements are never written"),
                wrong("offset", "no way round", {{"item + offset - n", "item"}},
                      "the first elements are never written", {.is_race = true}),
                wrong("offset", "one word before the start",
                      {{"        out[i] = in[i];\n    }",
                        "        out[i] = in[i];\n        if (item == 0) out[item - 1] = "
                        "in[i];\n    }"}},
                      "a guard zone lies there",
                      {.finding = ExpectedFinding::before, .oclgrind = Oclgrind::outside}),
            }};
}

}  // namespace parallax
