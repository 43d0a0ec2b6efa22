// Holds CUDA's functions on the host against what a GPU made of the same bits: function_table.txt.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/host/tests/functions.cu"
#include "backends/host/tests/launched.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text_lines.hpp"

namespace parallax::host::function_table_test {
namespace {

using namespace host::test;
using Bits = std::vector<std::uint64_t>;

const std::string folder = SOURCE_ROOT "/backends/host/tests/";

struct Function {
    std::string line;  ///< the start of its line in the table
    std::string result;
    std::vector<std::string> arguments;
};

/// All functions, in the order of their kernel.
std::vector<Function> all_functions() {
#define E1(R, f, A) {"0 " #R " " #f "(" #A ")", #R, {#A}},
#define E2(R, f, A, B) {"0 " #R " " #f "(" #A ", " #B ")", #R, {#A, #B}},
#define E3(R, f, A, B, C) {"0 " #R " " #f "(" #A ", " #B ", " #C ")", #R, {#A, #B, #C}},
#define N1(R, f, A) {"16 " #R " " #f "(" #A ")", #R, {#A}},
#define N2(R, f, A, B) {"16 " #R " " #f "(" #A ", " #B ")", #R, {#A, #B}},
    return {FUNCTIONS(E1, E2, E3, N1, N2)};
}

/// The table: bits by the start of their line.
std::map<std::string, Bits> table() {
    std::map<std::string, Bits> all;
    const std::string text = read_file(folder + "function_table.txt", 1U << 24);
    for (const std::string_view line : lines_of(text)) {
        if (line.starts_with('#')) continue;
        const std::size_t colon = line.find(':');
        Bits& bits = all[std::string(line.substr(0, colon))];
        for (std::size_t at = colon + 1; at < line.size();) {
            char* end = nullptr;
            bits.push_back(std::strtoull(line.data() + at, &end, 16));
            at = static_cast<std::size_t>(end - line.data());
        }
    }
    return all;
}

/// The inputs of each argument, as function_table.cu chose them.
std::vector<Bits> inputs_of(const Function& one, const std::map<std::string, Bits>& known) {
    const std::size_t places = one.arguments.size();
    std::vector<Bits> all(places), given;
    for (const std::string& type : one.arguments) {
        const bool is_float = type == "float" || type == "double";
        const bool is_long = type.find("long") != type.npos;
        given.push_back(known.at(is_float ? type : is_long ? "long long" : "int"));
    }
    const std::size_t most = places == 1 ? given[0].size() : places == 2 ? 14 : 7;
    const auto count = static_cast<std::size_t>(std::lround(std::pow(most, places)));
    std::size_t step = count;
    for (std::size_t k = 0; k < places; ++k) {
        step /= most;
        for (std::size_t i = 0; i < count; ++i) all[k].push_back(given[k][i / step % most]);
    }
    return all;
}

/// Whether an answer is that of the table: any NaN for a NaN. Near a root, units in the last place
/// are those of 1.
template <class T, class Whole>
bool is_near(std::uint64_t made, std::uint64_t right, std::int64_t units) {
    const T a = std::bit_cast<T>(static_cast<Whole>(made));
    const T b = std::bit_cast<T>(static_cast<Whole>(right));
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (made == right || units == 0) return made == right;
    const auto place = [](T x) {
        const auto bits = static_cast<std::int64_t>(std::bit_cast<Whole>(std::fabs(x)));
        return std::signbit(x) ? -bits : bits;
    };
    return std::abs(place(a) - place(b)) <= units ||
           std::fabs(a - b) <= 4 * std::numeric_limits<T>::epsilon();
}

bool is_right(const Function& one, std::uint64_t made, std::uint64_t right) {
    const std::int64_t units = std::strtol(one.line.c_str(), nullptr, 10);
    if (one.result == "float") return is_near<float, std::uint32_t>(made, right, units);
    if (one.result == "double") return is_near<double, std::uint64_t>(made, right, units);
    return made == right;
}

TEST(FunctionTable, IsWhatTheHostComputes) {
    if (!std::filesystem::exists(folder + "function_table.txt")) {
        GTEST_SKIP() << "function_table.cu makes function_table.txt on a GPU";
    }
    const std::map<std::string, Bits> known = table();
    const std::vector<Function> functions = all_functions();
    for (const Entry& entry : entries()) {
        const auto device = entry.open();
        const auto code = device->compile({.name = "functions.cu",
                                           .source = read_file(folder + "functions.cu", 1U << 20),
                                           .language = Language::native},
                                          "functions");
        for (std::size_t which = 0; which < functions.size(); ++which) {
            const Function& one = functions[which];
            ASSERT_TRUE(known.contains(one.line)) << one.line << ": make the table again";
            const Bits& right = known.at(one.line);
            const std::vector<Bits> inputs = inputs_of(one, known);
            ASSERT_EQ(inputs[0].size(), right.size()) << one.line;
            Dispatch dispatch{code,
                              {{static_cast<unsigned>(right.size() + 63) / 64, 1, 1}, {64, 1, 1}},
                              {Scalar(static_cast<std::int32_t>(which))}};
            HostArray out(ElementType::u64, right.size());
            for (std::size_t k = 0; k < 3; ++k) {
                std::ranges::copy(inputs[std::min(k, inputs.size() - 1)],
                                  out.as<std::uint64_t>().begin());
                dispatch.arguments.emplace_back(device->upload(out));
            }
            const auto made = device->upload(out);
            dispatch.arguments.emplace_back(made);
            dispatch.arguments.emplace_back(Scalar(static_cast<std::int32_t>(right.size())));
            const Command command{dispatch};
            device->run(std::span(&command, 1));
            out = device->download(*made, ElementType::u64);
            unsigned wrong = 0;
            std::string first;
            for (std::size_t i = 0; i < right.size(); ++i) {
                const std::uint64_t here = out.as<std::uint64_t>()[i];
                if (is_right(one, here, right[i]) || ++wrong > 4) continue;
                first += "\n   ";
                for (const Bits& input : inputs) first += fmt::format(" {:x}", input[i]);
                first += fmt::format(": {:x}, and on a GPU {:x}", here, right[i]);
            }
            EXPECT_EQ(wrong, 0u) << entry.info.id() << ", " << one.line << first;
        }
    }
}

}  // namespace
}  // namespace parallax::host::function_table_test
