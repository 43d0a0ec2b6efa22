// Tests the program with OpenCL platforms that crash the process during enumeration.
#include <cstdlib>

#include "cli/tests/diff_fixture.hpp"

namespace parallax::cli::platforms_test {
namespace {

/// Runs the real program, which loads platforms once, with two broken ones.
class BadPlatforms : public Diffs {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
        fs::create_directories("vendors");
        for (const char* how : {"aborts", "exits"}) {
            put(fmt::format("vendors/{}.icd", how),
                fmt::format("{}/libicd_that_{}.so\n", std::getenv("ICD_FOLDER"), how));
        }
    }
    static int program(const std::string& words) {
        const std::string command = fmt::format("OCL_ICD_VENDORS=$PWD/vendors '{}' {} >out 2>err",
                                                std::getenv("PARALLAX_PROGRAM"), words);
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    static void expect_named() {
        const std::string err = text_of("err");
        EXPECT_TRUE(holds(err,
                          "libicd_that_aborts.so ended the process that looked at it "
                          "(signal 6); it is left out."))
            << err;
        EXPECT_TRUE(holds(err,
                          "libicd_that_exits.so ended the process that looked at it (exit "
                          "code 3); it is left out."))
            << err;
    }
};

TEST_F(BadPlatforms, AloneAreNoDevice) {
    // Another backend may have a device.
    const int code = program("devices");
    EXPECT_TRUE(code == 0 || code == 5) << code;
    expect_named();
    EXPECT_FALSE(holds(text_of("err"), "No OpenCL platform is installed"));
    EXPECT_EQ(program("run -d opencl -s transpose/naive -n 64x64"), 2);
    expect_named();
    EXPECT_EQ(program("list"), 0);
    EXPECT_EQ(text_of("err"), "") << "what needs no device looks at none";
}

TEST_F(BadPlatforms, AreWhatTheDoctorFinds) {
    EXPECT_EQ(program("doctor"), 5);
    const std::string out = text_of("out");
    EXPECT_TRUE(holds(out, "libicd_that_aborts.so")) << out;
    EXPECT_TRUE(holds(out, "libicd_that_exits.so")) << out;
    EXPECT_TRUE(holds(out, "[left-out]")) << out;
    EXPECT_TRUE(holds(out, "Cure: Install that driver again")) << out;
    EXPECT_FALSE(holds(out, "Nothing was found")) << out;
}

TEST_F(BadPlatforms, LeaveTheOthers) {
    if (!has_device() || !fs::exists("/etc/OpenCL/vendors")) GTEST_SKIP() << "no device";
    for (const fs::directory_entry& entry : fs::directory_iterator("/etc/OpenCL/vendors")) {
        fs::copy_file(entry.path(), "vendors" / entry.path().filename());
    }
    EXPECT_EQ(program("devices"), 0);
    expect_named();
    EXPECT_TRUE(holds(text_of("out"), "opencl:0")) << text_of("out");
    EXPECT_EQ(program("run -s transpose/naive -n 64x64 --check --budget 100000"), 0)
        << text_of("err");
    expect_named();
    EXPECT_TRUE(holds(text_of("out"), "naive")) << text_of("out");
}

}  // namespace
}  // namespace parallax::cli::platforms_test
