// Tests platforms that crash or hang when they are loaded, and the remaining ones.
#include "backends/opencl/platforms.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/text/install_paths.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::opencl::platforms_test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// For a call that returns at once, however busy the machine is.
constexpr std::chrono::hours long_enough{1};
/// For a call that never returns.
constexpr std::chrono::milliseconds soon{50};

/// Calls the ICD loader for the first time.
void load_all() {
    for (const Icd& icd : installed_icds()) {
        void* const library = dlopen(icd.library.c_str(), RTLD_NOW);
        if (!library) throw DeviceError(icd.library);
        void* const entry = dlsym(library, "clGetExtensionFunctionAddress");
        reinterpret_cast<void* (*)(const char*)>(entry)("clIcdGetPlatformIDsKHR");
    }
}

class Platforms : public testing::Test {
protected:
    TemporaryFolder place_{"parallax-icd-"};
    fs::path folder_ = place_.path();

    Platforms() { setenv("OCL_ICD_VENDORS", folder_.c_str(), 1); }
    ~Platforms() override { unsetenv("OCL_ICD_VENDORS"); }
    static std::string library(const std::string& how) {
        return fs::path(ICD_FOLDER) / ("libicd_that_" + how + ".so");
    }
    void install(const std::string& how) {
        std::ofstream(folder_ / (how + ".icd")) << library(how) << "\n";
    }
    static std::vector<std::string> files(const std::vector<Icd>& icds) {
        std::vector<std::string> names;
        for (const Icd& icd : icds) names.push_back(icd.file);
        return names;
    }
};

TEST_F(Platforms, AreThoseOfTheFolder) {
    install("answers");
    install("aborts");
    std::ofstream(folder_ / "readme.txt") << "no platform\n";
    const auto icds = installed_icds();
    EXPECT_THAT(files(icds), ElementsAre("aborts.icd", "answers.icd"));
    EXPECT_EQ(icds.at(1).library, library("answers"));
}

TEST_F(Platforms, MayBeOneFileOrOneLibrary) {
    install("answers");
    setenv("OCL_ICD_VENDORS", (folder_ / "answers.icd").c_str(), 1);
    EXPECT_EQ(installed_icds().at(0).library, library("answers"));
    setenv("OCL_ICD_VENDORS", library("aborts").c_str(), 1);
    EXPECT_EQ(installed_icds().at(0).library, library("aborts"));
    unsetenv("OCL_ICD_VENDORS");
    setenv("OPENCL_VENDOR_PATH", folder_.c_str(), 1);
    EXPECT_THAT(files(installed_icds()), ElementsAre("answers.icd"));
    unsetenv("OPENCL_VENDOR_PATH");
}

TEST_F(Platforms, OfAPrefixAreFoundWherePipPutThem) {
    const fs::path vendors = folder_ / "etc/OpenCL/vendors";
    EXPECT_THAT(icds_of_prefix(folder_), IsEmpty());
    fs::create_directories(vendors);
    fs::create_directories(folder_ / "lib");
    std::ofstream(folder_ / "lib/libmoved.so") << "a library";
    std::ofstream(folder_ / "libhere.so") << "a library";
    std::ofstream(vendors / "moved.icd") << "/where/it/was/built/lib/libmoved.so\n";
    std::ofstream(vendors / "here.icd") << (folder_ / "libhere.so").string() << "\n";
    std::ofstream(vendors / "elsewhere.icd") << "/where/it/was/built/lib/libelsewhere.so\n";
    const auto icds = icds_of_prefix(folder_);
    ASSERT_THAT(files(icds), ElementsAre("here.icd", "moved.icd"));
    EXPECT_EQ(icds.at(0).library, folder_ / "libhere.so");
    EXPECT_EQ(icds.at(1).library, folder_ / "lib/libmoved.so");
}

TEST_F(Platforms, NextToTheProgramAreUsedUnlessAVariableNamesOthers) {
    // The program of this test is in a folder whose parent is the prefix.
    const fs::path own = program_folder().parent_path() / "etc/OpenCL/vendors";
    ASSERT_FALSE(fs::exists(own));
    fs::create_directories(own);
    std::ofstream(own / "answers.icd") << library("answers") << "\n";
    EXPECT_THAT(files(installed_icds()), IsEmpty()) << "a variable names an empty folder";
    unsetenv("OCL_ICD_VENDORS");
    EXPECT_THAT(files(installed_icds()), Contains("own-answers.icd"));
    const Harmless harmless = harmless_icds([] {}, long_enough, long_enough);
    ASSERT_TRUE(harmless.icds) << "the loader must be told of them";
    EXPECT_THAT(files(*harmless.icds), Contains("own-answers.icd"));
    fs::remove_all(program_folder().parent_path() / "etc");
}

TEST_F(Platforms, ThatAreWellAreNotLookedAtOneByOne) {
    install("answers");
    const fs::path looks = folder_ / "looks";
    const Harmless harmless = harmless_icds(
        [&] {
            load_all();
            std::ofstream(looks, std::ios::app) << "x";
        },
        long_enough, long_enough);
    EXPECT_FALSE(harmless.icds);
    EXPECT_THAT(harmless.left_out, IsEmpty());
    EXPECT_EQ(fs::file_size(looks), 1u);
}

TEST_F(Platforms, ThatEndTheProcessAreNamedAndLeftOut) {
    for (const auto& [how, end] : {std::pair{"aborts", "signal 6"},
                                   {"exits", "exit code 3"},
                                   {"exits_well", "exit code 0"}}) {
        SCOPED_TRACE(how);
        install("answers");
        install(how);
        const Harmless harmless = harmless_icds(load_all, long_enough, long_enough);
        ASSERT_TRUE(harmless.icds);
        EXPECT_THAT(files(*harmless.icds), ElementsAre("answers.icd"));
        EXPECT_THAT(harmless.left_out, ElementsAre("The OpenCL platform of " + library(how) +
                                                   " ended the process that looked at it (" + end +
                                                   "); it is left out. It said: There is no sky."));
        fs::remove(folder_ / (std::string(how) + ".icd"));
    }
}

TEST_F(Platforms, ThatNeverAnswerAreLeftOutAfterOneLook) {
    install("hangs");
    const fs::path looks = folder_ / "looks";
    const auto look = [&] {
        const bool hangs = std::ranges::any_of(
            installed_icds(), [](const Icd& icd) { return icd.file == "hangs.icd"; });
        if (hangs && fs::exists(looks)) std::_Exit(1);  // a second one
        if (hangs) std::ofstream(looks) << "one";
        load_all();
    };
    for (const bool is_alone : {true, false}) {
        SCOPED_TRACE(is_alone);
        if (!is_alone) install("answers");
        fs::remove(looks);
        const Harmless harmless = harmless_icds(look, soon, long_enough);
        ASSERT_TRUE(harmless.icds);
        EXPECT_EQ(harmless.icds->size(), is_alone ? 0 : 1);
        EXPECT_THAT(harmless.left_out,
                    ElementsAre(HasSubstr(
                        "libicd_that_hangs.so did not answer within 0.05 s; it is left out.")));
    }
}

TEST_F(Platforms, AFileThatIsNoneIsNotWaitedFor) {
    install("answers");
    const fs::path pipe = folder_ / "pipe.icd";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", folder_ / "zero.icd");
    std::ofstream(folder_ / "library.icd") << pipe.string() << "\n";
    EXPECT_THAT(files(installed_icds()), ElementsAre("answers.icd"));
    const Harmless harmless = harmless_icds(load_all, long_enough, long_enough);
    ASSERT_TRUE(harmless.icds);
    EXPECT_THAT(files(*harmless.icds), ElementsAre("answers.icd"));
    EXPECT_THAT(harmless.left_out,
                ElementsAre(pipe.string() + " is no plain file; its OpenCL platform is left out.",
                            pipe.string() + " is no plain file; its OpenCL platform is left out.",
                            HasSubstr("zero.icd is no plain file")));
    setenv("OCL_ICD_VENDORS", pipe.c_str(), 1);
    EXPECT_THAT(installed_icds(), IsEmpty());
}

TEST_F(Platforms, ThatAreWellOnlyAloneAreAllLeftOut) {
    install("answers");
    install("exits");
    const Harmless harmless = harmless_icds(
        [] {
            if (installed_icds().size() != 1) std::abort();
        },
        long_enough, long_enough);
    ASSERT_TRUE(harmless.icds);
    EXPECT_THAT(*harmless.icds, IsEmpty());
    EXPECT_THAT(harmless.left_out, ElementsAre(HasSubstr("OpenCL's loader ended the process")));
}

TEST_F(Platforms, AnErrorIsNoEnd) {
    const LookEnd end = look_apart([] { throw DeviceError("It is so."); }, long_enough);
    EXPECT_EQ(end.how, "");
}

TEST_F(Platforms, NothingThatALookStartsOutlivesIt) {
    const fs::path file = folder_ / "pid";
    look_apart(
        [&] {
            std::ofstream(file) << getpid() << std::endl;
            while (true) pause();
        },
        std::chrono::milliseconds(200));
    pid_t child = 0;
    std::ifstream(file) >> child;
    if (child > 0) {
        EXPECT_NE(kill(child, 0), 0);
    }
}

TEST_F(Platforms, TheLoaderFindsOnlyThoseThatItMay) {
    install("answers");
    install("aborts");
    const std::string before = std::getenv("OCL_ICD_VENDORS");
    std::string during;
    {
        const OnlyIcds only({{"answers.icd", library("answers")}});
        during = std::getenv("OCL_ICD_VENDORS");
        EXPECT_THAT(files(installed_icds()), ElementsAre("answers.icd"));
    }
    EXPECT_EQ(std::getenv("OCL_ICD_VENDORS"), before);
    EXPECT_FALSE(fs::exists(during));
    unsetenv("OCL_ICD_VENDORS");
    { const OnlyIcds none({}); }
    EXPECT_EQ(std::getenv("OCL_ICD_VENDORS"), nullptr);
}

}  // namespace
}  // namespace parallax::opencl::platforms_test
