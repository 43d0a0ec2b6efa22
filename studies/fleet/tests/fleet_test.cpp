// Tests findings in fleets with known faults, and the reading of malformed files.
#include <filesystem>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"
#include "studies/fleet/tests/fleet_simulation.hpp"

namespace parallax::fleet_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// `node3 gpu 2 memory`, of all outliers.
std::vector<std::string> outliers(const FleetRecords& fleet,
                                  const std::vector<FleetFigure>& figures) {
    std::vector<std::string> names;
    for (const FleetFigure& one : figures) {
        if (!one.is_outlier) continue;
        names.push_back(fmt::format("{} {} {}", fleet.devices[one.devices.front()].place(),
                                    name_of(one.kind), one.is_slow() ? "slow" : "fast"));
    }
    return names;
}

TEST(Fleet, AccusesNobodyOfAHealthyOne) {
    const FleetRecords fleet = SimulatedFleet{}.read();
    const FleetReport report = judge_fleet(fleet);
    EXPECT_EQ(fleet.devices.size(), 64U);
    EXPECT_EQ(report.judged, 2 * 64U + 2 * 16U);
    EXPECT_THAT(outliers(fleet, report.devices), ElementsAre());
    EXPECT_THAT(outliers(fleet, report.nodes), ElementsAre());
    EXPECT_TRUE(report.troubles.empty());
    EXPECT_TRUE(report.differences.empty());
    EXPECT_TRUE(report.fewer.empty());
    EXPECT_TRUE(report.remarks.empty());
}

TEST(Fleet, FindsTheDeviceAndTheNodeThatAreSlow) {
    SimulatedFleet plan;
    plan.slow_memory[10] = 0.05;   // node3 gpu 2
    plan.slow_compute[21] = 0.15;  // node6 gpu 1
    plan.slow_node[8] = 0.02;      // node9: none of its devices is an outlier
    plan.memory_spread = 0.002;
    const FleetRecords fleet = plan.read();
    const FleetReport report = judge_fleet(fleet);
    EXPECT_THAT(outliers(fleet, report.devices),
                ::testing::IsSupersetOf({"node3 gpu 2 memory slow", "node6 gpu 1 compute slow"}));
    EXPECT_THAT(outliers(fleet, report.nodes), ElementsAre("node9 gpu 0 memory slow"));
    for (const FleetFigure& one : report.devices) {
        const FleetDevice& device = fleet.devices[one.devices.front()];
        if (device.host != "node9" && one.is_outlier) {
            EXPECT_GT(std::abs(one.z), one.limit) << device.place();
        }
    }
}

TEST(Fleet, TakesNoNodeOfTwoForSlowWhereOneDeviceIs) {
    SimulatedFleet plan{.nodes = 16, .devices = 2};
    plan.slow_memory[10] = 0.1;
    const FleetRecords fleet = plan.read();
    const FleetReport report = judge_fleet(fleet);
    EXPECT_THAT(outliers(fleet, report.devices), ElementsAre("node6 gpu 0 memory slow"));
    EXPECT_THAT(outliers(fleet, report.nodes), ElementsAre());
}

TEST(Fleet, TakesADeviceThatIsFastForAnOutlierThatIsNotSlow) {
    SimulatedFleet plan;
    plan.slow_memory[10] = -0.05;
    const FleetRecords fleet = plan.read();
    EXPECT_THAT(outliers(fleet, judge_fleet(fleet).devices),
                ElementsAre("node3 gpu 2 memory fast"));
}

TEST(Fleet, HoldsDevicesAgainstThoseOfTheSamePowerLimitAndShapeAlone) {
    SimulatedFleet plan;
    plan.slow_compute = {{0, 0.3}, {1, 0.3}, {2, 0.3}, {3, 0.3}};
    plan.change = [](Record& record, unsigned device, unsigned) {
        if (device < 4) record.where.settings.power_limit_watts = 500;
    };
    const FleetRecords fleet = plan.read();
    const FleetReport report = judge_fleet(fleet);
    EXPECT_EQ(fleet.peers.size(), 2U);
    EXPECT_THAT(outliers(fleet, report.devices), ElementsAre());
    ASSERT_EQ(report.differences.size(), 1U);
    EXPECT_EQ(report.differences.front().fact, "power limit");
    EXPECT_EQ(report.differences.front().values.at(1).value, "500 W");
    EXPECT_THAT(report.differences.front().values.at(1).devices, ElementsAre(0, 1, 2, 3));
}

TEST(Fleet, LeavesFiguresOfLaunchingOut) {
    SimulatedFleet plan;
    plan.change = [](Record& record, unsigned device, unsigned) {
        record.ceiling.launch_seconds = record.key.variant == "v0" ? 1e-3 : 3e-6;
        if (record.key.variant == "v0" && device == 3) record.timing->estimate.median *= 1.9;
    };
    const FleetRecords fleet = plan.read();
    EXPECT_EQ(fleet.reading.launching, 16U * 4 * 3);
    EXPECT_THAT(outliers(fleet, judge_fleet(fleet).devices), ElementsAre());
}

TEST(Fleet, JudgesNobodyOfTooFewPeers) {
    SimulatedFleet plan{.nodes = 1, .devices = 3};
    plan.slow_memory[1] = 0.5;
    const FleetReport report = judge_fleet(plan.read());
    EXPECT_EQ(report.judged, 0U);
    for (const FleetFigure& one : report.devices) EXPECT_FALSE(one.is_outlier);
    EXPECT_EQ(report.spreads.size(), 6U);
}

/// Others used 40 % of device 5, which slows it; 1 % of device 6 is nothing.
void others_use(Record& record, unsigned device) {
    record.after.other_processes = 1;
    record.after.others_use = device == 5 ? 0.4 : device == 6 ? 0.01 : 0;
    if (device == 5) record.timing->estimate.median *= 1.5;
}

const std::string by_time =
    "It takes 3.24 times as long when its outputs are overwritten before each run as when it finds "
    "the answers there.";

TEST(Fleet, BusyDevicesAreNeitherOutliersNorWrong) {
    SimulatedFleet plan;
    plan.change = [](Record& record, unsigned device, unsigned run) {
        others_use(record, device);
        if (device > 5 || device < 4 || run != 1 || record.key.variant != "v2") return;
        record.status = Status::wrong;
        record.reason = by_time;
        record.timing.reset();
    };
    const FleetRecords fleet = plan.read();
    const FleetReport report = judge_fleet(fleet);
    EXPECT_THAT(report.busy, ElementsAre(5U));
    EXPECT_EQ(fleet.devices[5].others.most_use, 0.4);
    EXPECT_EQ(fleet.devices[5].others.records, 18U);
    EXPECT_THAT(outliers(fleet, report.devices), ElementsAre());
    ASSERT_EQ(report.troubles.size(), 1U) << "what is wrong by time alone on a busy device is not";
    EXPECT_EQ(report.troubles[0].device, 4U);
    for (const FleetSpread& spread : report.spreads) EXPECT_EQ(spread.devices, 63U);
    SimulatedFleet free = plan;
    free.change = {};
    const FleetChange change = compare_fleets(free.read(), fleet);
    EXPECT_TRUE(change.figures.empty());
    ASSERT_EQ(change.newly_wrong.size(), 1U);
    EXPECT_EQ(change.newly_wrong[0].device, 4U);
}

TEST(Fleet, AnAnswerThatIsNotRightIsWrongOnABusyDeviceToo) {
    SimulatedFleet plan{.nodes = 1};
    plan.change = [](Record& record, unsigned device, unsigned run) {
        if (device != 2 || record.key.variant != "v2") return;
        record.status = Status::wrong;
        record.reason = run == 0 ? by_time : "Element 7 is 1, and 2 is right.";
        record.timing.reset();
        record.notes = {"1 other process(es) computed on the device."};
    };
    const FleetReport report = judge_fleet(plan.read());
    EXPECT_THAT(report.busy, ElementsAre(2U)) << "older records have no share, but words";
    ASSERT_EQ(report.troubles.size(), 1U);
    EXPECT_EQ(report.troubles[0].answers.wrong, 2U);
    EXPECT_THAT(report.troubles[0].answers.reason, HasSubstr("Element 7"));
}

TEST(Fleet, CountsWrongRunsByDeviceAndCase) {
    SimulatedFleet plan;
    plan.change = [](Record& record, unsigned device, unsigned run) {
        if (device != 5 || run == 1 || record.key.variant != "v2") return;
        record.status = run == 0 ? Status::wrong : Status::failed;
        record.reason = fmt::format("reason of run {}", run);
        record.timing.reset();
    };
    const FleetReport report = judge_fleet(plan.read());
    ASSERT_EQ(report.troubles.size(), 1U);
    const FleetTrouble& trouble = report.troubles.front();
    EXPECT_EQ(trouble.device, 5U);
    EXPECT_EQ(trouble.answers.runs, 3U);
    EXPECT_EQ(trouble.answers.wrong, 1U);
    EXPECT_EQ(trouble.answers.failed, 1U);
    EXPECT_EQ(trouble.answers.reason, "reason of run 0");
}

TEST(Fleet, CountsARecordOnceHoweverOftenItComes) {
    FleetReader reader;
    const SimulatedFleet plan{.nodes = 2, .devices = 2, .runs = 2};
    plan.write([&](Record&& record) { reader.add(record); });
    plan.write([&](Record&& record) {
        if (record.run.host == "node1") return;
        if (record.key.variant == "v0") record.timing->estimate.median *= 2;
        reader.add(record);
    });
    const FleetRecords fleet = reader.take();
    EXPECT_EQ(fleet.reading.records, 2U * 2 * 2 * 6);
    EXPECT_EQ(fleet.reading.again, 2U * 2 * 6);
    EXPECT_EQ(fleet.reading.contradicted, 2U * 2);
    for (const auto& [which, values] : fleet.figures) EXPECT_EQ(values.size(), 2U);
    for (const auto& [which, answers] : fleet.answers) EXPECT_EQ(answers.runs, 2U);
}

TEST(Fleet, TellsOneUuidOnTwoHostsApartAndSaysSo) {
    SimulatedFleet plan{.nodes = 4};
    plan.change = [](Record& record, unsigned device, unsigned) {
        if (device == 9) record.where.uuid = "00000000000000000000000000000001";
    };
    const FleetRecords fleet = plan.read();
    EXPECT_EQ(fleet.devices.size(), 16U);
    const FleetReport report = judge_fleet(fleet);
    ASSERT_EQ(report.remarks.size(), 1U);
    EXPECT_THAT(report.remarks.front(), HasSubstr("is on node1 and node3"));
}

TEST(Fleet, TellsProcessorsWithoutNamesApartByTheirSlot) {
    SimulatedFleet plan{.nodes = 1, .devices = 4, .runs = 1};
    plan.change = [](Record& record, unsigned, unsigned) {
        record.where.uuid.clear();
        record.where.pci.clear();
    };
    EXPECT_EQ(plan.read().devices.size(), 4U);
}

TEST(Fleet, MissesWhatIsExpected) {
    SimulatedFleet plan{.nodes = 4};
    plan.change = {};
    FleetReader reader;
    plan.write([&](Record&& record) {
        if (record.run.host == "node2") return;
        if (record.run.host == "node3" && *record.where.settings.slot == 1) return;
        reader.add(record);
    });
    const FleetRecords fleet = reader.take();
    const FleetReport report = judge_fleet(
        fleet, parse_expectation("# node count\nnode1.cluster 4\nnode2 gpu:h100:4(S:0-1)\nnode3 4\n"
                                 "node10 2\nnode4 00000000-0000-0000-0000-00000000000d "
                                 "GPU-0000000000000000000000000000000e\n",
                                 "list"));
    ASSERT_EQ(report.missing.size(), 3U);
    EXPECT_EQ(report.missing[0].host, "node2");
    EXPECT_EQ(report.missing[0].found, 0U);
    EXPECT_EQ(report.missing[1].host, "node3");
    EXPECT_EQ(report.missing[1].found, 3U);
    EXPECT_EQ(report.missing[2].host, "node10");
    EXPECT_EQ(report.missing_devices(), 4U + 1 + 2);
    ASSERT_EQ(report.unexpected.size(), 2U);
    EXPECT_EQ(fleet.devices[report.unexpected[0]].place(), "node4 gpu 2");

    const FleetReport without = judge_fleet(fleet);
    ASSERT_EQ(without.fewer.size(), 1U);
    EXPECT_EQ(without.fewer[0].host, "node3");
    EXPECT_THAT(without.fewer[0].slots, ElementsAre(1));
    EXPECT_EQ(without.missing_devices(), 0U);
}

TEST(Fleet, ReadsListsOfWhatToExpect) {
    const FleetExpectation list =
        parse_expectation("a gpu:a100:2(S:0,3-5),gpu:1,shard:8\na 1\nb (null)\n\nc\t7\r\n", "list");
    ASSERT_EQ(list.nodes.size(), 3U);
    EXPECT_EQ(list.nodes[0].count, 3U);
    EXPECT_EQ(list.nodes[1].count, 0U);
    EXPECT_EQ(list.nodes[2].host, "c");
    EXPECT_EQ(list.nodes[2].count, 7U);
    for (const char* bad :
         {"a", "a -1", "a 1 2", "a gpu:x", "a 99999999999999999999", "a GPU-12"}) {
        EXPECT_THROW(parse_expectation(bad, "list"), UsageError) << bad;
    }
}

TEST(Fleet, SaysWhatADriverUpdateChangedAndWhere) {
    SimulatedFleet plan;
    const FleetRecords before = plan.read();
    plan.seed = 1;  // the same cards
    plan.change = [](Record& record, unsigned device, unsigned) {
        if (device / 4 == 3) return;
        record.where.driver = "590.2";
        if (record.key.variant == "v1") record.timing->estimate.median *= 1.04;
        if (device == 7 && record.key.suite == "transpose") record.timing->estimate.median *= 1.08;
    };
    const FleetRecords now = plan.read();
    const FleetChange change = compare_fleets(before, now);
    EXPECT_EQ(change.compared, 64U);
    ASSERT_EQ(change.facts.size(), 1U);
    EXPECT_EQ(change.facts[0].fact, "driver");
    EXPECT_EQ(change.facts[0].devices.size(), 60U);
    std::vector<std::string> slower;
    for (const FleetChange::Case& one : change.cases) {
        if (one.is_slower()) slower.push_back(now.cases[one.the_case].title);
    }
    EXPECT_THAT(slower, ElementsAre(HasSubstr("transpose/v1")));
    EXPECT_THAT(outliers(now, change.figures), ElementsAre("node2 gpu 3 memory slow"));
    EXPECT_TRUE(change.appeared.empty());
    EXPECT_TRUE(change.disappeared.empty());
}

TEST(Fleet, SaysWhoIsNewGoneAndNewlyWrong) {
    SimulatedFleet plan{.nodes = 4};
    FleetReader old_reader, reader;
    plan.write([&](Record&& record) {
        if (record.run.host == "node4") return;
        old_reader.add(record);
    });
    plan.write([&](Record&& record) {
        if (record.run.host == "node1") return;
        if (record.run.host == "node2" && record.key.variant == "v3") {
            record.status = Status::wrong;
            record.reason = "no";
            record.timing.reset();
        }
        reader.add(record);
    });
    const FleetRecords now = reader.take();
    const FleetChange change = compare_fleets(old_reader.take(), now);
    EXPECT_EQ(change.compared, 8U);
    ASSERT_EQ(change.appeared.size(), 4U);
    EXPECT_EQ(now.devices[change.appeared[0]].host, "node4");
    ASSERT_EQ(change.disappeared.size(), 4U);
    EXPECT_EQ(change.disappeared[0].host, "node1");
    EXPECT_EQ(change.newly_wrong.size(), 4U);
    EXPECT_EQ(change.cured, 0U);
}

TEST(Fleet, NamesHostsInTheirNaturalOrder) {
    EXPECT_TRUE(natural_before("node9", "node10"));
    EXPECT_FALSE(natural_before("node10", "node9"));
    EXPECT_TRUE(natural_before("node09", "node10"));
    EXPECT_TRUE(natural_before("a", "b"));
    EXPECT_TRUE(natural_before("node", "node1"));
    EXPECT_FALSE(natural_before("node1", "node1"));
    EXPECT_NE(natural_before("node01", "node1"), natural_before("node1", "node01"));
}

TEST(Fleet, LimitsFollowFromTheNumberOfFiguresAndOfPeers) {
    EXPECT_NEAR(outlier_limit(1, 1'000'000), 1.96, 0.01);
    EXPECT_NEAR(outlier_limit(1000, 1'000'000), 4.06, 0.01);
    EXPECT_GT(outlier_limit(16, 8), outlier_limit(16, 500));
    EXPECT_GT(outlier_limit(8, 4), 5);
}

class FleetFiles : public ::testing::Test {
protected:
    FleetFiles() { std::filesystem::create_directories(folder_ / "below"); }

    void write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    static std::string stored() {
        std::ifstream file(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/run.jsonl");
        const std::string text(std::istreambuf_iterator<char>(file), {});
        return std::regex_replace(text, std::regex("\"host\":\"[^\"]*\","), "");
    }

    TemporaryFolder place_{"parallax-fleet-"};
    std::filesystem::path folder_ = place_.path();
};

TEST_F(FleetFiles, AreReadWithRecordsOfBeforeTheyKnewTheirHost) {
    write("below/a.jsonl", stored());
    const FleetRecords fleet = read_fleet({folder_});
    ASSERT_EQ(fleet.devices.size(), 1U);
    EXPECT_NE(stored().find("\"uuid\":\"" + fleet.devices[0].uuid + "\""), std::string::npos);
    EXPECT_GT(fleet.reading.records, 20U);
    EXPECT_EQ(fleet.reading.problems.size(), 0U);
    EXPECT_EQ(fleet.peers.at(0).power_limit, "700 W");
    EXPECT_FALSE(judge_fleet(fleet).ratios.empty());
}

TEST_F(FleetFiles, LoseNothingToLinesThatAreNoRecords) {
    const std::string all = stored();
    const std::string line = all.substr(0, all.find('\n'));
    std::string newer = line, later = line;
    newer.replace(newer.find("\"version\":1"), 11, "\"version\":9");
    write("cut.jsonl", line.substr(0, line.size() / 2));
    write("cut_in_between.jsonl", line.substr(0, 600) + "\n" + line + "\n");
    write("newer.jsonl", newer + "\n" + line);
    write("none.jsonl", "");
    write("binary.jsonl", std::string("\0\x01\xff\n", 4));
    write("other.jsonl", "{\"schema\":\"some.thing\",\"version\":1}\n[1,2]\n");
    write("copy.jsonl", line + "\n");
    write("notes.txt", "not a record");
    const FleetRecords fleet = read_fleet({folder_});
    EXPECT_EQ(fleet.reading.files, 7U);
    EXPECT_EQ(fleet.reading.records, 1U);
    EXPECT_EQ(fleet.reading.again, 2U);
    EXPECT_EQ(fleet.reading.contradicted, 0U);
    EXPECT_EQ(fleet.reading.cut, 2U);
    EXPECT_EQ(fleet.reading.newer, 1U);
    EXPECT_EQ(fleet.reading.refused, 3U);
    EXPECT_EQ(fleet.reading.problems.size(), 6U);
    EXPECT_THAT(fleet.reading.problems,
                ::testing::Contains(HasSubstr("newer.jsonl:1: its version")));
}

TEST_F(FleetFiles, ThatAreNotThereAreRefused) {
    EXPECT_THROW(read_fleet({folder_ / "nowhere"}), UsageError);
}

}  // namespace
}  // namespace parallax::fleet_test
