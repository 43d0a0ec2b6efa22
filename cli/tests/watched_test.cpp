// Tests cases that crash or hang their worker process, with the real program.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/supervisor.hpp"
#include "cli/tests/command_line.hpp"
#include "measure/measurement_context.hpp"

namespace parallax::cli::watched_test {
namespace {

constexpr const char* kernels = R"(
__kernel void good(uint n, __global const float* x, __global float* y) {
    uint i = get_global_id(0);
    if (i < n) y[i] = 2.0f * x[i];
}
__kernel void endless(uint n, __global const float* x, __global float* y) {
    volatile __global float* z = y;
    z[0] = 0.0f;
    while (z[0] == 0.0f) {}
}
__kernel void slow(uint n, __global const float* x, __global float* y) {
    uint i = get_global_id(0);
    volatile __global float* z = y;
    if (i < n) z[i] = 2.0f * x[i];
    while (n > 1000 && z[0] == z[0]) {}
}
__kernel void wild(uint n, __global const float* x, __global float* y) {
    y[get_global_id(0) + ((ulong)1 << 44)] = 1.0f;
}
__kernel void leaves(uint n, __global const float* x, __global float* y) {
#ifdef X86
    long result = 231;
    __asm__ volatile("syscall" : "+a"(result) : "D"(0L) : "rcx", "r11", "memory");
#endif
}
void send_to_itself(long signal) {
#ifdef X86
    long process = 39, result = 62;
    __asm__ volatile("syscall" : "+a"(process) : : "rcx", "r11", "memory");
    __asm__ volatile("syscall" : "+a"(result) : "D"(process), "S"(signal) : "rcx", "r11", "memory");
#endif
}
__kernel void terminates(uint n, __global const float* x, __global float* y) {
    send_to_itself(15);
}
__kernel void hangs_up(uint n, __global const float* x, __global float* y) {
    send_to_itself(1);
}
__kernel void prints(uint n, __global const float* x, __global float* y) {
    uint i = get_global_id(0);
    if (i < n) y[i] = 2.0f * x[i];
    if (i == 0) printf("{\x1b[2J said by a kernel\n");
}
__kernel void races(uint n, __global const float* x, __global float* y) {
    __local float t[1];
    uint i = get_global_id(0);
    if (i < n) t[0] = x[i];
    if (i < n) y[i] = 2.0f * x[i] + (t[0] > 1e9f);
}
__kernel void over_the_guards(uint n, __global const float* x, __global float* y) {
    uint i = get_global_id(0);
    if (i < n) y[i] = x[i];
    y[i + n + (1 << 12)] = 1.0f;
}
)";

Json variant(const std::string& kernel, const std::string& name, const std::string& groups) {
    const Json arguments = {
        {{"name", "n"}, {"type", "uint"}, {"value", "n"}},
        {{"name", "x"}, {"type", "float"}, {"elements", "n"}, {"fill", "random"}},
        {{"name", "y"}, {"type", "float"}, {"elements", "n"}, {"use", "output"}}};
    return {{"kernel", kernel},
            {"name", name},
            {"arguments", arguments},
            {"items", {64}},
            {"groups", {groups}}};
}

class WatchedRun : public CommandLine {
protected:
    void SetUp() override {
        if (!has_device()) GTEST_SKIP() << "no device";
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
        std::ofstream("k.cl") << kernels;
    }

    /// A manifest `NAME.json` with `good` as `first`, this kernel, and `good` as `last`.
    static void make_manifest(const std::string& kernel,
                              const std::string& groups = "ceil(n / 64)") {
        const Json sizes = {{"names", {"n"}}, {"timed", {{4096}}}, {"checked", {{1}, {100}}}};
        const Json variants = {variant("good", "first", "ceil(n / 64)"),
                               variant(kernel, "bad", groups),
                               variant("good", "last", "ceil(n / 64)")};
        Json manifest{{"parallax", "manifest"}, {"version", 1},   {"name", "m"},
                      {"source", "k.cl"},       {"sizes", sizes}, {"variants", variants}};
#ifdef __x86_64__
        manifest["defines"] = {{"X86", "1"}};
#endif
        std::ofstream("m.json") << manifest;
    }
    static int run_program_on(const std::string& words) {
        return shell("$P " + words + " > out 2> err");
    }
    /// The status of each variant of `m`; each has one record.
    static std::map<std::string, std::string> statuses(const std::string& file = "r.jsonl") {
        std::map<std::string, std::string> found;
        for (const Json& record : json_results(file).records) {
            if (record.at("suite") != "m") continue;
            const bool is_new = found.emplace(record.at("variant"), record.at("status")).second;
            EXPECT_TRUE(is_new) << "a second record of " << record.at("variant");
            EXPECT_EQ(record.at("program").at("file"), "k.cl") << record.at("variant");
        }
        return found;
    }
    static std::string reason_of_bad() {
        for (const Json& record : json_results("r.jsonl").records) {
            if (record.at("variant") == "bad") return record.value("reason", "");
        }
        return "no record";
    }
    static pid_t start(const std::string& words) {
        const pid_t child = fork();
        if (child != 0) return child;
        const std::string command =
            fmt::format("exec '{}' {} > out 2> err", std::getenv("PARALLAX_PROGRAM"), words);
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(127);
    }
    /// The children of `parent`.
    static std::vector<pid_t> children_of(pid_t parent) {
        std::ifstream file(fmt::format("/proc/{}/task/{}/children", parent, parent));
        std::vector<pid_t> all;
        for (pid_t one = 0; file >> one;) all.push_back(one);
        return all;
    }
    /// Ticks of processor time of a process.
    static long ticks_of(pid_t process) {
        std::ifstream file(fmt::format("/proc/{}/stat", process));
        std::string stat, word;
        std::getline(file, stat);
        std::istringstream rest(stat.substr(std::min(stat.size(), stat.rfind(')') + 2)));
        for (int i = 0; i < 11; ++i) rest >> word;  // from the state on
        long user = 0;
        rest >> user;
        return user;
    }
    /// Starts verification of `m` with an endless kernel `bad`, and waits until the process has
    /// used a second of processor time without a new record: all else takes less.
    /// @returns the process that the user started, and its worker
    static std::pair<pid_t, pid_t> start_endless(std::string words) {
        words += " --budget 100000 --watchdog 0";
        // As many sizes of `first` as are prepared together: some are stored before `bad` begins.
        for (std::size_t n = 1; n <= most_in_block; ++n) words += fmt::format(" -n {}", 64 * n);
        const pid_t child = start(words);
        wait_for(child, [] { return records_kept() >= 2; });
        const std::vector<pid_t> measuring = children_of(child);
        EXPECT_EQ(measuring.size(), 1u);
        if (measuring.size() != 1) return {child, child};
        std::size_t kept = 0;
        long since = 0;
        wait_for(child, [&] {
            const long now = ticks_of(measuring[0]);
            if (const std::size_t records = records_kept(); records != kept) {
                kept = records;
                since = now;
            }
            return now > since + sysconf(_SC_CLK_TCK);
        });
        return {child, measuring[0]};
    }
    static std::size_t records_kept() {
        return fs::exists("r.jsonl") ? json_results("r.jsonl").records.size() : 0;
    }
    /// Not a zombie, which remains until it is waited for.
    static bool is_alive(pid_t process) {
        std::ifstream file(fmt::format("/proc/{}/stat", process));
        std::string stat;
        std::getline(file, stat);
        const std::size_t end = stat.rfind(')');
        return end != stat.npos && stat.substr(end, 3) != ") Z";
    }
};

const std::map<std::string, std::string> one_failed{
    {"first", "ok"}, {"bad", "failed"}, {"last", "ok"}};
/// For a run without timing: the end of the worker does not depend on that.
const std::map<std::string, std::string> one_failed_of_checked{
    {"first", "checked"}, {"bad", "failed"}, {"last", "checked"}};

TEST_F(WatchedRun, ACaseThatCrashesIsFailedWithTheSignalAndTheOthersGoOn) {
    make_manifest("wild");
    EXPECT_EQ(run_program_on("run m.json -d opencl:0 --budget 100000 -o r.jsonl"), 6);
    EXPECT_EQ(statuses(), one_failed) << text_of("err");
    EXPECT_NE(reason_of_bad().find("SIGSEGV"), std::string::npos) << reason_of_bad();
    EXPECT_NE(reason_of_bad().find("-d host:1' names the line"), std::string::npos);
    const std::string out = text_of("out");
    for (const char* line : {"first  float", "bad    float", "last   float"}) {
        EXPECT_EQ(out.find(line), out.rfind(line)) << out;
        EXPECT_NE(out.find(line), std::string::npos) << out;
    }
    std::set<std::string> ids;
    for (const Json& record : json_results("r.jsonl").records) {
        ids.insert(record.at("run").at("id"));
    }
    EXPECT_EQ(ids.size(), 1u) << "it is one run";
}

TEST_F(WatchedRun, ACaseThatEndsTheProcessAsIfAllWereWellIsFailed) {
#ifndef __x86_64__
    GTEST_SKIP() << "the kernel calls Linux as an x86-64 does";
#endif
    make_manifest("leaves");
    EXPECT_EQ(run_program_on("run m.json --check -d opencl:0 --budget 100000 -o r.jsonl"), 6);
    EXPECT_EQ(statuses(), one_failed_of_checked) << text_of("err");
    EXPECT_NE(reason_of_bad().find("exit(0)"), std::string::npos) << reason_of_bad();
}

TEST_F(WatchedRun, ACaseThatSignalsItsOwnProcessIsFailed) {
#ifndef __x86_64__
    GTEST_SKIP() << "the kernel calls Linux as an x86-64 does";
#endif
    for (const auto& [kernel, said] :
         {std::pair("terminates", "exit(143)"), std::pair("hangs_up", "SIGHUP")}) {
        fs::remove("r.jsonl");
        make_manifest(kernel);
        EXPECT_EQ(run_program_on("run m.json --check -d opencl:0 --budget 100000 -o r.jsonl"), 6);
        EXPECT_EQ(statuses(), one_failed_of_checked) << text_of("err");
        EXPECT_NE(reason_of_bad().find(said), std::string::npos) << reason_of_bad();
    }
}

// Memory 16 KiB past a buffer is unused, so that no other data is changed there. The output would
// break the report, and control the terminal.
TEST_F(WatchedRun, WhatAKernelPrintsIsNoPartOfTheReport) {
    make_manifest("prints");
    EXPECT_EQ(run_program_on("run m.json --check -d opencl:0 --budget 100000 --json -o r.jsonl"),
              0);
    EXPECT_EQ(statuses()["bad"], "checked");
    std::ifstream report("out");
    for (std::string line; std::getline(report, line);) EXPECT_NO_THROW(Json::parse(line)) << line;
    EXPECT_THAT(text_of("err"), testing::HasSubstr("{\\x1b[2J said by a kernel\n"));
}

TEST_F(WatchedRun, AWriteOverTheGuardZonesIsNoAnswer) {
    make_manifest("over_the_guards");
    EXPECT_EQ(run_program_on("run m.json --check -d opencl:0 --budget 100000 -o r.jsonl"), 6);
    EXPECT_EQ(statuses(), one_failed_of_checked) << text_of("err");
    EXPECT_NE(reason_of_bad().find("SIGSEGV"), std::string::npos) << reason_of_bad();
}

TEST_F(WatchedRun, ARaceThatTheTrialOnTheHostFindsIsADoubt) {
    make_manifest("races");
    Json manifest = Json::parse(text_of("m.json"));
    manifest["sizes"]["checked"] = {{100}};
    std::ofstream("m.json") << manifest;
    run_program_on("run -s m.json/bad --check -d opencl --budget 100000 -o r.jsonl");
    for (const Json& record : json_results("r.jsonl").records) {
        EXPECT_EQ(record.at("status"), "doubtful");
        EXPECT_THAT(record.value("doubts", Json::array()).dump(), testing::HasSubstr("race"))
            << record;
    }
}

TEST_F(WatchedRun, ALaunchThatNeverEndsIsFailedAndTheOthersGoOn) {
    make_manifest("endless");
    EXPECT_EQ(
        run_program_on("run m.json --check -d opencl:0 --budget 100000 --watchdog 2 -o r.jsonl"),
        6);
    EXPECT_EQ(statuses(), one_failed_of_checked) << text_of("err");
    EXPECT_NE(reason_of_bad().find("had not ended"), std::string::npos) << reason_of_bad();
    EXPECT_NE(text_of("err").find("2 ok, 0 wrong, 1 failed"), std::string::npos) << text_of("err");
}

TEST_F(WatchedRun, ASizeThatTheHostIsTooSlowForIsNamedAndTheOthersAreTried) {
    make_manifest("slow");
    EXPECT_EQ(
        run_program_on("run m.json --check -d host:0 --budget 100000 --watchdog 4 -o r.jsonl"), 0);
    const Json records = json_results("r.jsonl").records;
    ASSERT_EQ(records.size(), 3u) << text_of("err");
    for (const Json& record : records) {
        EXPECT_EQ(record.at("status"), "checked") << record.value("reason", "");
        const std::string said = record.at("check").value("unchecked", Json()).dump();
        const bool is_named = said.find("The size 4096: Its launch had not ended") != said.npos;
        EXPECT_EQ(is_named, record.at("variant") == "bad") << record;
    }
}

TEST(Watchdog, ALaunchTakesAShareOfTheBudget) {
    EXPECT_EQ(most_launch_seconds(100), 25);
    EXPECT_EQ(most_launch_seconds(1000), 60);
    EXPECT_EQ(most_launch_seconds(20), 10);
    EXPECT_EQ(most_launch_seconds(5), 5) << "never more than all of it";
    EXPECT_EQ(most_launch_seconds(0.5), 2) << "but for a moment";
    EXPECT_EQ(most_launch_seconds(0), 60) << "no budget";
}

TEST_F(WatchedRun, RecordsDoNotGoWhereTheReportGoes) {
    make_manifest("good");
    EXPECT_EQ(shell("$P run m.json -d opencl:0 --check -o both > both 2> err"), 2);
    EXPECT_NE(text_of("err").find("is where standard output goes"), std::string::npos);
    EXPECT_EQ(text_of("both"), "");
    EXPECT_EQ(shell("$P run m.json -d opencl:0 --check -o /dev/stdout > both 2> err"), 2);
    EXPECT_EQ(shell("$P run m.json -d opencl:0 --check -o both > out 2> both"), 2);
    EXPECT_NE(text_of("both").find("is where standard error goes"), std::string::npos);
    EXPECT_EQ(shell("$P run m.json -d opencl:0 --check -o r.jsonl > out 2> err"), 0);
}

TEST_F(WatchedRun, AskedForAGateOnlyItTimesNothing) {
    make_manifest("wild");
    EXPECT_EQ(run_program_on("run m.json --check -d opencl:0 --budget 100000 -o r.jsonl"), 6);
    EXPECT_EQ(statuses(), (std::map<std::string, std::string>{
                              {"first", "checked"}, {"bad", "failed"}, {"last", "checked"}}));
    const std::vector<Json> records = json_results("r.jsonl").records;
    EXPECT_EQ(records.size(), 3u) << "no ceilings";
    for (const Json& record : records) EXPECT_FALSE(record.contains("timing"));
    EXPECT_TRUE(records.at(0).contains("check"));
    EXPECT_NE(text_of("err").find("2 ok, 0 wrong, 1 failed"), std::string::npos) << text_of("err");
    EXPECT_EQ(run_program_on("run m.json/first --check -d opencl:0 --budget 100000 -o s.jsonl"), 0);
    EXPECT_EQ(run_program_on("diff s.jsonl s.jsonl"), 0) << text_of("err");
    EXPECT_NE(text_of("out").find("1 EQUAL"), std::string::npos) << text_of("out");
}

TEST_F(WatchedRun, ADiffGoesOnToo) {
    make_manifest("wild");
    EXPECT_EQ(run_program_on("diff opencl:0 opencl:0 -s m.json --budget 100000 --data d.jsonl"), 6)
        << text_of("err");
    const JsonResults all = json_results("d.jsonl");
    std::map<std::string, std::string> of_a, of_b;
    for (const Json& record : all.records) {
        if (record.at("suite") != "m") continue;
        auto& side = record.at("side") == "a" ? of_a : of_b;
        EXPECT_TRUE(side.emplace(record.at("variant"), record.at("status")).second);
    }
    EXPECT_EQ(of_a, one_failed);
    EXPECT_EQ(of_b, one_failed);
    EXPECT_NE(text_of("out").find("SIGSEGV"), std::string::npos) << text_of("out");
}

TEST_F(WatchedRun, MoreMemoryThanIsAllowedEndsTheCase) {
    make_manifest("good");
    EXPECT_EQ(run_program_on("run m.json/bad --check -n 2^25 -d opencl:0 --budget 100000 --memory "
                             "0.3 -o r.jsonl"),
              6);
    EXPECT_NE(reason_of_bad().find("0.3"), std::string::npos) << reason_of_bad();
}

TEST_F(WatchedRun, TooManyGroupsAreRefused) {
    make_manifest("good", "1099511627776");
    EXPECT_EQ(run_program_on("run m.json -d opencl:0 --budget 100000 -o r.jsonl"), 2);
    EXPECT_NE(text_of("err").find("$.variants[1]"), std::string::npos) << text_of("err");
}

TEST_F(WatchedRun, ASignalEndsAllProcessesAndShowsWhatWasMeasured) {
    make_manifest("endless");
    for (const int signal : {SIGINT, SIGTERM}) {
        fs::remove("r.jsonl");
        const auto [child, measuring] = start_endless("run m.json --check -d opencl:0 -o r.jsonl");
        kill(child, signal);
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << text_of("err");
        EXPECT_NE(kill(measuring, 0), 0) << "it goes on";
        EXPECT_NE(text_of("out").find("first  float"), std::string::npos) << text_of("out");
        EXPECT_NE(text_of("err").find("Interrupted."), std::string::npos) << text_of("err");
        EXPECT_NE(text_of("err").find("kept in r.jsonl"), std::string::npos) << text_of("err");
    }
}

TEST_F(WatchedRun, ASignalEndsADiffAndShowsWhatWasCompared) {
    make_manifest("endless");
    // The host is not timed.
    const auto [child, measuring] =
        start_endless("diff opencl:0 host:0 -s m.json -v --data r.jsonl");
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << text_of("err");
    EXPECT_NE(kill(measuring, 0), 0) << "it goes on";
    EXPECT_THAT(text_of("err"), testing::HasSubstr("Interrupted"));
    EXPECT_THAT(text_of("err"), testing::HasSubstr("kept in r.jsonl"));
    EXPECT_THAT(text_of("out"), testing::HasSubstr("m/first")) << "what was compared is shown";
    EXPECT_THAT(text_of("out"), testing::HasSubstr("nterrupted"))
        << "a part is not shown as the whole";
    EXPECT_FALSE(json_results("r.jsonl").cut_short);
    const Ended shown = run({"diff", "r.jsonl", "--json"});
    EXPECT_FALSE(Json::parse(shown.out).at("cases").empty()) << shown.err;
}

TEST_F(WatchedRun, NobodyGoesOnWithoutTheOneWhoWatches) {
    make_manifest("endless");
    const auto [child, measuring] = start_endless("run m.json --check -d opencl:0 -o r.jsonl");
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    // A hanging test means that the program hangs.
    while (is_alive(measuring)) usleep(10000);
}

/// A CUDA source that g++ (not clang, which reads it) works at for minutes, or with gigabytes.
void make_costly(const std::string& value) {
    std::ofstream("x.cu")
        << "template<int A, int B> struct F {\n"
           " static constexpr int v = F<A - 1, B * 2>::v + F<A - 1, B * 2 + 1>::v;\n};\n"
           "template<int B> struct F<0, B> { static constexpr int v = 1; };\n"
           "template<int... I> struct S { static constexpr int v = sizeof...(I); };\n"
           "template<int N> struct M { static constexpr int v = S<__integer_pack(N)...>::v; };\n"
           "#if __GNUC__ < 5\n#define VALUE 1\n#else\n#define VALUE "
        << value
        << "\n#endif\n"
           "extern \"C\" __global__ void k(int* y, int n) { if (n > 0) y[0] = VALUE; }\n";
    const Json arguments = {{{"name", "y"}, {"type", "int"}, {"elements", "n"}, {"use", "output"}},
                            {{"name", "n"}, {"type", "int"}, {"value", "n"}}};
    const Json sizes = {{"names", {"n"}}, {"timed", {{64}}}, {"checked", {{7}}}};
    const Json manifest{
        {"parallax", "manifest"}, {"version", 1},    {"name", "m"},
        {"sizes", sizes},         {"kernel", "k"},   {"arguments", arguments},
        {"items", {64}},          {"groups", {"1"}}, {"cuda", {{"source", "x.cu"}}}};
    std::ofstream("c.json") << manifest;
}

/// The number of live processes that have both in their environment.
std::size_t count_with(const std::string& mark, const std::string& other = {}) {
    std::size_t count = 0;
    for (const fs::directory_entry& one : fs::directory_iterator("/proc")) {
        std::ifstream file(one.path() / "environ");
        const std::string all{std::istreambuf_iterator<char>(file), {}};
        count += all.find(mark) != all.npos && all.find(other) != all.npos;
    }
    return count;
}

TEST_F(WatchedRun, NoCompilerOutlivesTheProgram) {
    make_costly("F<28, 1>::v");
    const std::string mark = fmt::format("PARALLAX_TEST={}", getpid());
    setenv("PARALLAX_TEST", std::to_string(getpid()).c_str(), 1);
    // A driver and its compiler, with the folder that they work in.
    const auto compiles = [&] { return count_with(mark, "parallax-host-") > 1; };
    for (const int signal : {SIGINT, SIGKILL}) {
        const pid_t child =
            start("run c.json --check -d host:0 --budget 100000 --watchdog 0 -o r.jsonl");
        wait_for(child, compiles);
        EXPECT_TRUE(compiles()) << text_of("err");
        kill(child, signal);
        waitpid(child, nullptr, 0);
        for (int i = 0; i < 200 && count_with(mark) > 0; ++i) usleep(100000);
        EXPECT_EQ(count_with(mark), 0u) << signal;
    }
    EXPECT_EQ(run_program_on("run c.json --check -d host:0 --watchdog 1 -o r.jsonl"), 6);
    EXPECT_THAT(text_of("out"), testing::HasSubstr("its process was killed"));
    EXPECT_EQ(count_with(mark), 0u);
    unsetenv("PARALLAX_TEST");
}

TEST_F(WatchedRun, CompilersTakeNoMoreMemoryThanIsAllowed) {
    make_costly("M<60000000>::v");
    EXPECT_EQ(run_program_on("run c.json --check -d host:0 --memory 1 -o r.jsonl"), 6);
    EXPECT_THAT(text_of("out"), testing::HasSubstr("--memory allows 1.0")) << text_of("err");
    // It may be too much before there is a case.
    EXPECT_EQ(run_program_on("run c.json --check -d host:0 --memory 0.001 -o s.jsonl"), 6);
    EXPECT_THAT(text_of("out") + text_of("err"), testing::HasSubstr("(--memory allows 0.0)"));
}

}  // namespace
}  // namespace parallax::cli::watched_test
