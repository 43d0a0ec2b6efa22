// Included files: where they are found, the directives around them, and what is rejected.
#include "mapping/preprocess/includes.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/options.hpp"
#include "mapping/preprocess/directives.hpp"

namespace parallax::includes_test {
namespace {

namespace fs = std::filesystem;

class Includes : public ::testing::Test {
protected:
    fs::path before_ = fs::current_path();
    TemporaryFolder place_{"parallax-includes-"};
    fs::path folder_ = place_.path();

    Includes() {
        fs::create_directories(folder_ / "inc/deep");
        fs::current_path(folder_);
    }
    ~Includes() override { fs::current_path(before_); }

    static void file(const fs::path& path, std::string_view text) {
        std::ofstream(path, std::ios::binary) << text;
    }
    static std::string of(std::string_view source, const std::vector<std::string>& folders = {},
                          std::string_view name = "mine.cl") {
        return with_includes(name, source, folders, PathSandbox({""})).text;
    }
    static std::string refusal(std::string_view source,
                               const std::vector<std::string>& folders = {}) {
        try {
            of(source, folders);
        } catch (const Refused& refused) {
            return refused.what();
        }
        return {};
    }
};

TEST(DirectivesOfAText, AreFoundWhereTheyAre) {
    const auto found =
        directives_of(
            "/* a\n#no */ # /* b */ define \\\n X 1 // c\n\"\\\"\n#yes\" 'a' #no\n"
            "// go on \\\n#no\n#\n  #include <a//b>\r\n#if '\"'\n#endif/*x\n*/\n/* no")
            .all;
    ASSERT_EQ(found.size(), 6u);
    EXPECT_EQ(found[0].name + "|" + found[0].rest, "define|X 1");
    EXPECT_EQ(found[0].line, 2u);
    EXPECT_EQ(found[0].last_line, 3u);
    EXPECT_EQ(found[1].name + "|" + found[1].rest, "yes|\" 'a' #no");
    EXPECT_EQ(found[2].name, "");
    EXPECT_EQ(found[3].name + "|" + found[3].rest, "include|<a//b>");
    EXPECT_EQ(found[3].line, 9u);
    EXPECT_EQ(found[4].rest, "'\"'");
    EXPECT_EQ(found[5].last_line, 12u);
    EXPECT_EQ(directives_of("\n/* no").open_comment, 2u);
    EXPECT_EQ(directives_of("/* yes */ // /*").open_comment, 0u);
}

TEST(DirectivesOfAText, AnyBytesEnd) {
    std::uint32_t state = 7;
    const std::string_view alphabet("#\\\r\n\"'/* <>ainclude\0", 20);
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (int i = 0; i < 30; ++i) {
            state = state * 1664525u + 1013904223u;
            text += alphabet[(state >> 16) % alphabet.size()];
        }
        std::size_t before = 0;
        const auto lines = static_cast<unsigned>(std::ranges::count(text, '\n')) + 1;
        for (const DirectiveLine& one : directives_of(text).all) {
            ASSERT_LE(before, one.begin);
            ASSERT_LT(one.begin, one.end);
            ASSERT_LE(one.end, text.size());
            ASSERT_LE(one.line, one.last_line);
            ASSERT_LE(one.last_line, lines);
            ASSERT_EQ(text[one.begin], '#');
            before = one.end;
        }
    }
}

TEST_F(Includes, StandBetweenLines) {
    file("x.h", "int x;\n");
    file("y.h", "int y;");
    EXPECT_EQ(of("a\n#include \"x.h\"\nb"), "a\n#line 1 \"x.h\"\nint x;\n#line 3 \"mine.cl\"\nb");
    EXPECT_EQ(of("  # include \"y.h\" // y\n"), "  #line 1 \"y.h\"\nint y;\n#line 2 \"mine.cl\"\n");
    EXPECT_EQ(of("#include \\\n\"y.h\"\nb"), "#line 1 \"y.h\"\nint y;\n#line 3 \"mine.cl\"\nb");
    EXPECT_EQ(of("no include"), "no include");
    EXPECT_EQ(of("// #include \"x.h\"\n\"#include \\\"x.h\\\"\""),
              "// #include \"x.h\"\n\"#include \\\"x.h\\\"\"");
    EXPECT_EQ(of("#include \"x.h\"\r\nb\r\n"),
              "#line 1 \"x.h\"\nint x;\n#line 2 \"mine.cl\"\r\nb\r\n");
    file("back.h", "int b; \\\n");
    EXPECT_EQ(of("#include \"back.h\""), "#line 1 \"back.h\"\nint b; \\\n\n#line 2 \"mine.cl\"");
    file("empty.h", "");
    EXPECT_EQ(of("#include \"empty.h\"\nb"), "#line 1 \"empty.h\"\n#line 2 \"mine.cl\"\nb");
}

TEST_F(Includes, AreFoundInTheFileFolderAndThenWhereTold) {
    file("inc/x.h", "inc\n");
    file("inc/deep/x.h", "deep\n");
    EXPECT_EQ(of("#include \"x.h\"", {"inc/deep", "inc"}).substr(0, 28),
              "#line 1 \"inc/deep/x.h\"\ndeep\n");
    EXPECT_NE(of("#include \"x.h\"", {}, "inc/mine.cl").find("\ninc\n"), std::string::npos);
    EXPECT_NE(of("#include \"x.h\"", {"inc/deep"}, "inc/mine.cl").find("\ninc\n"),
              std::string::npos);
    EXPECT_NE(of("#include <x.h>", {"inc/deep"}, "inc/mine.cl").find("\ndeep\n"),
              std::string::npos);
    EXPECT_NE(of("#include <x.h>", {}, "inc/mine.cl").find("\ninc\n"), std::string::npos);
    file("inc/deep/y.h", "#include \"x.h\"\n");
    const Included both =
        with_includes("mine.cl", "#include \"inc/deep/y.h\"\n", {}, PathSandbox({""}));
    EXPECT_EQ(both.files, (std::vector<std::string>{"inc/deep/y.h", "inc/deep/x.h"}));
    EXPECT_EQ(both.text,
              "#line 1 \"inc/deep/y.h\"\n#line 1 \"inc/deep/x.h\"\ndeep\n"
              "#line 2 \"inc/deep/y.h\"\n#line 2 \"mine.cl\"\n");
}

TEST_F(Includes, OnceIsOnce) {
    file("x.h", "#pragma once\nint x;\n");
    EXPECT_EQ(of("#include \"x.h\"\n#include \"./x.h\"\nb"),
              "#line 1 \"x.h\"\n\nint x;\n#line 2 \"mine.cl\"\n#line 3 \"mine.cl\"\nb");
    file("y.h", "int y;\n");
    const Included twice =
        with_includes("mine.cl", "#include \"y.h\"\n#include \"y.h\"\n", {}, PathSandbox({""}));
    EXPECT_NE(twice.text.find("int y;"), twice.text.rfind("int y;")) << "nothing says once";
    EXPECT_EQ(twice.files.size(), 1u);
    EXPECT_EQ(of("#pragma once\nint a;"), "\nint a;");
}

TEST_F(Includes, WithinAConditionMayBeMissing) {
    const std::string host = "#ifndef __OPENCL_VERSION__\n#include <math.h>\n#endif\n";
    EXPECT_EQ(of(host), host);
    const std::string macro = "#if 1\n#include WHICH\n#endif\n";
    EXPECT_EQ(of(macro), macro);
    file("x.h", "int x;\n");
    EXPECT_NE(of("#if 0\n#include \"x.h\"\n#endif").find("int x;"), std::string::npos);
    EXPECT_EQ(refusal("#if 0\n#endif\n#include <math.h>\n").substr(0, 29),
              "mine.cl:3: '#include <math.h>");
}

TEST_F(Includes, EveryRefusalHasItsPlace) {
    file("self.h", "\n#include \"self.h\"\n");
    file("a.h", "#include \"b.h\"\n");
    file("b.h", "#include \"a.h\"\n");
    file("nul.h", std::string_view("a\0b", 3));
    file("open.h", "\n/* no end");
    file("lost.h", "\n\n#include \"gone.h\"\n");
    EXPECT_EQ(refusal("#include \"nowhere.h\"", {"inc"}),
              "mine.cl:1: '#include \"nowhere.h\"': no such file in ., inc; name its folder with "
              "-I FOLDER");
    EXPECT_EQ(refusal("#include \"self.h\"").substr(0, 35),
              "self.h:2: '#include \"self.h\"': the ");
    EXPECT_EQ(refusal("#include \"a.h\"").substr(0, 27), "b.h:1: '#include \"a.h\"': th");
    EXPECT_NE(refusal("#include \"nul.h\"").find("NUL byte"), std::string::npos);
    EXPECT_EQ(refusal("#include \"open.h\"").substr(0, 14), "open.h:2: '/*'");
    EXPECT_EQ(refusal("#include \"lost.h\"").substr(0, 9), "lost.h:3:");
    ASSERT_EQ(mkfifo("own.fifo", 0600), 0);
    for (const char* name : {"inc", "own.fifo"}) {
        EXPECT_NE(refusal(std::string("#include \"") + name + "\"")
                      .find(name + std::string(" is no plain file")),
                  std::string::npos);
    }
    EXPECT_NE(refusal("#include \"../\"").find("leads to"), std::string::npos);
    for (const char* name : {"WHICH", "", "\"\"", "\"x", "<x", "\"x.h\" y"}) {
        EXPECT_NE(refusal(std::string("#include ") + name).find("neither"), std::string::npos)
            << name;
    }
    const std::string all = refusal("#include \"nowhere.h\"\n\n#include \"a.h\"\n#include Q");
    EXPECT_EQ(std::ranges::count(all, '\n'), 2) << all;
    EXPECT_NE(all.find("\nmine.cl:4: "), std::string::npos) << all;
    fs::permissions("lost.h", fs::perms::none);
    if (geteuid() != 0) {
        EXPECT_NE(refusal("#include \"lost.h\"").find("cannot be read"), std::string::npos);
    }
}

TEST_F(Includes, StayWithinReach) {
    fs::create_directories("own");
    file("secret.h", "int secret;\n");
    file("inc/x.h", "#include \"../secret.h\"\n");
    fs::create_symlink(folder_ / "secret.h", "own/link.h");
    fs::create_symlink(folder_, "own/up");
    const auto said = [&](const std::string& source, const std::vector<fs::path>& open) {
        try {
            return with_includes("own/mine.cl", source, {"inc"}, PathSandbox(open)).text;
        } catch (const Refused& refused) {
            return std::string(refused.what());
        }
    };
    for (const std::string& name :
         {std::string("../secret.h"), std::string("link.h"), std::string("up/secret.h"),
          std::string("x.h"), (folder_ / "secret.h").string()}) {
        const std::string source = "#include \"" + name + "\"\n";
        const std::string text = said(source, {"own", "inc"});
        EXPECT_EQ(text.find("int secret"), std::string::npos) << name;
        EXPECT_NE(text.find("leads to " + fs::canonical("secret.h").string()), std::string::npos)
            << text;
        EXPECT_NE(text.find("--allow " + fs::canonical(".").string()), std::string::npos) << text;
        EXPECT_NE(said(source, {"own", "."}).find("int secret"), std::string::npos) << name;
    }
    const std::string conditional = "#if 1\n#include \"../secret.h\"\n#endif\n";
    EXPECT_EQ(said(conditional, {"own"}), conditional) << "a compiler does not find it either";
    for (const char* name : {"../secret.h", "../nothing.h"}) {
        EXPECT_NE(said(fmt::format("#include \"{}\"\n", name), {"own"}).find("leads to"),
                  std::string::npos)
            << "whether it is there is not said";
    }
    file("own/y.h", "int y;\n");
    EXPECT_NE(said("#include \"y.h\"\n", {"ow"}).find("leads to"), std::string::npos)
        << "a name that begins alike is another folder";
    EXPECT_NE(said("#include \"y.h\"\n", {"own/"}).find("int y"), std::string::npos);
}

TEST_F(Includes, WhatGrowsWithoutEndIsRefused) {
    for (int i = 0; i < 80; ++i) {
        file("d" + std::to_string(i) + ".h", "#include \"d" + std::to_string(i + 1) + ".h\"\n");
    }
    file("d80.h", "");
    EXPECT_NE(refusal("#include \"d0.h\"").find("more than 64 deep"), std::string::npos);
    EXPECT_EQ(refusal("#include \"d17.h\""), "") << "64 of them";
    for (int i = 0; i < 40; ++i) {
        const std::string next = "#include \"t" + std::to_string(i + 1) + ".h\"\n";
        file("t" + std::to_string(i) + ".h", next + next);
    }
    file("t40.h", "");
    EXPECT_NE(refusal("#include \"t0.h\"").find("more than 10000 files"), std::string::npos);
    file("large.h", std::string(std::size_t{5} << 20, ' '));
    const std::string large = "#include \"large.h\"\n";
    EXPECT_EQ(refusal(large + large + large), "");
    EXPECT_NE(refusal(large + large + large + large).find("more than 16"), std::string::npos);
    fs::resize_file("large.h", (std::size_t{16} << 20) + 1);
    EXPECT_NE(refusal(large).find("the file has more than 16"), std::string::npos);
}

TEST(LineDirective, GivesTheirPlacesToALogThatHeedsNone) {
    const std::string text =
        "#pragma first\n#line 1 \"a.cl\"\nint x;\n#line 1 \"inc/b.h\"\n\nint y;\n#line 3 \"a.cl\"\n"
        "int z;\n";
    EXPECT_EQ(
        with_own_places("<kernel>:3:5: error: x\n<kernel>:6:1: error: y\nsee <kernel>:8", text),
        "a.cl:1:5: error: x\ninc/b.h:2:1: error: y\nsee a.cl:3");
    for (const char* other : {"<kernel>:1:2: pragma", "<kernel>:99:2: far", "<kernel>:x",
                              "<kernel>:", "<kernel>:0", "b.cl:3:5: error"}) {
        EXPECT_EQ(with_own_places(other, text), other);
    }
}

TEST(LineDirective, SpellsTheNameSafely) {
    EXPECT_EQ(line_directive(3, "a b.cl"), "#line 3 \"a b.cl\"");
    EXPECT_EQ(line_directive(3, "a\"\\"), "#line 3 \"a\\\"\\\\\"");
    EXPECT_EQ(line_directive(3, "a\nb").find('\n'), std::string::npos);
}

}  // namespace
}  // namespace parallax::includes_test
