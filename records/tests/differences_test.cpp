// Tests that exactly the differences between two records of a case are reported.
#include "records/differences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records/tests/plain_lines.hpp"

namespace parallax::differences_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Record plain() {
    Record record = fake::as<Record>(fake::plain_record());
    record.program.given_hash = "11";
    record.check->output_hash = std::string(32, 'a');
    return record;
}

TEST(Differences, AreNoneOfARecordFromItself) {
    EXPECT_THAT(differences_between(plain(), plain()), IsEmpty());
    EXPECT_THAT(outcomes_of(plain(), plain()),
                ElementsAre(RecordDifference{"status", "ok", "ok"},
                            RecordDifference{"answers", "aaaaaaaa", "aaaaaaaa: the same bits"},
                            testing::Field(&RecordDifference::now, HasSubstr(", 1 times"))));
}

TEST(Differences, AreSaidOneByOne) {
    const auto only = [](const std::string& what, const std::string& then, const std::string& now,
                         const std::function<void(Record&)>& change) {
        Record other = plain();
        change(other);
        EXPECT_THAT(differences_between(plain(), other),
                    ElementsAre(RecordDifference{what, then, now}));
    };
    only("host", "unknown", "n1", [](Record& r) { r.run.host = "n1"; });
    only("device", "a device", "b", [](Record& r) { r.where.name = "b"; });
    only("entry", "opencl:0", "opencl:3", [](Record& r) { r.device = "opencl:3"; });
    only("UUID", "unknown", "12", [](Record& r) { r.where.uuid = "12"; });
    only("driver", "1.0", "2.0", [](Record& r) { r.where.driver = "2.0"; });
    only("compiler", "unknown", "c", [](Record& r) { r.where.compiler = "c"; });
    only("program", "0.1.0", "9", [](Record& r) { r.run.program_version = "9"; });
    only("ECC", "unknown", "true", [](Record& r) { r.where.settings.ecc = true; });
    only("power limit (W)", "unknown", "350",
         [](Record& r) { r.where.settings.power_limit_watts = 350; });
    only("clock (MHz)", "unknown", "1980", [](Record& r) { r.after.sm_clock_mhz = 1980; });
    only("text of the kernel", "00", "01", [](Record& r) { r.program.source_hash = "01"; });
    only("text that the compiler got", "11", "12", [](Record& r) { r.program.given_hash = "12"; });
    only("options of the compiler", "-DT=float", "-DT=float -DN=1",
         [](Record& r) { r.program.options.push_back("-DN=1"); });
    only("PTX", "unknown", "f", [](Record& r) { r.program.ptx_hash = "f"; });
}

TEST(Differences, DoNotComeOfOneThatWasNotBuilt) {
    Record failed = plain();
    failed.status = Status::failed;
    failed.timing.reset();
    failed.check.reset();
    failed.program.given_hash.clear();
    failed.program.options.clear();
    EXPECT_THAT(differences_between(plain(), failed), IsEmpty());
    const auto outcomes = outcomes_of(plain(), failed);
    ASSERT_EQ(outcomes.size(), 2u);
    EXPECT_EQ(outcomes[0], (RecordDifference{"status", "ok", "failed"}));
    EXPECT_EQ(outcomes[1].now, "not measured");
}

TEST(Differences, OtherBitsAreSeen) {
    Record other = plain();
    other.check->output_hash = std::string(32, 'b');
    EXPECT_EQ(outcomes_of(plain(), other).at(1),
              (RecordDifference{"answers", "aaaaaaaa", "bbbbbbbb"}));
}

}  // namespace
}  // namespace parallax::differences_test
