// Tests reading result files: in order, or with helpful errors.
#include "records/results.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "common/text/temporary_folder.hpp"
#include "records/brief.hpp"
#include "records/line.hpp"
#include "records/tests/plain_lines.hpp"
#include "records/write_file.hpp"

namespace parallax::results_test {
namespace {

using namespace fake;
namespace fs = std::filesystem;

class ReadResults : public testing::Test {
protected:
    TemporaryFolder place_{"parallax-results-"};
    fs::path folder_ = place_.path();
    fs::path path_ = folder_ / "file.jsonl";
    std::string record_ = plain_record().dump() + "\n";
    std::string pair_ = plain_pair().dump() + "\n";

    void put(std::string_view text) const {
        std::ofstream(path_, std::ios::binary)
            .write(text.data(), static_cast<std::streamsize>(text.size()));
    }
    ReadSummary read() const {
        return read_results(path_, [](ResultEntry&&, unsigned) {});
    }
    /// The error of the file; the test fails where there is none.
    static std::string said_of(const fs::path& path) {
        try {
            read_results(path);
        } catch (const UsageError& error) {
            return error.what();
        }
        ADD_FAILURE() << "was read";
        return {};
    }
    void expect_said(std::string_view text, const std::vector<std::string>& words) const {
        put(text);
        const std::string said = said_of(path_);
        EXPECT_NE(said.find("file.jsonl"), std::string::npos) << said;
        EXPECT_LT(said.size(), 800u);
        EXPECT_EQ(said.back(), '.');
        for (const std::string& word : words) {
            EXPECT_NE(said.find(word), std::string::npos) << said;
        }
    }
};

TEST_F(ReadResults, LinesComeInOrderWithTheirNumbers) {
    // Several blocks, with boundaries anywhere.
    std::string text;
    std::vector<unsigned> numbers;
    Json record = plain_record();
    unsigned number = 0;
    for (unsigned i = 0; text.size() < (std::size_t{9} << 20); ++i) {
        record["shape"][0] = i + 1;
        record["log"] = std::string(i % 5000, 'x');
        text += record.dump() + "\n";
        numbers.push_back(++number);
        if (i % 7 == 0) {
            text += i % 2 ? "\n" : " \r\n";
            ++number;
        }
    }
    put(text);
    std::size_t taken = 0;
    const ReadSummary summary = read_results(path_, [&](ResultEntry&& line, unsigned at) {
        ASSERT_LT(taken, numbers.size());
        EXPECT_EQ(std::get<Record>(line).key.shape.at(0), taken + 1);
        EXPECT_EQ(at, numbers[taken]);
        ++taken;
    });
    EXPECT_EQ(taken, numbers.size());
    EXPECT_EQ(summary.records, numbers.size());
    EXPECT_FALSE(summary.cut_short);
}

TEST_F(ReadResults, RecordsPairsAndExplanationsAreToldApart) {
    put(record_ + pair_ + plain_explanation().dump() + "\n" + record_);
    const ResultFile file = read_results(path_);
    EXPECT_EQ(file.records.size(), 2u);
    EXPECT_EQ(file.pairs.size(), 1u);
    EXPECT_EQ(file.explanations.size(), 1u);
    EXPECT_EQ(read().records, 4u);
}

TEST_F(ReadResults, NoRecordIsNoError) {
    for (const char* text : {"", "\n", "\n\n  \n", "\r\n"}) {
        put(text);
        EXPECT_EQ(read().records, 0u);
        EXPECT_FALSE(read().cut_short);
    }
}

TEST_F(ReadResults, LineEndsOfOtherSystemsAndTheMarksOfEditors) {
    std::string text = record_;
    text.insert(text.size() - 1, "\r");
    put("\xef\xbb\xbf" + text + text);
    EXPECT_EQ(read().records, 2u);
    put(record_.substr(0, record_.size() - 1));
    EXPECT_EQ(read().records, 1u) << "the last line has no end, and is whole";
    EXPECT_FALSE(read().cut_short);
}

TEST_F(ReadResults, ALineThatWasCutIsLeftOut) {
    const std::string half = record_.substr(0, record_.size() / 2);
    for (const std::string& text : {record_ + half, record_ + half + "\n", half + "\n" + record_,
                                    half + record_ + record_, half + pair_ + record_}) {
        put(text);
        EXPECT_EQ(read().records, 1u);
        EXPECT_TRUE(read().cut_short);
        EXPECT_EQ(read().left_out, 1u);
    }
    put(half);
    EXPECT_EQ(read().records, 0u);
    EXPECT_TRUE(read().cut_short);
    put(record_ + half + "\n" + record_ + half + "\n");
    EXPECT_EQ(read().left_out, 2u);
}

TEST_F(ReadResults, WhatIsTakenMayEndTheReading) {
    put(record_ + record_ + record_);
    unsigned taken = 0;
    EXPECT_THROW(read_results(path_,
                              [&](ResultEntry&&, unsigned number) {
                                  ++taken;
                                  if (number == 2) throw Error("enough");
                              }),
                 Error);
    EXPECT_EQ(taken, 2u);
}

TEST_F(ReadResults, ABrokenLineIsNamed) {
    unsigned taken = 0;
    put(record_ + record_ + "{\"schema\": broken}\n" + record_);
    EXPECT_THROW(read_results(path_, [&](ResultEntry&&, unsigned) { ++taken; }), UsageError);
    EXPECT_EQ(taken, 2u) << "those before it";
    const std::string edited = "Leave the line out, or measure again.";
    expect_said(record_ + "{\"a\":1,\"a\":2}\n", {"file.jsonl:2: ", "'a' occurs twice", edited});
    expect_said(record_ + "{\"timing\":{\"median\":NaN}}\n",
                {"file.jsonl:2: ", "JSON has no NaN, at or after timing.median", edited});
    expect_said("\n\n{\"reason\":\"\xff\"}\n", {"file.jsonl:3: ", "not UTF-8", "reason", edited});
    expect_said(record_ + std::string("{\"a\":\0}\n", 8), {"file.jsonl:2: ", "NUL byte", edited});
    expect_said("{\"a\":" + std::string(50, '[') + "\n", {"file.jsonl:1: ", "deeper than 32"});
    expect_said(record_ + "hello\n" + record_, {"file.jsonl:2: ", "parallax run -o FILE"});
    Json record = plain_record();
    record["timing"]["samples"][0] = 0;
    expect_said(record_ + record.dump(), {"file.jsonl:2: ", "timing.samples[0] is 0", edited});
    Json pair = plain_pair();
    pair["rounds"][0]["log_ratio"] = 0;
    expect_said(record_ + pair.dump() + "\n", {"file.jsonl:2: ", "was the file edited?"});
    Json explanation = plain_explanation();
    explanation["trials"][0]["side"] = "C";
    expect_said(record_ + explanation.dump() + "\n",
                {"file.jsonl:2: ", "trials[0].side is 'C'", "Leave the line out"});
    explanation["version"] = 2;
    expect_said(explanation.dump() + "\n", {"its version is 2", "A newer parallax wrote it"});
}

TEST_F(ReadResults, LinesWithoutEnd) {
    put(record_);
    std::ofstream file(path_, std::ios::binary | std::ios::app);
    file << "{\"log\":\"" << std::string(most_line_bytes, 'x') << "\"}\n" << record_;
    file.close();
    EXPECT_NE(said_of(path_).find("file.jsonl:2: not a record: it is longer than 16 MiB"),
              std::string::npos)
        << said_of(path_);
}

TEST_F(ReadResults, OtherVersionsAndOtherTools) {
    Json record = plain_record();
    record["version"] = 2;
    record["samples"] = "elsewhere";
    expect_said(record.dump() + "\n",
                {"file.jsonl:1: ", "its version is 2, and this program reads version 1",
                 "A newer parallax"});
    record["version"] = 0;
    expect_said(record.dump() + "\n", {"its version is 0", "measure again"});
    expect_said("{\"schema\":\"parallax.diff\",\"version\":1}\n",
                {"its schema is 'parallax.diff'", "report of a diff"});
    expect_said("{\"benchmark\":\"x\",\"version\":1}\n",
                {"file.jsonl:1: ", "schema is missing", "parallax run -o FILE"});
    expect_said("{\"schema\":\"" + std::string(100000, 'y') + "\"}\n", {"yyy..."});
    expect_said("{\"schema\":" + std::string(20, '[') + std::string(20, ']') + "}\n",
                {"its schema is a list of 1"});
    expect_said(Json::array({plain_record()}).dump() + "\n", {"it is a list of 1", "-o FILE"});
    expect_said(plain_record().dump(2) + "\n", {"file.jsonl:2: ", "not JSON", "-o FILE"});
    expect_said("case,seconds\ncopy,1\n", {"file.jsonl:1: ", "not JSON", "parallax run -o FILE"});
    expect_said("42\n", {"it is 42, and not a JSON object"});
    expect_said("null\n", {"it is null, and not a JSON object"});
}

TEST_F(ReadResults, OtherKindsOfFiles) {
    using namespace std::string_view_literals;
    for (const std::string_view text : {"PNG\0\0\n"sv, "\x1f\x8b\x08\0\0"sv, "\0\0\0\0"sv}) {
        expect_said(text, {"binary"});
    }
}

TEST_F(ReadResults, WhatCannotBeRead) {
    EXPECT_NE(said_of(folder_ / "absent.jsonl").find("No such file"), std::string::npos);
    EXPECT_NE(said_of(folder_ / "absent.jsonl").find("parallax run -o FILE"), std::string::npos);
    put(record_);
    EXPECT_NE(said_of(path_ / "x").find("Not a directory"), std::string::npos);
    EXPECT_NE(said_of(folder_).find("it is a folder. Name one of its files: " + path_.string()),
              std::string::npos)
        << said_of(folder_);
    fs::create_directories(folder_ / "empty");
    EXPECT_NE(said_of(folder_ / "empty").find("it is a folder. Name a file"), std::string::npos);
    EXPECT_NE(said_of(folder_ / "\x1b[2J").find("\\x1b"), std::string::npos);
}

TEST_F(ReadResults, WhatMayNotBeRead) {
    put(record_);
    ASSERT_EQ(::chmod(path_.c_str(), 0), 0);
    if (geteuid() == 0 && seteuid(65534) != 0) GTEST_SKIP() << "everything may be read here";
    const std::string said = said_of(path_);
    if (getuid() == 0) {
        ASSERT_EQ(seteuid(0), 0);
    }
    EXPECT_NE(said.find("Permission denied"), std::string::npos) << said;
    EXPECT_NE(said.find("Ask its owner"), std::string::npos) << said;
}

TEST_F(ReadResults, APipeIsReadOnce) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::ofstream(fmt::format("/dev/fd/{}", ends[1])) << record_ << pair_ << record_;
        _exit(0);
    }
    ::close(ends[1]);
    const ResultFile file = read_results(fmt::format("/dev/fd/{}", ends[0]));
    waitpid(child, nullptr, 0);
    ::close(ends[0]);
    EXPECT_EQ(file.records.size(), 2u);
    EXPECT_EQ(file.pairs.size(), 1u);
}

TEST_F(ReadResults, APipeWithANameIsNotWaitedFor) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    fs::create_symlink("pipe", folder_ / "link");
    for (const fs::path& path :
         {folder_ / "pipe", folder_ / "link", fs::path("/dev/zero"), fs::path("/dev/null")}) {
        EXPECT_NE(said_of(path).find("it is no plain file. Name a file"), std::string::npos);
    }
}

TEST_F(ReadResults, AnEditorsMarkIsNoPartOfARecord) {
    put("\xef\xbb\xbf" + record_);
    EXPECT_EQ(read().records, 1u);
    std::size_t records = 0;
    EXPECT_EQ(read_brief_file(
                  path_, [&](BriefLine&& line, unsigned) { records += line.record.has_value(); }),
              "");
    EXPECT_EQ(records, 1u);
}

using WriteResults = ReadResults;

TEST_F(WriteResults, NothingIsLeftBehindBeforeTheFirstRecord) {
    { const ResultWriter writer(path_); }
    EXPECT_FALSE(fs::exists(path_));
    { const ResultWriter writer(folder_ / "a" / "b" / "c.jsonl"); }
    EXPECT_FALSE(fs::exists(folder_ / "a"));
    fs::create_directories(folder_ / "a");
    { const ResultWriter writer(folder_ / "a" / "b" / "c.jsonl"); }
    EXPECT_TRUE(fs::exists(folder_ / "a")) << "was there before";
    EXPECT_FALSE(fs::exists(folder_ / "a" / "b"));
    put("");
    { const ResultWriter writer(path_); }
    EXPECT_TRUE(fs::exists(path_)) << "was there before";
    put(record_.substr(0, 20));
    { const ResultWriter writer(path_); }
    EXPECT_EQ(fs::file_size(path_), 20u) << "what a killed run left is not touched before";
}

TEST_F(WriteResults, TheFileIsMadeWithTheFirstRecord) {
    const fs::path path = folder_ / "a" / "b.jsonl";
    ResultWriter writer(path), other(path);
    writer.add(as<Record>(plain_record()));
    EXPECT_EQ(read_results(path).records.size(), 1u);
    other.add(as<Pair>(plain_pair()));
    writer.add(as<Record>(plain_record()));
    EXPECT_EQ(read_results(path).records.size(), 2u);
    EXPECT_EQ(read_results(path).pairs.size(), 1u);
}

TEST_F(WriteResults, NothingIsAddedToAFileOfAnotherKind) {
    for (const std::string& text :
         {std::string("#!/bin/sh\n"), std::string("alias ls=ls"), std::string("{}\n"),
          std::string("[1]\n"), std::string("{\"a\": \"parallax.record\"}\n"),
          std::string(R"({"schema": "parallax.diff", "version": 1})") + "\n" + record_,
          std::string("\0\0", 2)}) {
        put(text);
        EXPECT_THROW(const ResultWriter writer(path_), UsageError) << text;
        EXPECT_EQ(read_file(path_, 1 << 20), text);
        // A report may replace it.
        EXPECT_NO_THROW(check_writable(path_, {}));
    }
    for (const std::string& text :
         {std::string(), std::string("\n \r\n"), record_, pair_, "\xef\xbb\xbf" + record_,
          std::string("{"), record_.substr(0, 9), record_.substr(0, 500)}) {
        put(text);
        ResultWriter(path_).add(as<Record>(plain_record()));
        EXPECT_FALSE(read_results(path_).records.empty()) << text;
    }
    // Like other programs' JSON: with blanks, and members in another order.
    put("{ \"case\": {}, \"schema\" : \"parallax.record\" }\n");
    EXPECT_NO_THROW(const ResultWriter writer(path_));
    // A file that another program created meanwhile counts as well.
    fs::remove(path_);
    ResultWriter writer(path_);
    put("mine\n");
    EXPECT_THROW(writer.add(as<Record>(plain_record())), UsageError);
    EXPECT_EQ(read_file(path_, 1 << 20), "mine\n");
}

TEST_F(WriteResults, AReportHasTheRightsOfTheOneThatItReplaces) {
    const fs::path page = folder_ / "page.html";
    const auto rights = [&] { return static_cast<int>(fs::status(page).permissions()); };
    write_file(page, "new");
    const int usual = rights();
    for (const mode_t mode : {0600, 0640, 0664, 0755}) {
        ASSERT_EQ(::chmod(page.c_str(), mode), 0);
        write_file(page, "again");
        EXPECT_EQ(rights(), static_cast<int>(mode));
    }
    fs::remove(page);
    write_file(page, "new");
    EXPECT_EQ(rights(), usual);
}

TEST_F(WriteResults, AFileThatWasRemovedMeanwhileIsMadeAnew) {
    put("");
    ResultWriter writer(path_);
    fs::remove(path_);
    writer.add(as<Record>(plain_record()));
    EXPECT_EQ(read().records, 1u);
}

TEST_F(WriteResults, APipeNeedsAReader) {
    const std::string pipe = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    try {
        ResultWriter writer(pipe);
        ADD_FAILURE() << "it has no reader";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("this pipe has no reader"), std::string::npos);
    }
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ResultWriter writer(pipe);
    writer.add(as<Record>(plain_record()));
    std::string got(std::size_t{1} << 16, '\0');
    got.resize(
        static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, got.data(), got.size()))));
    EXPECT_EQ(got, text_of(as<Record>(plain_record())) + "\n");
    ::close(reader);
    EXPECT_THROW(writer.add(as<Record>(plain_record())), UsageError) << "the reader went away";
}

TEST_F(WriteResults, APageTakesNobodysPlace) {
    const fs::path page = folder_ / "page.html", other = folder_ / "other";
    std::ofstream(other) << "other";
    fs::create_symlink(other, page.string() + ".part");
    write_file(page, "page");
    EXPECT_EQ(read_file(page, 100), "page");
    EXPECT_EQ(read_file(other, 100), "other") << "a link that was put there is not followed";
    EXPECT_TRUE(fs::is_symlink(page.string() + ".part"));
    const auto files = std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    EXPECT_EQ(files, 3) << "nothing is left behind";
    // Its permissions follow the umask, as for any file.
    std::ofstream(folder_ / "plain") << "";
    EXPECT_EQ(fs::status(page).permissions(), fs::status(folder_ / "plain").permissions());
    EXPECT_THROW(write_file(folder_ / "other" / "x.html", "x"), UsageError);
}

TEST_F(WriteResults, WhatCannotBeWrittenIsSaidAtOnce) {
    put("");
    EXPECT_THROW(ResultWriter(path_ / "under a file.jsonl"), UsageError);
    EXPECT_THROW(ResultWriter(folder_ / "new" / ""), UsageError);
    EXPECT_FALSE(fs::exists(folder_ / "new"));
    EXPECT_THROW(ResultWriter(folder_ / std::string(300, 'x')), UsageError);
    EXPECT_THROW(ResultWriter(folder_ / "y" / std::string(300, 'x')), UsageError);
    EXPECT_FALSE(fs::exists(folder_ / "y"));
}

}  // namespace
}  // namespace parallax::results_test
