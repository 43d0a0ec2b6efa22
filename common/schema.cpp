// What a record must be: docs/record.md, as code.
#include <array>
#include <functional>

#include <fmt/format.h>

#include "common/record.hpp"
#include "common/version.hpp"

namespace parallax {
namespace {

using Kind = bool (*)(const Json&);

bool text(const Json& j) {
    return j.is_string();
}
bool whole(const Json& j) {
    return j.is_number_unsigned() || (j.is_number_integer() && j >= 0);
}
bool truth(const Json& j) {
    return j.is_boolean();
}
bool object(const Json& j) {
    return j.is_object();
}
bool array(const Json& j) {
    return j.is_array();
}
/// A number, or the bits of one that JSON cannot hold.
bool real(const Json& j) {
    if (j.is_number()) return true;
    return j.is_string() && j.get_ref<const std::string&>().rfind("0x", 0) == 0;
}
bool positive(const Json& j) {
    return j.is_number() && j.get<double>() > 0;
}
bool reals(const Json& j) {
    if (!j.is_array()) return false;
    for (const Json& one : j) {
        if (!real(one)) return false;
    }
    return true;
}
bool wholes(const Json& j) {
    if (!j.is_array()) return false;
    for (const Json& one : j) {
        if (!whole(one)) return false;
    }
    return true;
}

struct Member {
    std::string_view name;
    Kind kind;
    std::string_view what;
    bool needed = true;
};

void look(const Json& in, std::string_view where, std::span<const Member> members,
          std::vector<std::string>& problems) {
    for (const Member& member : members) {
        const auto found = in.find(member.name);
        if (found == in.end()) {
            if (member.needed)
                problems.push_back(fmt::format("{}{} is missing", where, member.name));
        } else if (!member.kind(*found)) {
            problems.push_back(fmt::format("{}{} is not {}", where, member.name, member.what));
        }
    }
}

constexpr std::array record_members{
    Member{"schema", text, "a text"},
    Member{"version", whole, "a whole number"},
    Member{"suite", text, "a text"},
    Member{"variant", text, "a text"},
    Member{"device", text, "a text"},
    Member{"status", text, "a text"},
    Member{"reason", text, "a text", false},
    Member{"log", text, "a text", false},
    Member{"type", text, "a text"},
    Member{"shape", wholes, "a list of sizes"},
    Member{"constants", object, "an object"},
    Member{"launches", array, "a list"},
    Member{"program", object, "an object"},
    Member{"where", object, "an object"},
    Member{"run", object, "an object"},
    Member{"check", object, "an object", false},
    Member{"timing", object, "an object", false},
    Member{"work", object, "an object", false},
    Member{"rate", object, "an object", false},
    Member{"ceiling", object, "an object", false},
    Member{"state", object, "an object", false},
    Member{"notes", array, "a list", false},
};
constexpr std::array timing_members{
    Member{"scope", text, "a text"},
    Member{"unit", text, "a text"},
    Member{"median", positive, "a positive number"},
    Member{"low", positive, "a positive number"},
    Member{"high", positive, "a positive number"},
    Member{"confidence", real, "a number"},
    Member{"spread", real, "a number"},
    Member{"stopped_by", text, "a text"},
    Member{"least_batch_seconds", real, "a number"},
    Member{"repeats", wholes, "a list of counts"},
    Member{"in_cache", truth, "true or false"},
    Member{"round", wholes, "a list of counts"},
    Member{"samples", reals, "a list of numbers"},
    Member{"host_samples", reals, "a list of numbers"},
};
constexpr std::array check_members{
    Member{"trials", whole, "a count"},    Member{"shapes", array, "a list"},
    Member{"fillings", array, "a list"},   Member{"worst_share_of_bound", real, "a number"},
    Member{"worst_ulp", real, "a number"}, Member{"failure", object, "an object", false},
};
constexpr std::array where_members{
    Member{"name", text, "a text"},   Member{"backend", text, "a text"},
    Member{"uuid", text, "a text"},   Member{"pci", text, "a text"},
    Member{"driver", text, "a text"}, Member{"memory_bytes", whole, "a count"},
};
constexpr std::array run_members{
    Member{"id", text, "a text"},
    Member{"started", text, "a text"},
    Member{"seed", whole, "a whole number"},
    Member{"command", array, "a list"},
    Member{"program_version", text, "a text"},
};
constexpr std::array program_members{
    Member{"file", text, "a text"},
    Member{"language", text, "a text"},
    Member{"source_hash", text, "a text"},
    Member{"edits", array, "a list"},
    Member{"floats", object, "an object"},
    Member{"given_hash", text, "a text", false},
    Member{"options", array, "a list", false},
    Member{"build_seconds", reals, "a list of numbers"},
};

}  // namespace

std::vector<std::string> problems_of(const Json& record) {
    if (!record.is_object()) return {"it is not a JSON object"};
    std::vector<std::string> problems;
    look(record, "", record_members, problems);
    if (!problems.empty()) return problems;
    if (record["schema"] != record_schema) {
        return {fmt::format("its schema is {}, not {}", record["schema"].dump(), record_schema)};
    }
    if (record["version"] != record_version) {
        return {fmt::format("its version is {}, and this program reads version {}",
                            record["version"].dump(), record_version)};
    }
    const auto status = status_named(record["status"].get_ref<const std::string&>());
    if (!status) problems.push_back(fmt::format("status {} is unknown", record["status"].dump()));
    look(record["where"], "where.", where_members, problems);
    look(record["run"], "run.", run_members, problems);
    look(record["program"], "program.", program_members, problems);
    const bool checked = record.contains("check"), timed = record.contains("timing");
    if (checked) look(record["check"], "check.", check_members, problems);
    if (timed) look(record["timing"], "timing.", timing_members, problems);
    if (!problems.empty()) return problems;

    // A figure without a passed check is what the program exists to prevent.
    if (status == Status::ok && !(checked && timed)) {
        problems.push_back("status is ok, but check or timing is missing");
    }
    if (status != Status::ok) {
        if (!record.contains("reason")) problems.push_back("reason is missing");
        if (timed) problems.push_back("it has a timing although its status is not ok");
    }
    if (status == Status::ok && checked && record["check"].contains("failure")) {
        problems.push_back("status is ok, but check has a failure");
    }
    if (timed) {
        const Json& timing = record["timing"];
        if (timing["samples"].empty() || timing["samples"].size() != timing["round"].size()) {
            problems.push_back("timing.samples and timing.round do not belong together");
        }
        if (!record.contains("rate") || !record.contains("work") || !record.contains("state")) {
            problems.push_back("rate, work or state is missing beside the timing");
        }
    }
    return problems;
}

}  // namespace parallax
