// Tests `parallax fleet`: exit codes, and every report format with malicious names.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::fleet_command_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// Two records of a real run, to be altered: one of memory, one of arithmetic.
const std::vector<Json>& real_records() {
    static const std::vector<Json> records = [] {
        std::vector<Json> list;
        const JsonResults file =
            json_results(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/run.jsonl");
        for (const char* suite : {"transpose", "multiply"}) {
            for (const Json& record : file.records) {
                if (record.at("suite") != suite || record.at("status") != "ok") continue;
                list.push_back(record);
                break;
            }
        }
        return list;
    }();
    return records;
}

class FleetCommand : public CommandLine {
protected:
    /// Eight devices on two nodes. @param change  of each record
    static void write_fleet(const std::string& folder,
                            const std::function<void(Json&, int device)>& change = {}) {
        std::filesystem::create_directories(folder);
        for (int device = 0; device < 8; ++device) {
            std::ofstream file(fmt::format("{}/{}.jsonl", folder, device));
            for (Json record : real_records()) {
                record.at("run")["host"] = device < 4 ? "node1" : "node2";
                record.at("run")["id"] = fmt::format("run of {}", device);
                record.at("where")["slot"] = device % 4;
                record.at("where")["uuid"] = fmt::format("{:032x}", device + 1);
                if (change) change(record, device);
                if (!record.is_null()) file << record.dump() << "\n";
            }
        }
    }
    static void slow_down(Json& record, double factor) {
        Json& timing = record.at("timing");
        for (const char* name : {"median", "low", "high"}) {
            timing[name] = timing.at(name).get<double>() * factor;
        }
    }
    static void spoil(Json& record) {
        record["status"] = "wrong";
        record["reason"] = "Element 7 is 1.5 and should be 2.";
        for (const char* name : {"timing", "work", "rate", "ceiling", "state"}) record.erase(name);
    }
};

TEST_F(FleetCommand, ABusyDeviceIsSaidToBeThatAndNoFault) {
    write_fleet("busy", [](Json& record, int device) {
        if (device != 5) return;
        record.at("state").at("after")["other_processes"] = 1;
        record.at("state").at("after")["others_use"] = 0.43;
        slow_down(record, 1.3);
    });
    const Ended text = run({"fleet", "busy"});
    EXPECT_EQ(text.code, 0) << text.out << text.err;
    EXPECT_THAT(text.out, HasSubstr("Found: 1 busy."));
    EXPECT_THAT(text.out, ContainsRegex("node2 gpu 1 +others used up to 43 % of it in 2 of 2"));
    EXPECT_THAT(text.out, ContainsRegex("node2 .* busy "));
    const Ended junit = run({"fleet", "busy", "--format", "junit"});
    EXPECT_THAT(junit.out, HasSubstr("failures=\"0\" errors=\"0\" skipped=\"1\""));
    const Json json = Json::parse(run({"fleet", "busy", "--format", "json"}).out);
    EXPECT_EQ(json.at("busy"), Json({5}));
    EXPECT_EQ(json.at("devices").at(5).at("others").at("most_use"), 0.43);
    EXPECT_TRUE(json.at("devices").at(4).at("others").is_null());
    EXPECT_TRUE(json.at("devices").at(5).at("figures").empty());
    EXPECT_THAT(run({"fleet", "busy", "--format", "html"}).out, HasSubstr("\"state\":\"busy\""));
}

TEST_F(FleetCommand, SaysWhichFilesItCouldNotRead) {
    write_fleet("some");
    std::filesystem::create_directory("some/folder.jsonl");
    std::filesystem::create_symlink("nowhere", "some/link.jsonl");
    const Ended text = run({"fleet", "some"});
    EXPECT_EQ(text.code, 2) << text.out << text.err;
    EXPECT_THAT(text.out, HasSubstr("16 records of 8 of 10 files."));
    EXPECT_THAT(text.out, HasSubstr("Found: 2 files that cannot be read."));
    EXPECT_THAT(text.out, Not(HasSubstr("Nothing was found")));
    EXPECT_THAT(text.out, HasSubstr("link.jsonl: cannot be read"));
    write_fleet("some", [](Json& record, int device) {
        if (device == 5) spoil(record);
    });
    EXPECT_EQ(run({"fleet", "some"}).code, 1) << "a wrong answer comes first";
}

TEST_F(FleetCommand, EndsWithWhatHasToBeDoneFirst) {
    write_fleet("fine");
    std::ofstream("list") << "node1 4\nnode2 4\n";
    std::ofstream("longer") << "node1 4\nnode2 4\nnode3 4\n";
    const Ended fine = run({"fleet", "fine", "--expect", "list"});
    EXPECT_EQ(fine.code, 0) << fine.err;
    EXPECT_THAT(fine.out, HasSubstr("Nothing was found."));
    EXPECT_THAT(fine.out, HasSubstr("None of 16 answers."));
    EXPECT_THAT(fine.out, HasSubstr("All devices that were expected have records."));

    write_fleet("slow", [](Json& record, int device) {
        if (device == 5 && record.at("suite") == "transpose") slow_down(record, 1.3);
    });
    const Ended slow = run({"fleet", "slow", "--expect", "list"});
    EXPECT_EQ(slow.code, 3);
    EXPECT_THAT(slow.out, ContainsRegex("node2 gpu 1 +memory +-23.1 %"));
    EXPECT_THAT(slow.out, HasSubstr("00000000000000000000000000000006"));

    const Ended missing = run({"fleet", "slow", "--expect", "longer"});
    EXPECT_EQ(missing.code, 4);
    EXPECT_THAT(missing.out, HasSubstr("MISSING: 4 devices"));
    EXPECT_THAT(missing.out, ContainsRegex("node3 +0 +4"));

    write_fleet("wrong", [](Json& record, int device) {
        if (device == 2 && record.at("suite") == "multiply") spoil(record);
    });
    const Ended wrong = run({"fleet", "wrong", "--expect", "longer"});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.out, ContainsRegex("node1 gpu 2 +multiply/.*wrong in 1 of 1 run"));
    EXPECT_THAT(wrong.out, HasSubstr("UUID 00000000000000000000000000000003: Element 7 is 1.5"));
}

TEST_F(FleetCommand, ReadsTheListThatLiesBesideTheRecords) {
    write_fleet("records");
    EXPECT_EQ(run({"fleet", "records"}).code, 0);
    std::ofstream("records/expect.txt") << "node1 4\nnode2 4\nnode9 1\n";
    EXPECT_EQ(run({"fleet", "records"}).code, 4);
}

TEST_F(FleetCommand, SaysWhoHasAnotherDriver) {
    write_fleet("records", [](Json& record, int device) {
        if (device == 6) record.at("where")["driver"] = "570.86.15";
    });
    const Ended e = run({"fleet", "records"});
    EXPECT_EQ(e.code, 0);
    EXPECT_THAT(e.out, ContainsRegex("driver +580.159.04 +7 +all others"));
    EXPECT_THAT(e.out, ContainsRegex("570.86.15 +1 +node2 gpu 2"));
}

TEST_F(FleetCommand, SaysWhatIsSlowerThanTheBaseline) {
    write_fleet("before");
    write_fleet("after", [](Json& record, int) {
        record.at("where")["driver"] = "590.1";
        if (record.at("suite") == "multiply") slow_down(record, 1.05);
    });
    EXPECT_EQ(run({"fleet", "before", "--baseline", "before"}).code, 0);
    const Ended e = run({"fleet", "after", "--baseline", "before"});
    EXPECT_EQ(e.code, 3);
    EXPECT_THAT(e.out, ContainsRegex("driver +580.159.04 +590.1 +8"));
    EXPECT_THAT(e.out, ContainsRegex("multiply/.* 8 .*-4.8 %"));
}

TEST_F(FleetCommand, SaysOfOlderRecordsThatTheirHostIsUnknown) {
    write_fleet("records", [](Json& record, int device) {
        record.at("run").erase("host");
        if (device != 0)
            record = nullptr;
        else if (record.at("suite") == "multiply")
            spoil(record);
    });
    const Ended e = run({"fleet", "records"});
    EXPECT_EQ(e.code, 1) << e.err;
    EXPECT_THAT(e.out, ContainsRegex("node +gpu 0\n +unknown host +wrong"));
    EXPECT_THAT(e.out, HasSubstr("1 case was measured on one device alone, and not shown here."));
}

TEST_F(FleetCommand, RefusesWhatHoldsNoRecord) {
    expect_usage({"fleet"}, "Name the folders");
    expect_usage({"fleet", "nowhere"}, "There is no folder and no file nowhere");
    std::filesystem::create_directories("empty");
    expect_usage({"fleet", "empty"}, "holds no record");
    write_fleet("records");
    expect_usage({"fleet", "records", "--expect", "nowhere"}, "nowhere");
    std::ofstream("bad") << "node1\n";
    expect_usage({"fleet", "records", "--expect", "bad"}, "bad:1: 'node1' names no devices");
    expect_usage({"fleet", "records", "--baseline", "nowhere"}, "nowhere");
    expect_usage({"fleet", "records", "--format", "pdf"}, "pdf");
    std::ofstream("list") << "node1 4\n";
    EXPECT_EQ(run({"fleet", "empty", "--expect", "list"}).code, 4);
}

TEST_F(FleetCommand, KeepsMarkupOfNamesOutOfEveryFormat) {
    const std::string name = "<script>alert(1)</script> & \"x\" | ]]> \x1b[2J \xe2\x80\xae";
    write_fleet("records", [&](Json& record, int device) {
        record.at("where")["name"] = name;
        if (device == 0) record.at("where")["driver"] = name;
        if (device == 1) spoil(record);
        if (device == 1) record["reason"] = name;
        if (device > 3) record.at("run")["host"] = name;
    });
    const Ended e = run({"fleet", "records", "-o", "f.html", "-o", "f.md", "-o", "f.xml", "-o",
                         "f.json", "-o", "f.txt"});
    EXPECT_EQ(e.code, 1) << e.err;
    for (const char* file : {"f.html", "f.md", "f.xml", "f.txt"}) {
        const std::string text = text_of(file);
        EXPECT_THAT(text, HasSubstr("alert(1)")) << file;
        EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << file;
        EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae"))) << file;
        if (std::string(file) == "f.txt") continue;  // plain text has no markup
        EXPECT_THAT(text, Not(HasSubstr("<script>alert"))) << file;
    }
    const Json json = Json::parse(text_of("f.json"));
    EXPECT_EQ(json.at("schema"), "parallax.fleet");
    EXPECT_EQ(json.at("devices").size(), 8U);
    EXPECT_EQ(json.at("devices").at(0).at("model"), name);
    EXPECT_EQ(Json::parse(run({"fleet", "records", "--json"}).out), json);
    EXPECT_EQ(json.at("wrong").size(), 2U);
    EXPECT_EQ(json.at("wrong").at(0).at("device"), 1);
    EXPECT_THAT(text_of("f.xml"), HasSubstr("tests=\"8\" failures=\"1\" errors=\"0\""));
}

TEST_F(FleetCommand, HasATestForEachDeviceThatIsThereOrMissing) {
    write_fleet("records", [](Json& record, int device) {
        if (device == 3) slow_down(record, 1.4);
        if (device == 7) record = nullptr;
    });
    std::ofstream("list") << "node1 4\nnode2 4\n";
    const Ended e = run({"fleet", "records", "--expect", "list", "--format", "junit"});
    EXPECT_EQ(e.code, 4);
    EXPECT_THAT(e.out, HasSubstr("tests=\"7\" failures=\"1\" errors=\"0\""));
    EXPECT_THAT(e.out, HasSubstr("tests=\"1\" failures=\"0\" errors=\"1\""));
    EXPECT_THAT(e.out, ContainsRegex("name=\"node1 gpu 3 0{31}4\" time=\"0.0+\">\n *<failure "
                                     "type=\"slow\""));
    EXPECT_THAT(e.out, HasSubstr("name=\"node2 missing 1\" time=\"0.000000000\">\n      <error "
                                 "type=\"missing\""));
    const Ended md = run({"fleet", "records", "--expect", "list", "--format", "markdown"});
    EXPECT_THAT(md.out, testing::StartsWith("# Fleet\n"));
    EXPECT_THAT(md.out, ContainsRegex("## Wrong or failed answers(.|\n)*## Missing(.|\n)*"
                                      "## Outliers(.|\n)*## What differs(.|\n)*## Map of"));
}

}  // namespace
}  // namespace parallax::cli::fleet_command_test
