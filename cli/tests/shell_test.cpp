// Tests completion, manual pages, settings and colours, and that every error says what to do.
#include <fstream>
#include <set>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/sanitizing_stream.hpp"
#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "common/text/text.hpp"
#include "report/report.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli::shell_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Shell : public CommandLine {
protected:
    std::string offered(std::vector<std::string> words) {
        words.insert(words.begin(), "--complete");
        return run(words).out;
    }
    void write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
    }
};

TEST_F(Shell, OffersWhatMayStandThere) {
    EXPECT_EQ(offered({"swee"}), "sweep\ta constant or a size over many values\n");
    EXPECT_THAT(offered({"run", "--bud"}), StartsWith("--budget\t"));
    EXPECT_THAT(offered({"run", "-s", "transpose/n"}), StartsWith("transpose/naive\t"));
    EXPECT_THAT(offered({"show", "transp"}), StartsWith("transpose/\t"));
    EXPECT_THAT(offered({"show", "ho"}), StartsWith("host\t"));
    EXPECT_EQ(offered({"explain", "ho"}), "");
    EXPECT_THAT(offered({"run", "-s", "transpose", "--define", "TI"}), StartsWith("TILE=\t"));
    EXPECT_THAT(offered({"run", "-s", "transpose", "--define", "TILE=3"}), StartsWith("TILE=32\t"));
    EXPECT_THAT(offered({"run", "-s", "reduction", "--define", "OP=m"}), HasSubstr("OP=max\t"));
    EXPECT_EQ(offered({"devices", "--format", ""}), "text\t\njson\t\n");
    EXPECT_EQ(offered({"run", "--floats", "e"}), "exact\t\n");
    EXPECT_THAT(offered({"lesson", "sten"}), StartsWith("stencil\t"));
    // A constant of another suite, a second case, and another program's words.
    EXPECT_EQ(offered({"run", "-s", "reduction", "--define", "TILE"}), "");
    EXPECT_EQ(offered({"show", "transpose/naive", "tr"}), "");
    EXPECT_EQ(offered({"capture", "-o", "x", "--", "ru"}), "");
    EXPECT_EQ(offered({"nothing", ""}), "");
    for (const Command& command : commands()) {
        for (const OptionWords& one : options_of(command)) {
            const std::string lines = "\n" + offered({command.name, "--"});
            EXPECT_EQ(lines.find("\n--" + one.long_name + "\t") != lines.npos, !one.is_positional)
                << command.name << " " << one.long_name;
        }
    }
}

TEST_F(Shell, ManualAndHelpSayTheSame) {
    for (const Command& command : commands()) {
        const std::string page = run({"--man", command.name}).out;
        EXPECT_THAT(page, HasSubstr(".SH EXAMPLES"));
        EXPECT_EQ(page.find("\n."), page.find("\n.SH"));  // no text is taken for a request
        const std::string help = help_page(command, 70);
        for (const OptionWords& one : options_of(command)) {
            if (one.is_positional) {
                EXPECT_THAT(help, Not(HasSubstr("--" + one.long_name + " ")));
            } else {
                EXPECT_THAT(help, HasSubstr(one.spelled())) << command.name;
            }
        }
    }
}

TEST_F(Shell, HelpSaysWhatAnOptionsValueIs) {
    const std::set<std::string> kinds{"device",   "suite",        "size",    "type",
                                      "format",   "arch",         "variant", "strategy",
                                      "language", "try-exchange", "side",    "dialect"};
    for (const Command& command : commands()) {
        for (const OptionWords& one : options_of(command)) {
            const bool is_own_name = lower_case(one.value) == one.long_name;
            if (one.is_positional || kinds.contains(one.long_name)) continue;
            EXPECT_FALSE(is_own_name) << command.name << " " << one.spelled();
        }
    }
    EXPECT_THAT(run({"run", "--help"}).out, HasSubstr("--watchdog SECONDS"));
    const std::string port = run({"port", "--help"}).out;
    EXPECT_THAT(port, HasSubstr("exit codes\n    0  the source was printed"));
    EXPECT_THAT(run({"--man", "port"}).out, HasSubstr("a construct has no rule"));
}

TEST_F(Shell, HelpStaysWithinTheTerminal) {
    for (const std::size_t width : {70u, 80u, 100u}) {
        std::string all = help_page(width);
        for (const Command& command : commands()) {
            const std::string page = help_page(command, width);
            all += page.substr(0, page.find("\nexamples:"));  // they are to be copied
        }
        std::istringstream lines(all);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(columns_of(line), width) << line;
        }
    }
}

TEST_F(Shell, SentencesAreWrappedAndTablesAreNot) {
    std::ostringstream to;
    {
        const SanitizingStream stream(to, 20);
        to << "One sentence that " << std::flush << "is longer than" << std::flush << " twenty."
           << std::flush << "\na  table      stays as it is\nshort\n";
    }
    EXPECT_EQ(
        to.str(),
        "One sentence that is\n  longer than\n  twenty.\na  table      stays as it is\nshort\n");
}

TEST_F(Shell, JsonWhereATableIs) {
    EXPECT_EQ(Json::parse(run({"list", "--json"}).out).size(), suites().size());
    const Json one = Json::parse(run({"list", "transpose", "--json"}).out);
    EXPECT_EQ(one.at("variants").at(0).at("name"), "naive");
    EXPECT_EQ(one.at("constants").at(0).at("name"), suite_named("transpose").constants.at(0).name);
    const Json rows = Json::parse(run({"map", "clFinish", "--json"}).out);
    EXPECT_THAT(rows.at(0).at("cuda").get<std::string>(), HasSubstr("Synchronize"));
    EXPECT_EQ(run({"devices", "--json"}).out, run({"devices", "--format", "json"}).out);
    expect_usage({"devices", "--json", "--format", "text"}, "same thing");
    expect_usage({"show", "transpose/naive", "--json"}, "show --help");
    expect_usage({"port", "mine.cl", "--json"}, "--check");
    std::filesystem::create_directories("bare");
    const Ended bare = run({"doctor", "--root", "bare", "--json"});
    EXPECT_EQ(bare.code, 5);
    EXPECT_EQ(Json::parse(bare.out).at("findings").at(0).at("name"), "no-card");
    // These show sources, pages and other programs' output, and no table.
    const std::set<std::string> without{"show", "open", "capture", "mcp"};
    for (const Command& command : commands()) {
        const std::vector<std::string> formats = choices_of(command, "format");
        EXPECT_EQ(std::ranges::count(formats, "json") == 0, without.contains(command.name))
            << command.name;
    }
}

TEST_F(Shell, ColoursAreAskedFor) {
    const std::string file = std::string(SOURCE_ROOT) + "/results/nvidia-h100-80gb-hbm3/diff.jsonl";
    const auto diff = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"diff", file, "-s", "multiply"});
        return run(more).out;
    };
    EXPECT_THAT(diff({"--color", "always"}), HasSubstr("\x1b["));
    EXPECT_THAT(diff({"--color=always"}), HasSubstr("\x1b["));
    EXPECT_THAT(diff({"--color", "never"}), Not(HasSubstr("\x1b")));
    EXPECT_THAT(diff({}), Not(HasSubstr("\x1b")));  // no terminal
    expect_usage({"diff", "--color", "sometimes"}, "auto, always, never");
    expect_usage({"diff", "--color"}, "auto, always");
}

TEST_F(Shell, CasesForASpreadsheet) {
    const std::string file = std::string(SOURCE_ROOT) + "/results/nvidia-h100-80gb-hbm3/diff.jsonl";
    const Json all = Json::parse(run({"diff", file, "--json"}).out).at("cases");
    std::istringstream lines(run({"diff", file, "--format", "csv"}).out);
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_THAT(line, StartsWith("title,suite,variant,type,shape,constants,verdict,reason,decision,"
                                 "ratio,ratio_low,ratio_high,"));
    EXPECT_THAT(line, HasSubstr(",seconds_a,seconds_low_a,seconds_high_a,"));
    std::size_t count = 0;
    for (; std::getline(lines, line); ++count) {
        ASSERT_LT(count, all.size());
        EXPECT_THAT(line, HasSubstr(all.at(count).at("suite").get<std::string>()));
        EXPECT_TRUE(line.ends_with("\r"));
        const Json ratio = all.at(count).at("ratio");
        const std::string value = ratio.is_null() ? "," : "," + ratio.at("value").dump() + ",";
        EXPECT_THAT(line, HasSubstr(value));
    }
    EXPECT_EQ(count, all.size());
}

TEST_F(Shell, ThePagesTableForASpreadsheetIsTheCommands) {
    const std::string results = std::string(SOURCE_ROOT) + "/results/";
    if (page_libraries().chart.empty()) GTEST_SKIP() << "There is no page without Chart.js.";
    for (const char* file : {"nvidia-h100-80gb-hbm3/diff.jsonl", "nvidia-h200/diff.jsonl",
                             "nvidia-h200/explain.jsonl"}) {
        const Ended page = run({"diff", results + file, "--format", "html"});
        constexpr std::string_view start = "<script type=\"application/json\" id=\"data\">";
        const std::size_t from = page.out.find(start) + start.size();
        const std::string data = page.out.substr(from, page.out.find("</script>", from) - from);
        EXPECT_EQ(Json::parse(data).at("csv").get<std::string>(),
                  run({"diff", results + file, "--format", "csv"}).out)
            << file;
    }
}

TEST_F(Shell, AProjectsFileSetsWhatTheLineLeavesOpen) {
    const std::string file = std::string(SOURCE_ROOT) + "/results/nvidia-h100-80gb-hbm3/diff.jsonl";
    const std::vector<std::string> words{"diff", file, "--json"};
    const auto margin = [&](const Ended& e) {
        return e.code == 0 || e.code == 1 ? Json::parse(e.out).at("margin").get<double>() : -1;
    };
    EXPECT_EQ(margin(run(words)), 0.02);
    write("parallax.toml", "margin = \"3%\"\nbudget = 5\ndevices = [\"opencl:0\", \"cuda:0\"]\n");
    Ended e = run(words);
    // A budget and devices of the settings are no error where files are compared.
    EXPECT_EQ(margin(e), 0.03) << e.err;
    EXPECT_THAT(e.err, HasSubstr("parallax.toml: budget = 5, margin = 3%\n"));
    EXPECT_EQ(margin(run({"diff", file, "--json", "--margin", "4%"})), 0.04);
    write("parallax.toml", "margin = \"3%\"\n[diff]\nmargin = \"5%\"\nquiet = true\n");
    e = run(words);
    EXPECT_EQ(margin(e), 0.05);
    EXPECT_THAT(e.err, StartsWith("parallax: from ")) << "the file does not hide what it sets";
    EXPECT_THAT(e.err, HasSubstr("parallax.toml: margin = 5%, quiet\n"));
    EXPECT_EQ(run({"diff", file, "--json", "--quiet"}).err, "");
    std::filesystem::create_directory(folder_ / "below");
    std::filesystem::current_path(folder_ / "below");
    EXPECT_EQ(margin(run(words)), 0.05);
    std::filesystem::current_path(folder_);
    const std::vector<std::pair<const char*, const char*>> wrong{
        {"margn = 3\n", "parallax.toml:1: There is no setting 'margn'. Did you mean 'margin'?"},
        {"\n[dif]\n", "parallax.toml:2: There is no command 'dif'. Did you mean 'diff'?"},
        {"[diff]\nmargn = 3\n", "parallax.toml:2: 'diff' has no option --margn"},
        {"margin = [[1]]\n", "no value that --margin takes"},
        {"[diff]\nquiet = \"yes\"\n", "no value that --quiet takes"},
        {"margin = \n", "parallax.toml:1: "},
        {"[diff]\nallow = [\"/\"]\n", "parallax.toml:2: --allow is taken from the command line"},
        {"[diff]\nallow-command = true\n", "--allow-command is taken from the command line"}};
    for (const auto& [text, words_of_error] : wrong) {
        write("parallax.toml", text);
        expect_usage(words, words_of_error);
    }
    write("parallax.toml", "margin = \"wide\"\n");
    expect_usage(words, "--margin");
    write("parallax.toml", "\xef\xbb\xbfmargin = \"4%\"\n");
    EXPECT_EQ(margin(run(words)), 0.04) << "an editor's mark";
}

/// Words that untrusted settings must not use, and a file below the folder that they may.
struct StrangersWords {
    std::vector<std::string> refused{"../outside/x.md", "link/x.md",     "nowhere.md", ".git/x.md",
                                     "dangling/x.md",   "/tmp/other.md", "./.bashrc",  "a/../../x"};
    std::string taken = "below/x.md";
};

TEST_F(Shell, AStrangersSettingsSetNoCodeAndStayInTheirFolder) {
    // Options other than files that may be set: none of these refers to code.
    const std::set<std::string> plain{
        "again",      "all",          "all-knobs",    "arch",      "budget",         "busy",
        "capability", "check",        "define",       "device",    "dialect",        "expand",
        "explain",    "first",        "floats",       "format",    "fresh-ceilings", "full",
        "html",       "items",        "kernel",       "language",  "launch",         "local",
        "margin",     "max-bytes",    "max-slowdown", "memory",    "no-binaries",    "no-answers",
        "no-check",   "no-questions", "no-wait",      "occupancy", "over",           "pair",
        "per-kernel", "planted",      "processes",    "quiet",     "registers",      "seed",
        "side",       "size",         "strategy",     "strict",    "timeline",       "timing",
        "trials",     "tuned",        "type",         "variant",   "verbose",        "watchdog",
        "why",        "width",        "no-data"};
    const std::set<std::string> of_command{"build again", "capture kernel"};
    const std::filesystem::path project = folder_ / "project";
    std::filesystem::create_directories(project / "below");
    std::filesystem::create_directories(folder_ / "outside");
    std::filesystem::create_symlink(folder_ / "outside", project / "link");
    std::filesystem::create_symlink(folder_ / "outside/new.md", project / "nowhere.md");
    std::filesystem::create_symlink(folder_ / "outside/new", project / "dangling");
    write("project/mine.json", "{}");
    std::filesystem::current_path(project);
    std::ostringstream out, err;
    CommandContext context{out, err, {}};
    const StrangersWords words;
    std::size_t files = 0;
    for (const Command& command : commands()) {
        po::options_description description;
        auto add = description.add_options();
        command.options(add);
        for (const OptionWords& one : options_of(command)) {
            if (one.is_positional) continue;
            SCOPED_TRACE(command.name + " --" + one.long_name);
            const auto said = [&](const std::string& value) -> std::string {
                write("project/parallax.toml",
                      fmt::format("[{}]\n{} = {}\n", command.name, one.long_name, value));
                try {
                    const Values values = values_of(command, {}, context);
                    return values.count(one.long_name) > 0 ? "taken" : "left out";
                } catch (const UsageError& error) {
                    return error.what();
                }
            };
            const auto text = [](const std::string& word) { return "\"" + word + "\""; };
            const std::string harmless = said(one.value.empty() ? "true" : text(words.taken));
            if (harmless.find("from the command line alone") != harmless.npos) {
                continue;  // whatever it says
            }
            const auto* settable = dynamic_cast<const Settable*>(
                description.find(one.long_name, false).semantic().get());
            ASSERT_TRUE(settable);
            if (settable->kind() == Setting::plain) {
                EXPECT_TRUE(plain.contains(one.long_name));
                if (one.long_name == "again" || one.long_name == "kernel") {
                    EXPECT_TRUE(of_command.contains(command.name + " " + one.long_name));
                }
                continue;
            }
            if (settable->kind() == Setting::suite) {
                for (const char* word : {"mine.json", "below/", "../outside/x.json/v", "below/x"}) {
                    EXPECT_THAT(said(text(word)), HasSubstr("names a manifest"));
                }
                EXPECT_EQ(said(text("transpose")), "taken");
                continue;
            }
            ++files;
            EXPECT_EQ(harmless, "taken");
            for (const std::string& word : words.refused) {
                EXPECT_THAT(said(text(word)), HasSubstr("this file may be untrusted")) << word;
            }
            if (settable->kind() == Setting::file) {
                EXPECT_THAT(said(text("below")), HasSubstr("is a folder"));
            }
        }
    }
    EXPECT_GT(files, 20u);
    for (const char* option : {"kernels", "allow", "allow-command", "save", "include", "again"}) {
        const bool flag = std::string_view(option) == "allow-command";
        const char* command = std::string_view(option) == "save"      ? "build"
                              : std::string_view(option) == "include" ? "port"
                                                                      : "run";
        write("project/parallax.toml",
              fmt::format("[{}]\n{} = {}\n", command, option, flag ? "true" : "\"below\""));
        expect_usage({command}, fmt::format("--{} is taken from the command line alone", option));
    }
    // A positional word may name kernels, too.
    for (const char* side : {"mine.json/opencl", "below/x.json", "mine.json"}) {
        write("project/parallax.toml", fmt::format("devices = [\"{}\", \"host:0\"]\n", side));
        expect_usage({"diff"}, "names a manifest");
    }
    // A folder without a capture is one of results.
    for (const bool is_capture : {false, true}) {
        if (is_capture) write("project/below/capture.json", "{}");
        write("project/parallax.toml", "devices = [\"below\", \"below\"]\n");
        EXPECT_EQ(run({"diff"}).err.find("names a manifest") != std::string::npos, is_capture);
    }
    // The two sides of a diff may be files, too.
    write("project/parallax.toml", "devices = [\"../outside/a.jsonl\", \"cuda:0\"]\n");
    expect_usage({"diff"}, "leads out of the file's folder");
}

TEST_F(Shell, ATypeIsNoOtherSuites) {
    expect_usage({"build", "smoothing/plain", "--type", "int"}, "It has: ushort");
    expect_usage({"build", "transpose/naive", "--type", "ushort"}, "It has: float");
    EXPECT_EQ(parse_type("ushort"), ElementType::u16);
    // A run of all suites skips those without the type.
    Request request;
    request.types = {ElementType::u16};
    for (const Case& c : expand(request)) EXPECT_EQ(c.suite->name, "smoothing");
    EXPECT_FALSE(expand(request).empty());
    request.types = {ElementType::f64};
    for (const Case& c : expand(request)) EXPECT_NE(c.suite->name, "smoothing");
    EXPECT_FALSE(expand(request).empty());
    request.picks = {{&suite_named("smoothing"), nullptr}};
    EXPECT_THROW(expand(request), UsageError);
}

TEST_F(Shell, AWordWithALineFeedIsRefused) {
    const std::string name = "a\n::error::F\nparallax: 9 ok.json";
    write(name, "{");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", name}, {"show", "-o" + name, "none"}, {name}}) {
        const Ended e = run(words);
        EXPECT_EQ(e.code, exit_usage);
        EXPECT_THAT(e.err, HasSubstr("has a line feed")) << words[0];
        EXPECT_EQ(std::ranges::count(e.err, '\n'), 1) << e.err;
    }
}

TEST_F(Shell, AStrangersReportReplacesNothingButReports) {
    const auto of_setting = [&](const std::string& held) {
        write("x.xml", held);
        return run({"run", "--from", "none.jsonl"}).err;
    };
    write("parallax.toml", "[run]\njunit = \"x.xml\"\n");
    for (const char* held : {"__kernel void mine() {}\n", "<testsuites name=\"mine\">", "\n"}) {
        EXPECT_THAT(of_setting(held), HasSubstr("junit x.xml holds something other than a report"));
        EXPECT_EQ(text_of("x.xml"), held);
    }
    for (const char* held : {"", "<?xml version=\"1.0\"?>\n<testsuites name=\"parallax run\">"}) {
        EXPECT_THAT(of_setting(held), Not(HasSubstr("holds something"))) << held;
    }
    std::filesystem::remove("x.xml");
    ASSERT_EQ(::mkfifo("x.xml", 0600), 0);
    EXPECT_THAT(run({"run", "--from", "none.jsonl"}).err, HasSubstr("holds something"));
}

TEST_F(Shell, AStrangersPortWritesNothingOutside) {
    std::filesystem::create_directories(folder_ / "project");
    write(".bashrc", "mine\n");
    write("project/k.cl", "/*\necho pwned\n*/\n__kernel void k(__global int* a) { a[0] = 1; }\n");
    write("project/parallax.toml", "[port]\noutput = \"../.bashrc\"\nno-check = true\n");
    std::filesystem::current_path(folder_ / "project");
    expect_usage({"port", "k.cl"}, "parallax.toml:2: --output ../.bashrc leads out of");
    EXPECT_EQ(text_of(folder_ / ".bashrc"), "mine\n");
}

TEST_F(Shell, SettingsOfAnotherUserArePassedOver) {
    constexpr uid_t other = 4711;
    const auto own = [](const std::filesystem::path& path, uid_t owner) {
        return lchown(path.c_str(), owner, static_cast<gid_t>(-1)) == 0;
    };
    std::filesystem::create_directories(folder_ / "a/b");
    write("parallax.toml", "[devices]\nformat = \"json\"\n");
    write("a/parallax.toml", "[devices]\nformat = \"text\"\n");
    std::filesystem::current_path(folder_ / "a/b");
    const auto says = [&] { return run({"devices"}, {}).err; };
    EXPECT_THAT(says(), StartsWith("parallax: from " + (folder_ / "a").string()));
    if (!own(folder_ / "a/parallax.toml", other)) GTEST_SKIP() << "only root gives files away";
    const auto expect_outer = [&](const char* what) {
        EXPECT_THAT(says(), StartsWith("parallax: " + (folder_ / "a/parallax.toml").string() +
                                       " is passed over: it or its folder belongs to another"))
            << what;
        EXPECT_THAT(says(), HasSubstr("parallax: from " + (folder_ / "parallax.toml").string() +
                                      ": format = json\n"))
            << what;
    };
    expect_outer("the file");
    ASSERT_TRUE(own(folder_ / "a/parallax.toml", geteuid()) && own(folder_ / "a", other));
    expect_outer("the folder");
    ASSERT_TRUE(own(folder_ / "a", geteuid()));
    std::filesystem::remove(folder_ / "a/parallax.toml");
    std::filesystem::create_symlink(folder_ / "parallax.toml", folder_ / "a/parallax.toml");
    EXPECT_THAT(says(), StartsWith("parallax: from " + (folder_ / "a").string()));
    ASSERT_TRUE(own(folder_ / "a/parallax.toml", other));
    expect_outer("a link to a file of the caller's");
}

TEST_F(Shell, SettingsHaveLimits) {
    std::string levels = "a", lines;
    for (int i = 0; i < 30'000; ++i) levels += ".a";
    for (int i = 0; i < 100'000; ++i) lines += fmt::format("run.k{} = 1\n", i);
    write("parallax.toml", levels + " = 1\n");
    expect_usage({"devices"}, "has more than 500 dots");
    write("parallax.toml", levels + levels + levels + " = 1\n");
    expect_usage({"devices"}, "65536 are the most");
    write("parallax.toml", lines);
    expect_usage({"devices"}, "65536 are the most");
    write("parallax.toml", "a = " + std::string(60'000, '[') + "\n");
    expect_usage({"devices"}, "parallax.toml:1: ");
}

TEST_F(Shell, OpensTheLastPage) {
    expect_usage({"open"}, "diff -o page.html");
    expect_usage({"open", "nothing.html"}, "no file nothing.html");
    write("other.html", "<title>Something else</title>");
    expect_usage({"open"}, "diff -o page.html");
    write("page.html", "<title>Parallax</title>");
    write("browser", "#!/bin/sh\necho \"$1\" > opened\n");
    std::filesystem::permissions(folder_ / "browser", std::filesystem::perms::owner_all);
    setenv("BROWSER", (folder_ / "browser").c_str(), 1);
    EXPECT_EQ(run({"open"}).code, 0);
    EXPECT_EQ(text_of(folder_ / "opened"), (folder_ / "page.html").string() + "\n");
    setenv("BROWSER", "false", 1);
    const Ended unopened = run({"open"});
    EXPECT_EQ(unopened.code, 5);
    EXPECT_THAT(unopened.err, HasSubstr("false did not open it. Set BROWSER"));
    setenv("BROWSER", "no-such-browser", 1);
    const Ended e = run({"open"});
    unsetenv("BROWSER");
    EXPECT_EQ(e.code, 5);
    EXPECT_THAT(e.err, HasSubstr("Set BROWSER"));
    EXPECT_THAT(e.out, HasSubstr("page.html"));
}

/// An error, and a word of the advice.
struct Mistake {
    std::vector<std::string> words;
    const char* wrong;
    const char* help;
};

TEST_F(Shell, EveryErrorSaysWhatToDo) {
    write("text.jsonl", "no record\n");
    write("empty.jsonl", "");
    write("broken.json", "{\"kernel\": }");
    write("bad.cl", "kernel void f(global float* a) { a[0] = frexp2(a[1]); }\n");
    const std::vector<Mistake> mistakes{
        {{"rnu"}, "'rnu'", "Did you mean 'run'?"},
        {{"run", "--budgt", "3"}, "budgt", "run --help"},
        {{"run", "-s", "transpos"}, "'transpos'", "Did you mean 'transpose'?"},
        {{"run", "-s", "transpose/padde"}, "'padde'", "Did you mean 'padded'?"},
        {{"run", "-d", "metal"}, "'metal'", "There are"},
        {{"run", "--type", "quad"}, "'quad'", "float"},
        {{"run", "--floats", "fast"}, "'fast'", "There are: exact"},
        {{"run", "--format", "xml"}, "'xml'", "There are: text, json"},
        {{"run", "-s", "transpose", "-n", "12"}, "12", "width x height"},
        {{"run", "-s", "transpose", "--define", "TIL=4"}, "TIL", "TILE"},
        {{"run", "--budget", "0"}, "--budget", "greater than 0"},
        {{"run", "--budget", "x%value%"}, "x%value%", "run --help"},
        {{"run", "--x%original_token%"}, "x%original_token%", "run --help"},
        {{"run", "-o", "/dev/null/x.jsonl"}, "/dev/null", "annot"},
        {{"run", "nothing.json"}, "nothing.json", "port FILE.cl --init"},
        {{"diff", "opencl:0"}, "one side", "parallax diff opencl:0 DEVICE"},
        {{"diff", "text.jsonl"}, "text.jsonl", "run -o FILE"},
        {{"diff", "empty.jsonl"}, "empty.jsonl", "run -o FILE"},
        {{"diff", "no.jsonl"}, "no.jsonl", "run -o FILE"},
        {{"diff", "opencl:0", "no.jsonl"}, "a device and a file", "run -d DEVICE -o FILE"},
        {{"diff", "--margin", "wide"}, "'wide'", "5%"},
        {{"diff", "-o", "page.doc"}, "page.doc", "say --format"},
        {{"show"}, "which kernel", "parallax list"},
        {{"show", "transpose"}, "Which variant", "there are: naive, "},
        {{"show", "transpos"}, "'transpos'", "Did you mean 'transpose'?"},
        {{"show", "nosuch"}, "'nosuch'", "parallax list"},
        {{"run", "--fromat", "json"}, "'--fromat'", "Did you mean '--format'?"},
        {{"run", "--format", "jsno"}, "'jsno'", "Did you mean 'json'?"},
        {{"map", "nowhere to be found"}, "nowhere to be found", "parallax map"},
        {{"port"}, "file", "port"},
        {{"port", "no.cl"}, "no.cl", "no.cl"},
        {{"sweep", "transpose/naive"}, "--over", "--over"},
        {{"explain"}, "parallax explain", "SUITE/VARIANT"},
        {{"occupancy", "transpose"}, "Which variant", "there are: naive, "},
        {{"build"}, "Which kernel", "SUITE/VARIANT"},
        {{"lesson", "transpos"}, "'transpos'", "Did you mean 'transpose'?"},
        {{"published", "everything"}, "'everything'", "The rows are"},
        {{"selftest", "--trials", "none"}, "--trials", "whole number"},
        {{"capture", "-o", "x"}, "behind --", "parallax capture -o DIR -- PROGRAM"},
        {{"capture", "-o", "x", "./app", "1"}, "Too many words", "stands after '--'"},
        {{"run", "no-such-folder/"}, "no folder 'no-such-folder'", "parallax capture -o DIR"},
        {{"run", "../no/such/saxpy"}, "no folder '../no/such'", "parallax capture -o DIR"},
        {{"run", "../no/such.cl"}, "a kernel's", "--init"},
        {{"capture", "-o", "x", "--", "no-such-program"}, "'no-such-program'", "PATH"},
        {{"capture", "-o", "x", "--", "./no-such-program"}, "no file ./no-such-program", "./app"},
        {{"capture", "-o", "x", "--", "/etc/passwd"}, "/etc/passwd", "chmod +x"},
        {{"capture", "-o", "x", "--", "/etc"}, "/etc is a folder", "program in it"},
        {{"open"}, "no page", "diff -o page.html"},
        {{"list", "two", "words"}, "Too many words", "between quotes"},
        {{"run", "--again", "empty.jsonl"}, "empty.jsonl has no record", "run -o FILE"},
        {{"run", "broken.json"}, "broken.json", "cannot stand there"},
        {{"fleet", ".", "--expect", "no.txt"}, "no file no.txt", "sinfo"},
    };
    for (const Mistake& mistake : mistakes) {
        const Ended e = run(mistake.words);
        const std::string line = fmt::format("parallax {}", fmt::join(mistake.words, " "));
        EXPECT_EQ(e.code, 2) << line << "\n" << e.err;
        EXPECT_EQ(e.out, "") << line;
        EXPECT_THAT(e.err, HasSubstr(mistake.wrong)) << line;
        EXPECT_THAT(e.err, HasSubstr(mistake.help)) << line;
        EXPECT_THAT(e.err, Not(HasSubstr("std::"))) << line;
        EXPECT_TRUE(e.err.ends_with(".\n")) << line << "\n" << e.err;
    }
    const Ended refused = run({"port", "bad.cl"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("bad.cl:1"));
}

}  // namespace
}  // namespace parallax::cli::shell_test
