// Tests which handler gets a signal while child processes run.
#include "common/process/spawn.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <future>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/process/process_folders.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::spawn_test {
namespace {

std::atomic<int> told{0};

void tell(int signal) {
    told = signal;
}

/// Installs the handler of a caller that asked for interrupts.
class Spawning : public testing::Test {
protected:
    Spawning() {
        told = 0;
        std::signal(SIGINT, tell);
        tell_signals_to(tell);
    }
    ~Spawning() override {
        tell_signals_to(nullptr);
        std::signal(SIGINT, SIG_DFL);
    }
};

TEST_F(Spawning, WhoAskedForInterruptsIsToldThemToo) {
    {
        const SignalForwarder outer, inner;
        raise(SIGINT);
        EXPECT_EQ(told, SIGINT);
        EXPECT_THROW(SignalForwarder::check(), Interrupted);
    }
    told = 0;
    raise(SIGINT);
    EXPECT_EQ(told, SIGINT) << "the handler of before is there again";
    const SignalForwarder next;
    EXPECT_NO_THROW(SignalForwarder::check()) << "what came before is past";
}

TEST_F(Spawning, AHandlerThatWasThereBeforeIsNotCalled) {
    tell_signals_to(nullptr);
    const SignalForwarder forwarding;
    raise(SIGINT);
    EXPECT_EQ(told, 0) << "a driver's may end the program";
}

TEST_F(Spawning, SeveralAtOnceEachHaveTheirOwnEnd) {
    const SignalForwarder forwarding;
    std::vector<std::future<ExitStatus>> ends;
    for (int code = 0; code < 8; ++code) {
        ends.push_back(std::async(std::launch::async, [code] {
            return spawn({.program = "/bin/sh", .words = {"-c", "exit " + std::to_string(code)}});
        }));
    }
    for (int code = 0; code < 8; ++code) {
        const ExitStatus end = ends[static_cast<std::size_t>(code)].get();
        EXPECT_EQ(end.code, code);
        EXPECT_EQ(end.signal, 0);
    }
}

TEST_F(Spawning, AnIgnoredSigchldHidesNoEnd) {
    for (const int flags : {0, SA_NOCLDWAIT}) {
        struct sigaction ignoring {};
        ignoring.sa_handler = flags == 0 ? SIG_IGN : SIG_DFL;
        ignoring.sa_flags = flags;
        sigaction(SIGCHLD, &ignoring, nullptr);
        const ProcessResult ended =
            run_program("sh", {"-c", "echo why >&2; exit 3"}, std::chrono::hours(1));
        EXPECT_EQ(ended.exit_code, 3);
        EXPECT_EQ(ended.err, "why\n");
        sigaction(SIGCHLD, &ignoring, nullptr);
        const SignalForwarder forwarding;
        EXPECT_EQ(spawn({.program = "/bin/sh", .words = {"-c", "exit 5"}}).code, 5);
    }
}

TEST_F(Spawning, ASignalSentToThisProcessReachesAllThatRun) {
    const SignalForwarder forwarding;
    const MemoryFile begun;
    std::vector<std::future<ExitStatus>> ends;
    for (int i = 0; i < 3; ++i) {
        ends.push_back(std::async(std::launch::async, [&] {
            return spawn({.program = "/bin/sh",
                          .words = {"-c", "echo x; while :; do sleep 0.01; done"},
                          .out = begun.file()});
        }));
    }
    while (begun.text().size() < 6) std::this_thread::yield();
    kill(getpid(), SIGINT);
    for (auto& end : ends) EXPECT_EQ(end.get().signal, SIGINT);
}

TEST(Programs, EndWithTheProcessThatRunsThemAndSoDoesWhatTheyStarted) {
    const TemporaryFolder folder("parallax-test-");
    const std::string file = folder.file("processes");
    const pid_t caller = fork();
    if (caller == 0) {
        // As a compiler driver, which waits for its compiler.
        run_program("sh",
                    {"-c", "sleep 600 & echo $! $$ > " + file + ".part; mv " + file + ".part " +
                               file + "; wait"},
                    std::chrono::hours(1));
        _exit(0);
    }
    pid_t compiler = 0, driver = 0;
    while (!(std::ifstream(file) >> compiler >> driver)) std::this_thread::yield();
    ASSERT_NE(start_time(compiler), 0u);
    kill(caller, SIGKILL);
    wait_for(caller);
    for (int i = 0; i < 3000 && start_time(compiler) + start_time(driver) != 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(start_time(compiler), 0u);
    EXPECT_EQ(start_time(driver), 0u);
    kill(compiler, SIGKILL);
}

TEST(Programs, HaveLimitsOfTheirOwn) {
    const ProcessResult said =
        run_program("bash", {"-c", "ulimit -v -f"}, std::chrono::hours(1), {},
                    {.memory_bytes = std::uint64_t{1} << 30, .file_bytes = 1 << 20});
    EXPECT_THAT(said.out, testing::HasSubstr(" 1048576\n")) << said.err;
    EXPECT_THAT(said.out, testing::HasSubstr(" 1024\n"));
    const ProcessResult other = run_program("bash", {"-c", "ulimit -v"}, std::chrono::hours(1));
    EXPECT_NE(other.out, "1048576\n");
}

TEST(Programs, TheirLimitOfMemoryMayBeLessThanThisProcessHas) {
    constexpr std::size_t bytes = std::size_t{8} << 30;
    void* const reserved =
        ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(reserved, MAP_FAILED);
    const ProcessResult small = run_program("sh", {"-c", "echo here"}, std::chrono::hours(1), {},
                                            {.memory_bytes = bytes / 4});
    ::munmap(reserved, bytes);
    EXPECT_TRUE(small.ok()) << small.err;
    EXPECT_EQ(small.out, "here\n");
}

TEST(Programs, SayWhyTheyDoNotStartAndHowTheyEnd) {
    const auto ended = [](const char* program, const char* words) {
        return run_program(program, {"-c", words}, std::chrono::hours(1));
    };
    const ProcessResult none = ended("no-such-program", "");
    EXPECT_FALSE(none.started);
    EXPECT_EQ(none.err, "No such file or directory");
    EXPECT_EQ(ended("sh", "exit 200").exit_code, 200);
    EXPECT_EQ(ended("sh", "kill -SEGV $$").exit_code, -1);
}

TEST(Spawned, AVariableOfAnotherProgramEndsNothing) {
    const auto code_with = [](const char* parent) {
        const pid_t child = fork();
        if (child == 0) {
            ::setenv("PARALLAX_PARENT", parent, 1);
            end_with_who_spawned();
            _exit(std::getenv("PARALLAX_PARENT") ? 1 : 0);
        }
        return WEXITSTATUS(wait_for(child));
    };
    EXPECT_EQ(code_with("1"), 0);
    EXPECT_EQ(code_with(std::to_string(getpid()).c_str()), 0);
    EXPECT_EQ(code_with("2147483647"), 130) << "that program has ended";
}

}  // namespace
}  // namespace parallax::spawn_test
