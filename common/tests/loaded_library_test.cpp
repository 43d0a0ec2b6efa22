// Tests a library that exists, a missing one, and one that lacks a function.
#include "common/device/loaded_library.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::loaded_library_test {
namespace {

using testing::HasSubstr;

LibraryWords words(std::vector<std::string> files) {
    return {.name = "Bessel",
            .variable = "PARALLAX_TEST_LIBRARY",
            .files = std::move(files),
            .advice = "Build it."};
}

std::string problem_of(const LoadedLibrary& library, const char* function) {
    double (*found)(double) = nullptr;
    try {
        library.resolve(function, found);
        return "none";
    } catch (const Unsupported& error) {
        return error.what();
    }
}

TEST(LoadedLibrary, TheFirstFileThatLoadsIsTaken) {
    const LoadedLibrary library(words({"libnowhere.so.7", "libm.so.6"}));
    ASSERT_TRUE(library.available());
    double (*function)(double) = nullptr;
    library.resolve("j0", function);
    ASSERT_NE(function, nullptr);
    EXPECT_EQ(function(0), 1);
    EXPECT_EQ(problem_of(library, "no_such_function"),
              "This Bessel has no function no_such_function.");
}

TEST(LoadedLibrary, OneThatIsNotThereSaysHowToGetIt) {
    const LoadedLibrary library(words({"libnowhere.so.7"}));
    EXPECT_FALSE(library.available());
    EXPECT_EQ(problem_of(library, "j0"), "Bessel was not found. Build it.");
}

TEST(LoadedLibrary, AFileThatIsNoLibraryIsNamedWithTheLoadersWords) {
    const TemporaryFolder folder("parallax-library-");
    const std::string file = folder.put("libm.so", "text"), pipe = folder.file("pipe");
    EXPECT_THAT(problem_of(LoadedLibrary(words({"libnowhere.so.7", file})), "j0"),
                HasSubstr(file + ": "));
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(problem_of(LoadedLibrary(words({pipe})), "j0"),
                HasSubstr(pipe + " is no plain file"));
}

TEST(LoadedLibrary, TheVariableNamesTheFileAndNothingElse) {
    setenv("PARALLAX_TEST_LIBRARY", "/nowhere/libm.so.6", 1);
    const LoadedLibrary library(words({"libm.so.6"}));
    unsetenv("PARALLAX_TEST_LIBRARY");
    EXPECT_THAT(problem_of(library, "j0"),
                HasSubstr("from '/nowhere/libm.so.6', which PARALLAX_TEST_LIBRARY names"));
}

}  // namespace
}  // namespace parallax::loaded_library_test
