// Arguments that fit a kernel's parameters, and those that do not.
#include "backends/cuda/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax::cuda {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// __kernel void k(__global const float* in, const ulong n, const float a, __local float* part)
const Signature declared{"k",
                         {{Parameter::Kind::global, "float", "in", true},
                          {Parameter::Kind::scalar, "ulong", "n"},
                          {Parameter::Kind::scalar, "float", "a"},
                          {Parameter::Kind::local, "float", "part"}}};
const PtxKernel compiled{"k",
                         {{PtxParameter::Kind::integer, 8},
                          {PtxParameter::Kind::integer, 8},
                          {PtxParameter::Kind::floating, 4}}};

Argument buffer() {
    return std::make_shared<Memory>(16, 0);
}
Argument number(Scalar value) {
    return value;
}

void check(const std::vector<Argument>& arguments, std::uint32_t local_bytes = 64) {
    check_arguments(&declared, compiled, arguments, local_bytes);
}
void check_native(const std::vector<Argument>& arguments) {
    check_arguments(nullptr, compiled, arguments, 0);
}

TEST(Arguments, ThatFit) {
    check({buffer(), number(std::uint64_t{3}), number(2.0f)});
    check({buffer(), number(std::int64_t{3}), number(2.0f)});
    check_native({buffer(), number(std::uint64_t{3}), number(2.0f)});
}

TEST(Arguments, Count) {
    EXPECT_THAT(
        [] {
            check({buffer(), number(std::uint64_t{3})});
        },
        ThrowsMessage<UsageError>(HasSubstr("takes 3 argument(s), and the launch has 2")));
    EXPECT_THROW(check({buffer(), number(std::uint64_t{3}), number(2.0f), number(2.0f)}),
                 UsageError);
    EXPECT_THROW(check_native({}), UsageError);
}

TEST(Arguments, Types) {
    EXPECT_THAT(
        [] {
            check({buffer(), number(std::uint32_t{3}), number(2.0f)});
        },
        ThrowsMessage<UsageError>(
            HasSubstr("Argument 2 of kernel 'k' is the uint 3: it must fit 'n', of type ulong.")));
    EXPECT_THROW(check({buffer(), number(std::uint64_t{3}), number(2.0)}), UsageError);
    EXPECT_THROW(check({buffer(), number(std::uint64_t{3}), number(2)}), UsageError);
    EXPECT_THROW(check_native({buffer(), number(std::uint64_t{3}), number(2)}), UsageError);
    EXPECT_THROW(check_native({buffer(), number(3.0), number(2.0f)}), UsageError);
}

TEST(Arguments, BuffersAreNoNumbers) {
    EXPECT_THAT(
        [] {
            check({number(std::uint64_t{0}), number(std::uint64_t{3}), number(2.0f)});
        },
        ThrowsMessage<UsageError>(HasSubstr("'in', a buffer of float")));
    EXPECT_THROW(check({buffer(), buffer(), number(2.0f)}), UsageError);
}

TEST(Arguments, DynamicLocalMemory) {
    EXPECT_THAT(
        [] {
            check({buffer(), number(std::uint64_t{3}), number(2.0f)}, 0);
        },
        ThrowsMessage<UsageError>(HasSubstr("'part'")));
    Signature without = declared;
    without.parameters.pop_back();
    EXPECT_THROW(check_arguments(&without, compiled,
                                 std::vector{buffer(), number(std::uint64_t{3}), number(2.0f)}, 64),
                 UsageError);
}

}  // namespace
}  // namespace parallax::cuda
