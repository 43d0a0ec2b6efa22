// Tests `parallax diff` of files that are broken, edited or malicious.

#include "cli/tests/diff_fixture.hpp"

namespace parallax::cli::diff_hostile_test {
namespace {

TEST_F(Diffs, HandEditedFilesAreTwo) {
    const Json good = real_record();
    keep("a.jsonl", {good});
    const auto refused = [&](const std::string& what, const auto& edit) {
        Json record = good;
        edit(record);
        keep("b.jsonl", {record});
        expect_usage({"diff", "a.jsonl", "b.jsonl"}, what);
        expect_usage({"diff", "b.jsonl", "a.jsonl"}, "b.jsonl:1");
    };
    refused("samples", [](Json& r) { r["timing"]["samples"][0] = -1.0; });
    refused("samples", [](Json& r) { r["timing"]["samples"].erase(0); });
    refused("samples", [](Json& r) { r["timing"]["samples"][0] = "0x7ff8000000000000"; });
    refused("median", [](Json& r) { r["timing"]["median"] = 1e-9; });
    refused("round", [](Json& r) { r["timing"]["round"][0] = 99; });
    refused("suite", [](Json& r) { r.erase("suite"); });
    refused("shape", [](Json& r) { r["shape"] = Json::array({-1}); });
    refused("version", [](Json& r) { r["version"] = 2; });
    refused("schema", [](Json& r) { r["schema"] = "somebody.else"; });
    refused("status", [](Json& r) { r["status"] = "splendid"; });
    keep("b.jsonl", {good, good});
    expect_usage({"diff", "a.jsonl", "b.jsonl"}, "twice");
}

TEST_F(Diffs, FilesThatAreNoneAreTwo) {
    keep("a.jsonl", {real_record()});
    const std::string line = real_record().dump();
    std::string nan = line;
    const std::size_t value = nan.find("\"median\":") + 9;
    nan.replace(value, nan.find(',', value) - value, "NaN");
    for (const std::string& text :
         {std::string(), std::string("\n\n"), std::string("hello\n"), std::string(1000, '\0'),
          std::string("\x7f"
                      "ELF\x02\x01\x01\0\0\0",
                      10),
          std::string("[]\n"), std::string("{}\n"), line.substr(0, line.size() / 2),
          "{\"suite\":\"x\"," + line.substr(1) + "\n", nan + "\n", std::string(100000, '[') + "\n",
          std::string(17 << 20, 'a') + "\n", line + "\n\xff\xfe\n"}) {
        put("b.jsonl", text);
        expect_usage({"diff", "a.jsonl", "b.jsonl"}, "b.jsonl");
        expect_usage({"diff", "b.jsonl"}, "b.jsonl");
    }
}

TEST_F(Diffs, ALineThatWasCutIsLeftOutAndSaid) {
    std::string text;
    for (const Json& record : runs(real_record(), 1e-3)) text += record.dump() + "\n";
    put("a.jsonl", text);
    put("b.jsonl", text + real_record().dump().substr(0, 500));
    for (const std::string& format : formats) {
        const Ended e = diff({"a.jsonl", "b.jsonl", "--format", format});
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_TRUE(holds(e.out, "broken line")) << format;
    }
}

/// Puts malicious strings into a valid record, in fields that no program checks.
Json hostile(Json record) {
    const std::string evil =
        "\x1b[2J\x1b]0;x\x07<script>alert(1)</script><img src=x onerror=alert(2)>"
        "\u009b31m\u202e|`]]>&\"'\r\n\u2028";
    record["suite"] = evil;
    record["variant"] = evil + "v";
    record["device"] = evil;
    record["where"]["name"] = record["where"]["driver"] = record["where"]["platform"] = evil;
    record["where"]["backend"] = "x" + evil;
    record["program"]["file"] = evil;
    record["program"]["options"] = Json::array({evil});
    record["notes"] = Json::array({evil});
    record["run"]["id"] = evil;
    record["launches"].at(0)["name"] = evil;
    record["check"]["output_hash"] = "00000000000000000000000000000000";
    record["constants"][evil.substr(0, 30)] = 1;
    return record;
}

/// Markdown without its code blocks, in which tags have no effect.
std::string outside_of_code(const std::string& markdown) {
    std::istringstream lines(markdown);
    std::string line, fence, rest;
    while (std::getline(lines, line)) {
        const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
        if (fence.empty() ? ticks >= 3 : line == fence) {
            fence = fence.empty() ? std::string(ticks, '`') : std::string();
        } else if (fence.empty()) {
            rest += line + "\n";
        }
    }
    EXPECT_EQ(fence, "") << "a block of code has no end";
    return rest;
}

/// Expects no terminal control sequences.
void expect_harmless(const std::string& text, const std::string& where) {
    for (const char* bad : {"\x1b", "\x07", "\u009b", "\u202e"}) {
        EXPECT_FALSE(holds(text, bad)) << where << ": " << testing::PrintToString(bad);
    }
}

/// Expects no HTML tags from a record.
void expect_no_tags(const std::string& text, const std::string& where) {
    for (const char* bad : {"<script>alert(1)", "<img src=x"}) {
        EXPECT_FALSE(holds(text, bad)) << where << ": " << bad;
    }
}

TEST_F(Diffs, NamesFromAnywhereAreHarmlessEverywhere) {
    const Json one = hostile(real_record());
    Json failed = not_ok(one, "failed");
    failed["variant"] = "failing";
    failed["reason"] = one["suite"];
    failed["log"] = "```\n" + one["suite"].get<std::string>() + "\n````\n";
    Json other = one;
    other["where"]["driver"] = "\x1b[31mother<script>alert(1)</script>";
    other["where"]["backend"] = "other";
    keep("a.jsonl", {one, failed});
    keep("b.jsonl", {lasting(one, 1), failed});
    keep("c.jsonl", {other});
    for (const char* second : {"b.jsonl", "c.jsonl"}) {
        for (const std::string& format : formats) {
            const Ended e = diff({"a.jsonl", second, "--format", format, "--max-slowdown", "5%"});
            EXPECT_EQ(e.code, 6) << e.err;
            EXPECT_FALSE(e.out.empty());
            expect_harmless(e.out, format);
            const bool page = format != "json" && format != "text";
            if (page) expect_no_tags(format == "md" ? outside_of_code(e.out) : e.out, format);
            expect_harmless(e.err, "messages");
        }
    }
}

TEST_F(Diffs, NamesFromAnywhereAreHarmlessInMessages) {
    const Json one = hostile(real_record());
    Json other = one;
    other["shape"] = Json::array({3});
    keep("a.jsonl", {one});
    keep("b.jsonl", {other});
    keep("twice.jsonl", {one, one});
    const std::string evil_file = "e\x1b[2J.jsonl";
    keep(evil_file, {one});
    for (const Words& words :
         {Words{"a.jsonl", "b.jsonl"}, Words{"a.jsonl"}, Words{"a.jsonl", "b.jsonl", "-d", "cuda"},
          Words{"twice.jsonl", "b.jsonl"}, Words{evil_file}, Words{evil_file, "b.jsonl"},
          Words{"no\x1b[2J.jsonl", "b.jsonl"}, Words{"\x1b[2J", "cuda"}, Words{"\x1b[2J/x", "cuda"},
          Words{"a.jsonl", "a.jsonl", "--margin", "\x1b[2J"},
          Words{"a.jsonl", "a.jsonl", "-o", "\x1b[2J/x/"},
          Words{"a.jsonl", "a.jsonl", "--format", "\x1b[2J"}}) {
        const Ended e = diff(words);
        EXPECT_NE(e.code, 0);
        EXPECT_FALSE(e.err.empty());
        expect_harmless(e.err, words.back());
    }
}

}  // namespace
}  // namespace parallax::cli::diff_hostile_test
