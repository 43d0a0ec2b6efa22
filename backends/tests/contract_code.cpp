// Tests compiled code: loaded again, or built by several threads; and transfers of large data.
#include <cstring>
#include <future>

#include "backends/tests/contract.hpp"
#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::contract_code {
namespace {

class Codes : public Contract {
protected:
    std::vector<std::int32_t> places(const std::shared_ptr<const Code>& code) {
        const auto memory = upload_ints(std::vector<std::int32_t>(64, -1));
        run({Dispatch{code, {{4}, {16}}, {memory}}});
        return ints(memory);
    }
};

TEST_P(Codes, LoadedAgainDoesTheSame) {
    auto first = device().compile(contract_program(), "places");
    const auto again = device().load_again(*first);
    ASSERT_TRUE(again);
    EXPECT_NE(again, first);
    EXPECT_EQ(again->kernel, first->kernel);
    EXPECT_EQ(again->source, first->source);
    EXPECT_EQ(again->options, first->options);
    EXPECT_EQ(again->log, first->log);
    EXPECT_EQ(again->ptx, first->ptx);
    EXPECT_EQ(again->machine_code, first->machine_code);
    EXPECT_EQ(again->resources.registers, first->resources.registers);
    EXPECT_EQ(again->resources.max_group_items, first->resources.max_group_items);
    const std::vector<std::int32_t> expected = places(first);
    EXPECT_EQ(expected.at(17), 1001);
    first = nullptr;
    EXPECT_EQ(places(again), expected) << "it does not need the first";
}

TEST_P(Codes, ASourceOfSomebodyElseOpensItsFoldersAlone) {
    const std::string& backend = device().info().backend;
    if (backend == "fake") GTEST_SKIP() << "it compiles nothing";
    const TemporaryFolder own("parallax-own-"), other("parallax-other-");
    Program program{.name = "k", .source = {}, .language = Language::native, .type = {}};
    program.files = SourceFiles{.reach = PathSandbox({own.path()}), .folders = {}};
    const auto said = [&](const std::string& first) {
        program.source = first + (backend == "opencl" ? "\nkernel void k(global int* p)"
                                                      : "\nextern \"C\" __global__ void k(int* p)");
        program.source += "{ p[0] = 1; }\n";
        try {
            device().compile(program, "k");
        } catch (const BuildFailed& error) {
            return error.what() + error.log;
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("built");
    };
    const std::string here = own.put("x.h", "\n"), there = other.put("x.h", "a canary;\n");
    EXPECT_EQ(said("#if !__has_include(\"" + here + "\") || __has_include(\"" + there +
                   "\")\n#error\n#endif"),
              "built");
    for (const std::string& words :
         {"%:include \"" + there + "\"", "#inc\\\nlude \"" + there + "\""}) {
        const std::string log = said(words);
        EXPECT_NE(log, "built") << words;
        EXPECT_EQ(log.find("canary"), log.npos) << log;
    }
}

TEST_P(Codes, BuiltBesideEachOtherAndBesideTransfers) {
    constexpr std::size_t builders = 4;
    std::vector<std::future<std::shared_ptr<const Code>>> built;
    for (std::size_t i = 0; i < builders; ++i) {
        built.push_back(std::async(std::launch::async, [&, i] {
            const auto length = static_cast<std::int64_t>(64 + i);
            return device().compile(contract_program_of("places", {{"LENGTH", length}}), "places");
        }));
    }
    EXPECT_EQ(ints(upload_ints({3, 1, 2})), (std::vector<std::int32_t>{3, 1, 2}));
    for (auto& one : built) {
        const auto code = one.get();
        ASSERT_TRUE(code);
        EXPECT_EQ(places(code).at(63), 3015);
    }
}

TEST_P(Codes, ABuildThatFailsBesideOthersIsToldApart) {
    Program bad = contract_program_of("places");
    bad.source += "\n}";
    auto builder = std::async(std::launch::async,
                              [&] { return device().compile(contract_program(), "places"); });
    std::string what;
    try {
        device().compile(bad, "places");
    } catch (const Error& error) {
        what = error.what();
    }
    EXPECT_NE(what, "");
    const auto good = builder.get();
    ASSERT_TRUE(good);
    EXPECT_EQ(places(good).at(0), 0);
}

TEST_P(Codes, MuchDataArrivesWhole) {
    // More than twice the staging memory of a device, and no whole number of parts.
    constexpr std::size_t count = (std::size_t{70} << 18) + 3;
    HostArray sent(ElementType::i32, count);
    std::int32_t* const words = sent.as<std::int32_t>().data();
    for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<std::int32_t>(i + 7);
    const auto memory = device().allocate(sent.bytes().size());
    device().write_staged(*memory, sent.bytes());
    std::size_t differing = 0;
    constexpr std::size_t part = std::size_t{1} << 22;
    for (std::size_t first = 0; first < count; first += part) {
        HostArray room = device().read_room(ElementType::i32, std::min(part, count - first));
        device().read(*memory, room.bytes(), static_cast<std::ptrdiff_t>(4 * first));
        differing += std::memcmp(room.bytes().data(), words + first, room.bytes().size()) != 0;
    }
    EXPECT_EQ(differing, 0u) << "parts of what was sent";
    EXPECT_EQ(device().read_room(ElementType::f64, 3).size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Devices, Codes, testing::ValuesIn(all_devices()), name_of_device);

}  // namespace
}  // namespace parallax::contract_code
