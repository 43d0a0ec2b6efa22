// The files that a compiler of an external source can open, and that no others exist for it.
#include "common/process/confined.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::confined_test {
namespace {

using testing::HasSubstr;

/// The errno of an attempt to read; 0: it can be read.
int error_of(const std::string& file) {
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return errno;
    ::close(opened);
    return 0;
}

class ConfinedTest : public testing::Test {
protected:
    ConfinedTest() {
        std::filesystem::create_directory(folder_.path() / "own");
        folder_.put("own/in.h", "inside");
        folder_.put("canary", "outside");
        std::filesystem::create_symlink("../canary", folder_.path() / "own/link");
    }

    int tried(const std::string& file) const {
        int error = -1;
        confined(reach_, {}, [&] { error = error_of(file); });
        return error;
    }

    const TemporaryFolder folder_{"parallax-confined-"};
    const std::optional<PathSandbox> reach_ = PathSandbox({folder_.path() / "own"});
};

TEST_F(ConfinedTest, OtherFilesAreNotThereHoweverTheyAreNamed) {
    EXPECT_EQ(tried(folder_.file("own/in.h")), 0);
    EXPECT_EQ(tried("/usr/include/stdio.h"), 0);
    const std::string canary = folder_.file("canary");
    ASSERT_EQ(::mkfifo(folder_.file("own/pipe").c_str(), 0600), 0);
    for (const std::string& name :
         {canary, folder_.file("own/link"), folder_.file("own/../canary"), "/" + canary,
          "/proc/self/root" + canary, std::string("/proc/self/environ"), std::string("/etc/passwd"),
          std::string("/proc/self/cmdline"), folder_.file("own/pipe"), std::string("/dev/zero")}) {
        EXPECT_EQ(tried(name), ENOENT) << name;
    }
    EXPECT_EQ(error_of(canary), 0) << "the restriction ends with its thread";
}

TEST_F(ConfinedTest, NeitherTheirNamesNorTheirSizesAreSaid) {
    struct stat about {};
    int of_file = 0, of_folder = 0, relative = 0;
    confined(reach_, {}, [&] {
        of_file = ::stat(folder_.file("canary").c_str(), &about) == 0 ? 0 : errno;
        of_folder = ::access("/etc/ssl", R_OK) == 0 ? 0 : errno;
        const int own = ::open(folder_.file("own").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        relative = ::openat(own, "../canary", O_RDONLY) >= 0 ? 0 : errno;
        ::close(own);
    });
    EXPECT_EQ(of_file, ENOENT);
    EXPECT_EQ(of_folder, ENOENT);
    EXPECT_EQ(relative, ENOENT);
}

TEST_F(ConfinedTest, ProgramsThatItStartsAreRestrictedToo) {
    const auto said = [&](const std::string& words) {
        ProcessResult ended;
        confined(reach_, {.write = {folder_.path() / "own"}}, [&] {
            ended =
                run_program("sh", {"-c", words}, std::chrono::minutes(5), folder_.path() / "own");
        });
        return ended.out + ended.err;
    };
    EXPECT_EQ(said("cat in.h; echo more > new; cat new"), "insidemore\n");
    EXPECT_THAT(said("cat ../canary"), HasSubstr("No such file"));
    EXPECT_THAT(said("cat link"), HasSubstr("No such file"));
    EXPECT_EQ(said("test -e ../canary || echo none"), "none\n");
    EXPECT_NE(said("echo more > ../new"), "");
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "new"));
}

TEST_F(ConfinedTest, ThreadsThatOutliveItKeepTheirAnswers) {
    std::thread other;
    std::atomic<bool> is_over = false;
    int inside = -1, outside = -1;
    confined(reach_, {}, [&] {
        other = std::thread([&] {
            is_over.wait(false);
            inside = error_of(folder_.file("own/in.h"));
            outside = error_of(folder_.file("canary"));
        });
    });
    is_over = true;
    is_over.notify_all();
    other.join();
    EXPECT_EQ(inside, 0);
    EXPECT_EQ(outside, ENOENT);
}

TEST_F(ConfinedTest, OwnSourcesAndAllFoldersAreFree) {
    int error = -1;
    const auto read = [&] { error = error_of(folder_.file("canary")); };
    confined({}, {}, read);
    EXPECT_EQ(error, 0);
    error = -1;
    confined(PathSandbox({"/"}), {}, read);
    EXPECT_EQ(error, 0);
    EXPECT_THROW(confined(reach_, {}, [] { throw std::out_of_range(""); }), std::out_of_range);
}

TEST_F(ConfinedTest, TheHomeFolderStaysClosedHoweverPathsNameIt) {
    const std::string path = std::getenv("PATH"), place = folder_.path().string();
    const char* const before = std::getenv("HOME");
    const std::string home = before ? before : "", canary = folder_.file("canary");
    const auto with_path = [&](const std::string& end, const std::string& file) {
        ::setenv("PATH", (path + ":" + end).c_str(), 1);
        const int error = tried(file);
        ::setenv("PATH", path.c_str(), 1);
        return error;
    };
    std::filesystem::create_directory_symlink(place, folder_.path() / "own/home");
    for (const std::string& own : {place, place + "/", place + "/own/.."}) {
        ::setenv("HOME", own.c_str(), 1);
        for (const char* const end : {"", "/", "/.", "//", "/own/..", "/own/home/", "/.."}) {
            EXPECT_EQ(with_path(place + end, canary), ENOENT) << own << " " << end;
        }
    }
    ::setenv("HOME", "/nonexistent", 1);
    EXPECT_EQ(with_path(place + "/", canary), 0) << "an installation, if it is not the home";
    ::unsetenv("HOME");
    if (const passwd* const user = ::getpwuid(::getuid()); ::access(user->pw_dir, R_OK) == 0) {
        EXPECT_NE(with_path(std::string(user->pw_dir) + "/", user->pw_dir), 0);
    }
    if (before) ::setenv("HOME", home.c_str(), 1);
}

/// In a process whose system lacks a call: the exit code is the errno of reading a canary, or 100
/// where nothing was compiled.
int where_lacking(unsigned call, const std::optional<PathSandbox>& reach, const std::string& file) {
    const pid_t child = ::fork();
    if (child == 0) {
        sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
        const sock_fprog program{std::size(filter), filter};
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
        int error = 101;
        try {
            confined(reach, {}, [&] { error = error_of(file); });
        } catch (const Unsupported& said) {
            error = std::string(said.what()).find("--allow /") != std::string::npos ? 100 : 102;
        }
        ::_exit(error);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(ConfinedTest, NothingIsCompiledWhereTheSystemCannot) {
    constexpr unsigned create_ruleset = 444;
    EXPECT_EQ(where_lacking(create_ruleset, reach_, folder_.file("canary")), 100);
    EXPECT_EQ(where_lacking(SYS_seccomp, reach_, folder_.file("canary")), EACCES)
        << "there, but closed";
    EXPECT_EQ(where_lacking(SYS_seccomp, reach_, folder_.file("own/in.h")), 0);
}

}  // namespace
}  // namespace parallax::confined_test
