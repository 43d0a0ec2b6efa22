// Tests programs under the layer: what is captured, what is not, and that they run unchanged.
#include "records/capture.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <zstd.h>

#include "cli/tests/command_line.hpp"
#include "common/device/build_options.hpp"
#include "studies/doctor/doctor.hpp"
#include "suites/manifest/captured.hpp"

namespace parallax::cli::capture_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

class Captured : public CommandLine {
protected:
    void SetUp() override {
        if (!has_device()) GTEST_SKIP() << "no OpenCL device";
    }
    /// @param words  of the program, @param options  of the command. @returns its exit code
    static int capture(const std::string& words, const std::string& options = "") {
        return shell(fmt::format("$P capture -o app {} -- {} {} > out 2> err", options,
                                 std::getenv("CAPTURED_PROGRAM"), words));
    }
    Capture read() const { return read_capture(folder_ / "app"); }
    /// The case's manifest.
    Json manifest(const std::string& name) const {
        return Json::parse(text_of(folder_ / "app" / (name + ".json")));
    }
    std::set<std::string> cases() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "app")) {
            if (entry.path().extension() == ".json") names.insert(entry.path().stem().string());
        }
        names.erase("capture");
        return names;
    }
    /// Reasons for launches that were not kept.
    std::set<std::string> reasons() const {
        std::set<std::string> all;
        for (const CapturedKernel& kernel : read().kernels) {
            for (const auto& [reason, count] : kernel.left_out) all.insert(reason);
        }
        return all;
    }
};

const CapturedKernel& kernel_of(const Capture& capture, const std::string& name) {
    const auto found = std::ranges::find(capture.kernels, name, &CapturedKernel::kernel);
    if (found == capture.kernels.end()) throw std::out_of_range(name);
    return *found;
}

TEST_F(Captured, LaunchesAreKeptWithAllThatTheyWereCalledWith) {
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    EXPECT_EQ(text_of("out"), "launches done\n");
    EXPECT_EQ(cases(), (std::set<std::string>{"add", "add-2", "pair", "twice"}));
    const Json add = manifest("add"), pair = manifest("pair"), twice = manifest("twice");
    EXPECT_EQ(add.at("offset"), Json({4}));
    EXPECT_EQ(add.at("items"), Json({4}));
    EXPECT_EQ(add.at("global"), Json({8}));
    EXPECT_EQ(add.at("arguments").at(2).at("hex"), "0a000000");
    EXPECT_EQ(add.at("options"), "-DSTEP=3 -cl-mad-enable -cl-std=CL1.2");
    EXPECT_EQ(add.at("arguments").at(0).at("after"),
              add.at("arguments").at(0).at("fill").at("file"));
    EXPECT_NE(add.at("arguments").at(1).at("after"),
              add.at("arguments").at(1).at("fill").at("file"));
    EXPECT_EQ(16 % manifest("add-2").at("items").at(0).get<int>(), 0) << "groups left open";
    EXPECT_EQ(pair.at("arguments").at(0).at("hex"), "0500000000002040");
    EXPECT_EQ(pair.at("arguments").at(2).at("local_bytes"), 16);
    EXPECT_EQ(pair.at("arguments").at(3).at("hex"), "0000000000000000");
    EXPECT_EQ(twice.at("arguments").at(1).at("same_as"), 0);
    const Capture capture = read();
    EXPECT_TRUE(capture.complete);
    EXPECT_EQ(capture.command,
              (std::vector<std::string>{std::getenv("CAPTURED_PROGRAM"), "launches"}))
        << "the program is told its own name";
    EXPECT_EQ(capture.launches, 4U);
    EXPECT_EQ(kernel_of(capture, "add").sum.count, 2U);
    EXPECT_EQ(kernel_of(capture, "add").sum.timed, 2U);
    EXPECT_EQ(capture.from_device.count, 3U);
    EXPECT_TRUE(capture.problems.empty());
}

TEST_F(Captured, TheDeviceIdlesNoLongerThanTheProgramTakes) {
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    const Capture kept = read();
    EXPECT_GT(kept.snapshot_seconds, 0);
    EXPECT_GT(kept.busy_seconds, 0);
    // All builds are before the first command.
    EXPECT_LE(kept.busy_seconds + kept.gap_seconds, kept.program_seconds() - kept.builds.seconds)
        << text_of("err");
}

/// A copy of the installed loader with another variable name, like an older one.
TEST_F(Captured, ProgramsWhoseFirstLoaderKnowsNoLayersGetOneThatDoes) {
    const auto loaders =
        opencl_loaders({.variable = [](const char*) -> const char* { return {}; }});
    const auto with = std::ranges::find_if(loaders, &OpenClLoader::knows_layers);
    if (with == loaders.end()) GTEST_SKIP() << "no loader with layers";
    std::string bytes = text_of(with->file);
    for (std::size_t at = 0; (at = bytes.find("OPENCL_LAYERS", at)) != bytes.npos;) {
        bytes.replace(at, 13, "OPENCL_NAUGHT");
    }
    std::filesystem::create_directory("cuda");
    std::ofstream("cuda/libOpenCL.so.1", std::ios::binary) << bytes;
    setenv("LD_LIBRARY_PATH", (folder_ / "cuda").c_str(), 1);
    const int code = capture("launches");
    unsetenv("LD_LIBRARY_PATH");
    ASSERT_EQ(code, 0) << text_of("err");
    EXPECT_EQ(text_of("out"), "launches done\n");
    EXPECT_EQ(read().launches, 4U);
}

TEST_F(Captured, WhatWasKeptGivesTheSameAnswersAgain) {
    ASSERT_EQ(capture("launches headers memory"), 0) << text_of("err");
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl > out 2> err"), 0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("7 ok, 0 wrong, 0 failed"));
    EXPECT_EQ(shell("$P list app/ > out"), 0);
    EXPECT_THAT(text_of("out"), HasSubstr("twice-2"));
}

TEST_F(Captured, ADamagedFolderIsNoSuccess) {
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    const auto check = [] { return shell("$P run --check app/ -d opencl:0 > out 2> err"); };
    EXPECT_EQ(check(), 0) << text_of("err");
    std::ofstream("app/add-3.json") << "{}";
    EXPECT_EQ(check(), 1);
    EXPECT_THAT(text_of("err"), HasSubstr("app/add-3 is left out: "));
    EXPECT_EQ(text_of("err").find("is left out"), text_of("err").rfind("is left out"));
    EXPECT_THAT(text_of("err"), HasSubstr("4 ok, 0 wrong, 0 failed, 1 left out"));
    std::filesystem::remove("app/add-3.json");
    const std::string content =
        "app/" + manifest("pair").at("arguments").at(1).at("fill").at("file").get<std::string>();
    const std::string before = text_of(content);
    for (const bool is_there : {true, false}) {
        std::filesystem::remove(content);
        if (is_there) std::ofstream(content) << before.substr(1);
        EXPECT_EQ(check(), 6) << text_of("out");
        EXPECT_THAT(text_of("err"), HasSubstr("2 ok, 0 wrong, 2 failed")) << text_of("out");
    }
    std::ofstream(content) << before;
    const std::string pair = text_of("app/pair.json");
    Json outside = Json::parse(pair);
    outside["arguments"][1]["fill"]["file"] = "../outside.bin";
    std::ofstream("app/pair.json") << outside.dump();
    std::ofstream("outside.bin") << before;
    EXPECT_EQ(check(), 6) << text_of("out");
    EXPECT_THAT(text_of("err"), HasSubstr("3 ok, 0 wrong, 1 failed"));
    const std::string out = std::regex_replace(text_of("out"), std::regex("\\s+"), " ");
    EXPECT_THAT(out, HasSubstr("outside the folder that may be read"));
    std::filesystem::remove("app/pair.json");
    EXPECT_EQ(check(), 1);
    EXPECT_THAT(text_of("err"), HasSubstr("app/pair is left out: pair.json is missing"));
    EXPECT_EQ(shell("$P list app/ > out 2> err"), 0);
    EXPECT_THAT(text_of("err"), HasSubstr("app/pair is left out: pair.json is missing"));
    for (const char* command : {"run --check -s", "show", "explain"}) {
        EXPECT_EQ(shell(fmt::format("$P {} app/pair > out 2> err", command)), 2);
        EXPECT_THAT(text_of("err"), HasSubstr("app/pair cannot be used: pair.json is missing"));
    }
    EXPECT_EQ(shell("$P run --check -s app/add -s app/twice -d opencl:0 > out 2> err"), 0)
        << "the lost one was not requested";
    EXPECT_EQ(shell("$P diff opencl:0 host:0 -s app/ > out 2> err"), 1) << text_of("err");
    EXPECT_EQ(shell("$P diff opencl:0 host:0 -s app/add > out 2> err"), 0) << text_of("err");
}

TEST_F(Captured, ADamagedByteIsNoWrongAnswer) {
    ASSERT_EQ(capture("answers", "--kernel whole"), 0) << text_of("err");
    const Json arguments = manifest("whole").at("arguments");
    const std::string content = "app/" + arguments.at(1).at("after").get<std::string>();
    const std::string text = "app/" + manifest("whole").at("source").get<std::string>();
    const auto check = [] { return shell("$P run --check app/ -d opencl:0 > out 2> err"); };
    const std::string whole = text_of(content), source = text_of(text);
    for (int i = 0; i < 6; ++i) {
        std::string flipped = whole;
        char& byte = flipped[flipped.size() * static_cast<std::size_t>(i + 1) / 7];
        byte = static_cast<char>(byte ^ 1 << i);
        std::ofstream(content, std::ios::binary) << flipped;
        EXPECT_EQ(check(), 6) << text_of("out");
        EXPECT_THAT(text_of("err"), HasSubstr("0 ok, 0 wrong, 1 failed")) << text_of("out");
    }
    std::ofstream(content, std::ios::binary) << whole;
    EXPECT_EQ(check(), 0) << text_of("out");
    const std::string timeline = text_of("app/capture.json");
    for (const std::size_t length : {std::size_t{0}, timeline.size() / 2}) {
        std::ofstream("app/capture.json") << timeline.substr(0, length);
        EXPECT_EQ(check(), 1) << "what else is missing is not known";
        EXPECT_THAT(text_of("err"), HasSubstr("app/capture.json is left out: "));
        EXPECT_THAT(text_of("err"), HasSubstr("1 ok, 0 wrong, 0 failed, 1 left out"));
        EXPECT_EQ(shell("$P diff opencl:0 host:0 -s app/ > out 2> err"), 1) << text_of("err");
    }
    std::ofstream("app/capture.json") << timeline;
    std::string other = source;
    other.replace(other.find("1000003"), 7, "1000005");
    std::ofstream(text) << other;
    EXPECT_EQ(check(), 2) << "there is no other launch";
    EXPECT_THAT(text_of("err"), HasSubstr("is damaged: what it holds is not what it is named by"));
}

TEST_F(Captured, ImagesAndSamplersAreKeptAndReadAgain) {
    ASSERT_EQ(capture("images"), 0) << text_of("err");
    EXPECT_EQ(cases(), (std::set<std::string>{"between", "between-2", "cut", "deep", "turned"}));
    const Json turned = manifest("turned"), deep = manifest("deep"), between = manifest("between");
    EXPECT_EQ(turned.at("arguments").at(1).at("image"),
              Json({{"width", 6}, {"height", 5}, {"channels", 4}, {"format", "uchar normalized"}}));
    EXPECT_NE(turned.at("arguments").at(1).at("after"),
              turned.at("arguments").at(1).at("fill").at("file"));
    EXPECT_EQ(deep.at("arguments").at(0).at("image").at("depth"), 3);
    EXPECT_EQ(deep.at("arguments").at(2).at("image").at("layers"), 3);
    EXPECT_EQ(between.at("arguments").at(1).at("sampler"),
              Json({{"normalized", "yes"}, {"address", "repeat"}, {"filter", "linear"}}));
    EXPECT_THAT(reasons(), Contains("an image whose channels are in the order 0x10b6"));
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl > out 2> err"), 0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("5 ok, 0 wrong, 0 failed"));
    EXPECT_EQ(shell("$P run --check -s app/cut -d host:0 -o all.jsonl > out 2> err"), 0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("all.jsonl"), HasSubstr("numbers of 'sum' follow from how others are"));
}

TEST_F(Captured, TheTextIsThatOfTheProgramsDeviceWithoutOtherKernels) {
    ASSERT_EQ(capture("half"), 0) << text_of("err");
    const auto options = manifest("plain").at("options").get<std::string>();
    EXPECT_THAT(options, HasSubstr("-Dcl_khr_byte_addressable_store=1"));
    EXPECT_EQ(shell("$P show app/plain --language opencl --all > out 2> err"), 0) << text_of("err");
    EXPECT_THAT(text_of("out"), testing::Not(HasSubstr("half")));
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl > out 2> err"), 0)
        << text_of("out") << text_of("err");
}

TEST_F(Captured, AnswersThatVaryAreHeldWithinTheTolerance) {
    ASSERT_EQ(capture("atomics"), 0) << text_of("err");
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl > out 2> err"), 0)
        << text_of("out") << text_of("err");
}

/// A launch's results with one number changed, as one case for each element and change.
class Planted {
public:
    /// @param folder  of the capture
    Planted(std::filesystem::path folder, Json manifest)
        : folder_(std::move(folder)), manifest_(std::move(manifest)) {}
    /// @param stride  bytes from one element to the next
    template <class T, class F>
    void add(std::size_t argument, std::size_t stride, std::size_t offset, F&& changed) {
        const Json& one = manifest_.at("arguments").at(argument);
        const std::string after = unpacked(one.at("after"), one.at("bytes"));
        for (const std::size_t element : {7, 10, 1023}) {
            const std::size_t place = element * stride + offset;
            T value;
            std::memcpy(&value, after.data() + place, sizeof(T));
            const T wrong = changed(value);
            if (std::memcmp(&wrong, &value, sizeof(T)) == 0) continue;
            std::string content = after;
            std::memcpy(content.data() + place, &wrong, sizeof(T));
            const std::string name =
                fmt::format("{}-wrong-{}", manifest_.at("name").get<std::string>(), ++count_);
            std::ofstream(folder_ / (name + ".bin"), std::ios::binary) << content;
            Json json = manifest_;
            json["name"] = name;
            json["arguments"][argument]["after"] = name + ".bin";
            std::ofstream(folder_ / (name + ".json")) << json.dump();
        }
    }
    unsigned count() const { return count_; }

private:
    std::string unpacked(const std::string& file, std::size_t bytes) const {
        std::ifstream in(folder_ / file, std::ios::binary);
        const std::string packed{std::istreambuf_iterator<char>(in), {}};
        std::string all(bytes, '\0');
        EXPECT_EQ(ZSTD_decompress(all.data(), bytes, packed.data(), packed.size()), bytes);
        return all;
    }
    std::filesystem::path folder_;
    Json manifest_;
    unsigned count_ = 0;
};

TEST_F(Captured, AnswersThatAreHardToJudgeAreRightOnEachSide) {
    ASSERT_EQ(capture("answers"), 0) << text_of("err");
    for (const char* device : {"opencl:0", "host:0"}) {
        EXPECT_EQ(shell(fmt::format("$P run --check -s app/ -d {} > out 2> err", device)), 0)
            << text_of("out") << text_of("err");
        EXPECT_THAT(text_of("err"), HasSubstr("9 ok, 0 wrong, 0 failed"));
        EXPECT_THAT(text_of("out"), Not(HasSubstr("does the kernel write it?")));
    }
}

TEST_F(Captured, AnErrorInOneElementShows) {
    ASSERT_EQ(capture("answers"), 0) << text_of("err");
    const auto planted = [&](const char* name) { return Planted(folder_ / "app", manifest(name)); };
    const auto little = [](float x) {
        return std::isfinite(x) ? (x == 0 ? 1e-30F : x * 1.02F) : 3.0F;
    };
    const auto twice = [](float x) { return x * 2; };
    Planted rays = planted("rays"), sizes = planted("sizes"), move = planted("move"),
            turn = planted("turn"), whole = planted("whole"), places = planted("places"),
            sums = planted("sums"), crosses = planted("crosses");
    rays.add<float>(1, 4, 0, little), rays.add<float>(2, 4, 0, little),
        rays.add<float>(2, 4, 0, twice);
    sizes.add<float>(1, 4, 0, little), sizes.add<float>(1, 4, 0, twice);
    sizes.add<double>(2, 8, 0, [](double x) { return x * (1 + 1e-8); });
    // x, id, weight, speed, and the members of the inner structs.
    constexpr std::size_t body = 40;
    move.add<float>(0, body, 0, little), move.add<float>(0, body, 20, little),
        move.add<float>(0, body, 28, little);
    move.add<std::int32_t>(0, body, 4, [](int x) { return x + 1; });
    move.add<std::int16_t>(0, body, 32,
                           [](std::int16_t x) { return static_cast<std::int16_t>(x - 1); });
    move.add<double>(0, body, 8, [](double x) { return x == 0 ? 1e-300 : x * (1 + 1e-8); });
    turn.add<float>(0, 8, 0, little), turn.add<float>(0, 8, 4, little);
    whole.add<std::int32_t>(1, 4, 0, [](int x) { return x ^ 1; });
    whole.add<std::uint8_t>(2, 1, 0,
                            [](unsigned char x) { return static_cast<unsigned char>(x + 1); });
    places.add<std::int32_t>(1, 4, 0, [](int x) { return x + 1; });
    sums.add<std::int64_t>(1, 8, 0, [](std::int64_t x) { return x + x / 100 + 1; });
    crosses.add<float>(1, 4, 0, [](float x) { return x + 4; });
    unsigned all = 0;
    for (const Planted* one : {&rays, &sizes, &move, &turn, &whole, &places, &sums, &crosses})
        all += one->count();
    EXPECT_GT(all, 45U);
    // Padding between two members.
    move.add<std::uint16_t>(0, body, 26, [](auto x) { return static_cast<std::uint16_t>(~x); });
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 > out 2> err"), 1);
    EXPECT_THAT(text_of("err"), HasSubstr(fmt::format("12 ok, {} wrong, 0 failed", all)))
        << text_of("out");
}

TEST_F(Captured, WhatVariesByItselfIsSaid) {
    ASSERT_EQ(capture("answers", "--kernel places --kernel sums"), 0) << text_of("err");
    // Like another run: two elements swap their positions.
    Json json = manifest("places");
    const std::string after = json["arguments"][1]["after"];
    const std::string packed = text_of(folder_ / "app" / after);
    std::vector<int> values(1024);
    ASSERT_EQ(ZSTD_decompress(values.data(), 4096, packed.data(), packed.size()), 4096U);
    std::swap(values[3], values[200]);
    std::ofstream("app/other.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), 4096);
    json["arguments"][1]["after"] = "other.bin";
    std::ofstream("app/places.json") << json.dump();
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 -d host:0 -o all.jsonl > out 2> err"), 0)
        << text_of("out") << text_of("err");
    const std::string records = text_of("all.jsonl");
    EXPECT_THAT(records,
                HasSubstr("numbers of 'out' have another place, as atomic functions gave it"));
    EXPECT_THAT(records, HasSubstr("numbers of 'out' follow from how others are rounded"));
}

TEST_F(Captured, InputsAreKeptAsTheyWereBeforeEachLaunch) {
    ASSERT_EQ(capture("changes", "--per-kernel 20"), 0) << text_of("err");
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 > out 2> err"), 0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("9 ok, 0 wrong, 0 failed"));
    const Capture capture = read();
    EXPECT_EQ(capture.on_device.count, 5U) << "of boxes and images as well";
}

TEST_F(Captured, ThreadsTimesAddUp) {
    ASSERT_EQ(capture("together"), 0) << text_of("err");
    const Capture capture = read();
    EXPECT_EQ(capture.launches, 16U);
    EXPECT_GT(capture.some_kernel_seconds, 0);
    EXPECT_LE(capture.some_kernel_seconds, capture.launch_seconds() * 1.000001);
    EXPECT_LE(capture.some_kernel_seconds, capture.seconds);
    EXPECT_LE(capture.kernel_seconds(), capture.program_seconds());
    EXPECT_LE(capture.busy_seconds + capture.idle_seconds(), capture.seconds);
}

TEST_F(Captured, CharactersInCommentsDoNotMatter) {
    ASSERT_EQ(capture("comments"), 0) << text_of("err");
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 -d host:0 > out 2> err"), 0)
        << text_of("out") << text_of("err");
}

TEST_F(Captured, LargeContentsArePackedInPartsAndNotForOtherValues) {
    ASSERT_EQ(capture("large"), 0) << text_of("err");
    EXPECT_LT(cases().size(), 4U);
    EXPECT_THAT(reasons(), Contains(HasSubstr("another was kept that differs in values alone")));
    const Json argument = manifest("scaled").at("arguments").at(0);
    for (const Json& file : {argument.at("fill").at("file"), argument.at("after")}) {
        EXPECT_TRUE(
            text_of(folder_ / "app" / file.get<std::string>()).ends_with("\xb1\xea\x92\x8f"));
    }
    EXPECT_EQ(shell("$P run -s app/scaled -d opencl --check --budget 100000 > out 2> err"), 0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("1 ok, 0 wrong, 0 failed"));
}

TEST_F(Captured, EachProcessHasAFileOfItsOwn) {
    ASSERT_EQ(capture("exec"), 0) << text_of("err");
    EXPECT_THAT(cases(), Contains("capture.2"));
    const Capture both = read();
    EXPECT_EQ(both.processes, 2U);
    EXPECT_EQ(both.launches, 8U);
    EXPECT_EQ(kernel_of(both, "twice").sum.count, 2U);
    EXPECT_TRUE(both.complete);
    EXPECT_THAT(text_of("err"), HasSubstr("by 2 processes"));
}

TEST_F(Captured, AFolderThatIsFullIsTheLayersTroubleAlone) {
    ASSERT_EQ(capture("full"), 0) << text_of("err");
    EXPECT_EQ(text_of("out"), "full done\n");
    EXPECT_EQ(cases(), std::set<std::string>{"twice"});
    EXPECT_THAT(reasons(), Contains("the folder cannot be written"));
    EXPECT_TRUE(read().complete);
    // The folder is not writable, not even for root.
    EXPECT_EQ(shell("$P capture -o /proc/sys/kernel -- true > out 2> err"), 2);
    EXPECT_THAT(text_of("err"), HasSubstr("cannot be made or written"));
}

TEST_F(Captured, AWrittenByteTooManyShowsOnReplay) {
    ASSERT_EQ(capture("overrun"), 0);
    EXPECT_EQ(shell("$P run --check -s app/overrun -d opencl --quiet > out 2> err"), 1);
    EXPECT_THAT(text_of("out"), HasSubstr("wrote past the end of buffer 'a'"));
}

TEST_F(Captured, IncludedFilesAreInTheText) {
    ASSERT_EQ(capture("headers"), 0) << text_of("err");
    EXPECT_EQ(cases(), (std::set<std::string>{"included", "linked"}));
    EXPECT_THAT(text_of(folder_ / "app" / manifest("included").at("source").get<std::string>()),
                HasSubstr("#define BY 7"));
    EXPECT_THAT(text_of(folder_ / "app" / manifest("linked").at("source").get<std::string>()),
                HasSubstr("int helped(int x)"));
    EXPECT_EQ(manifest("included").at("options"), "");
}

TEST_F(Captured, WhatCannotBeKeptHasAReason) {
    ASSERT_EQ(capture("memory"), 0);
    EXPECT_THAT(reasons(), Contains("buffers that overlap"));
    EXPECT_THAT(
        text_of("err"),
        testing::ContainsRegex("twice: 1 launches \\([0-9.e-]+ % of the kernels' time\\) are not "
                               "kept: buffers that overlap"));
}

TEST_F(Captured, BinariesOfTheProgramsOwnHaveTheirSource) {
    for (const char* options : {"", "--no-binaries"}) {
        std::filesystem::remove_all("app");
        ASSERT_EQ(capture("binary", options), 0) << text_of("err");
        EXPECT_EQ(text_of("out").find("from source"), std::string::npos) << options;
        EXPECT_EQ(cases(), std::set<std::string>{"twice"});
        EXPECT_EQ(manifest("twice").at("options"), "-DSTEP=1") << "of the first build";
    }
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl > out 2> err"), 0) << text_of("out");
}

TEST_F(Captured, BinariesOfAnEarlierRunAreRefusedOnRequest) {
    ASSERT_EQ(capture("cached kept.bin"), 0) << text_of("err");
    EXPECT_EQ(cases(), std::set<std::string>{"twice"});
    std::filesystem::remove_all("app");
    ASSERT_EQ(capture("cached kept.bin"), 0) << text_of("err");
    EXPECT_TRUE(cases().empty());
    EXPECT_THAT(text_of("err"),
                HasSubstr("are not kept: a program made of a binary that an "
                          "earlier run left behind: capture it with --no-binaries, or"));
    std::filesystem::remove_all("app");
    ASSERT_EQ(capture("cached kept.bin", "--no-binaries"), 0) << text_of("err");
    EXPECT_THAT(text_of("out"), HasSubstr("from source"));
    EXPECT_EQ(cases(), std::set<std::string>{"twice"});
}

TEST_F(Captured, ConditionsAreDecidedAsTheProgramsCompilerDecidedThem) {
    ASSERT_EQ(capture("macros"), 0) << text_of("err");
    EXPECT_EQ(cases(), std::set<std::string>{"known"});
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 -d host:0 > out 2> err"), 0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("2 ok, 0 wrong, 0 failed"));
}

TEST_F(Captured, KernelsMayHaveAnyName) {
    ASSERT_EQ(capture("names"), 0) << text_of("err");
    EXPECT_THAT(cases(), Contains("capture-2"));
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 -d host:0 > out 2> err"), 0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("20 ok, 0 wrong, 0 failed"));
    EXPECT_THAT(text_of("err"), testing::Not(HasSubstr("left out")));
}

TEST_F(Captured, ABufferMayBeNothing) {
    ASSERT_EQ(capture("nothing"), 0) << text_of("err");
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 -d host:0 > out 2> err"), 0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("2 ok, 0 wrong, 0 failed"));
}

TEST_F(Captured, OnlyWhatWaitsForTheProgramsEventsIsNotKept) {
    ASSERT_EQ(capture("events"), 0) << text_of("err");
    EXPECT_EQ(text_of("out"), "events done\n");
    EXPECT_EQ(manifest("twice").at("global"), Json({8}));
    EXPECT_EQ(manifest("twice-2").at("global"), Json({4})) << "when the event was set";
    EXPECT_EQ(cases().size(), 2U);
    EXPECT_THAT(reasons(), Contains("an event of the program's own was still to be set"));
}

TEST_F(Captured, WhatTakesTheTimeIsKept) {
    ASSERT_EQ(capture("heavy", "--per-kernel 3"), 0) << text_of("err");
    const Capture heavy = read();
    ASSERT_EQ(heavy.cases(), 3U);
    std::set<std::uint64_t> sizes;
    for (const std::string& name : cases())
        sizes.insert(manifest(name).at("global").at(0).get<std::uint64_t>());
    EXPECT_TRUE(sizes.contains(4)) << "the first";
    EXPECT_TRUE(sizes.contains(1 << 18)) << "the largest";
    std::uint64_t launches = 0;
    for (const CapturedKind& kind : kernel_of(heavy, "twice").kinds) launches += kind.sum.count;
    EXPECT_EQ(launches, 7U);
}

TEST_F(Captured, GroupsThatWereLeftOpenAreNoLargerThanCudas) {
    ASSERT_EQ(capture("open"), 0) << text_of("err");
    EXPECT_LE(manifest("twice").at("items").at(0).get<int>(), 1024);
    EXPECT_EQ((1 << 15) % manifest("twice").at("items").at(0).get<int>(), 0);
}

TEST_F(Captured, SharedMemoryIsKeptAsABuffer) {
    ASSERT_EQ(capture("svm"), 0) << text_of("err");
    if (text_of("out").find("shared") == std::string::npos) GTEST_SKIP() << "no shared memory";
    const Json arguments = manifest("twice").at("arguments");
    EXPECT_EQ(arguments.at(0).at("bytes"), 256);
    EXPECT_EQ(arguments.at(1).at("bytes"), 128);
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 -d host:0 > out 2> err"), 0)
        << text_of("out") << text_of("err");
}

TEST_F(Captured, AKernelThatWritesNothingIsNoError) {
    ASSERT_EQ(capture("idle"), 0) << text_of("err");
    EXPECT_EQ(shell("$P run --check -s app/ -d opencl:0 > out 2> err"), 0) << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("1 ok, 0 wrong, 0 failed\n"));
}

TEST_F(Captured, ThreadsContextsAndForksAreNoTrouble) {
    ASSERT_EQ(capture("threads two release fork", "--per-kernel 2"), 0) << text_of("err");
    const Capture capture = read();
    EXPECT_TRUE(capture.complete);
    EXPECT_GE(kernel_of(capture, "add").sum.count, 2U);
    std::uint64_t launches = 0;
    for (const CapturedKernel& kernel : capture.kernels) launches += kernel.sum.count;
    EXPECT_EQ(launches, capture.launches);
}

TEST_F(Captured, CountsAreTrueHoweverAProgramEnds) {
    for (const auto& [words, code] :
         {std::pair{"launches exit", 3}, std::pair{"launches kill", 128 + 9},
          std::pair{"launches abort", 128 + 6}, std::pair{"launches fault", 128 + 11}}) {
        std::filesystem::remove_all("app");
        EXPECT_EQ(capture(words), code);
        EXPECT_THAT(cases(), Contains("twice"));
        const Capture ended = read();
        EXPECT_FALSE(ended.complete);
        EXPECT_EQ(ended.launches, 4U) << words;
        EXPECT_EQ(ended.cases(), 4U) << words;
        EXPECT_EQ(kernel_of(ended, "add").sum.count, 2U) << words;
        EXPECT_EQ(ended.from_device.count, 3U) << words;
        EXPECT_THAT(text_of("err"), HasSubstr("ended by _exit, by exec or by a signal"));
    }
}

TEST_F(Captured, AProgramThatBecomesAnotherIsOneProcess) {
    ASSERT_EQ(capture("launches become"), 0) << text_of("err");
    const Capture both = read();
    EXPECT_EQ(both.processes, 1U);
    EXPECT_EQ(both.launches, 8U);
    EXPECT_TRUE(both.complete);
}

TEST_F(Captured, AProgramThatGivesUpItsRightsEndsAsItShould) {
    if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
    ASSERT_EQ(capture("drop"), 0) << text_of("err");
    EXPECT_EQ(read().launches, 3U);
    EXPECT_TRUE(read().complete);
}

/// Python loads an OpenCL library and unloads it again.
TEST_F(Captured, ALoaderMayBeLoadedAgain) {
    if (shell("python3 -c '' > out 2> err") != 0) GTEST_SKIP() << "no Python";
    std::ofstream("again.py") << "import ctypes, _ctypes\n"
                                 "for i in range(3):\n"
                                 "    opencl = ctypes.CDLL('libOpenCL.so.1')\n"
                                 "    count = ctypes.c_uint()\n"
                                 "    opencl.clGetPlatformIDs(0, None, ctypes.byref(count))\n"
                                 "    _ctypes.dlclose(opencl._handle)\n";
    EXPECT_EQ(shell("$P capture -o app -- python3 again.py > out 2> err"), 5);
    EXPECT_EQ(read().processes, 1U);
    EXPECT_TRUE(read().complete);
    EXPECT_THAT(text_of("err"), testing::Not(HasSubstr("processes")));
}

TEST_F(Captured, TheProgramEndsWithItsCapture) {
    for (const char* signal : {"HUP", "KILL"}) {
        std::filesystem::remove_all("app");
        EXPECT_EQ(shell(fmt::format("$P capture -o app -- {} launches sleep > out 2> err & c=$!\n"
                                    "for i in $(seq 400); do\n"
                                    "    [ -s app/twice.json ] && break; sleep 0.05\n"
                                    "done\n"
                                    "p=$(cat /proc/$c/task/$c/children)\n"
                                    "kill -{} $c; wait $c\n"
                                    "for i in $(seq 200); do\n"
                                    "    grep -qs '^State:.[^Z]' /proc/$p/status || exit 0\n"
                                    "    sleep 0.05\n"
                                    "done\n"
                                    "kill -KILL $p; exit 1",
                                    std::getenv("CAPTURED_PROGRAM"), signal)),
                  0)
            << signal;
    }
}

TEST_F(Captured, MemoryAndFilesDoNotGrowWithLaunches) {
    ASSERT_EQ(capture("many 500"), 0);
    const Capture many = read();
    EXPECT_EQ(many.launches, 505U);
    EXPECT_EQ(many.kernels.size(), 5U);
    EXPECT_EQ(many.cases(), 15U) << "of each kernel the first, and two from further on";
    std::set<std::string> named, there;
    for (const std::string& name : cases()) {
        const Json one = manifest(name);
        for (const Json& argument : one.at("arguments")) {
            named.insert(argument.at("fill").at("file").get<std::string>());
            named.insert(argument.at("after").get<std::string>());
        }
    }
    for (const auto& entry : std::filesystem::directory_iterator("app/data"))
        there.insert("data/" + entry.path().filename().string());
    EXPECT_EQ(there, named) << "what gave way is gone";
    std::uint64_t timed = 0;
    for (const CapturedKernel& kernel : many.kernels) timed += kernel.sum.timed;
    EXPECT_EQ(timed, 505U);
    const auto bytes = std::filesystem::file_size("app/capture.json");
    std::filesystem::remove_all("app");
    ASSERT_EQ(capture("many 5000"), 0);
    EXPECT_LT(std::filesystem::file_size("app/capture.json"), bytes + bytes / 10);
}

TEST_F(Captured, ATimelineKeepsNoContents) {
    ASSERT_EQ(capture("launches", "--timeline"), 0);
    EXPECT_TRUE(cases().empty());
    EXPECT_FALSE(std::filesystem::exists("app/data"));
    EXPECT_EQ(kernel_of(read(), "add").sum.timed, 2U);
}

TEST_F(Captured, ChoicesSayWhatIsKept) {
    ASSERT_EQ(capture("launches", "--kernel add --launch 2"), 0);
    EXPECT_EQ(cases(), std::set<std::string>{"add"});
    EXPECT_EQ(manifest("add").at("global"), Json({16}));
    std::filesystem::remove_all("app");
    ASSERT_EQ(capture("launches", "--first 1"), 0);
    EXPECT_EQ(cases(), std::set<std::string>{"add"});
    std::filesystem::remove_all("app");
    ASSERT_EQ(capture("launches", "--max-bytes 10"), 0);
    EXPECT_TRUE(cases().empty());
    EXPECT_THAT(reasons(), Contains("more contents than --max-bytes"));
    EXPECT_EQ(shell("$P run --check -s app/ > out 2> err"), 2);
    EXPECT_THAT(text_of("err"), HasSubstr("were not kept: more contents than --max-bytes"));
}

TEST_F(Captured, CommandLinesThatCannotBeAreRefused) {
    EXPECT_EQ(shell("$P capture -o app 2> err"), 2);
    EXPECT_THAT(text_of("err"), HasSubstr("behind --"));
    EXPECT_EQ(shell("$P capture -- true 2> err"), 2);
    EXPECT_EQ(shell("$P capture -o app -- no-such-program 2> err"), 2);
    EXPECT_EQ(shell("mkdir full; touch full/x; $P capture -o full -- true 2> err"), 2);
    EXPECT_THAT(text_of("err"), HasSubstr("is not empty"));
    EXPECT_EQ(shell("$P capture -o app -- true 2> err"), 5) << "no call of OpenCL";
    EXPECT_EQ(shell("$P capture -o app -- sh -c 'exit 7' 2> err"), 7);
}

}  // namespace
}  // namespace parallax::cli::capture_test
