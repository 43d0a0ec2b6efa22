// Shared by tests of manifests on the command line.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/tests/command_line.hpp"

namespace parallax::cli {

class ManifestCommand : public CommandLine {
protected:
    static std::string example(const std::string& name) {
        return std::string(SOURCE_ROOT "/docs/examples") + "/" + name + "/" + name + ".json";
    }
    static std::string pocl() {
        for (const Entry& entry : find_devices(backends()).entries) {
            if (entry.info.is_pocl()) return entry.info.id();
        }
        return {};
    }
    static std::vector<Json> records_of(const std::filesystem::path& file) {
        std::vector<Json> records = json_results(file).records;
        std::erase_if(records, [](const Json& r) { return r["suite"] == "ceiling"; });
        return records;
    }
    /// A copy of an example under another name, to be modified by a test.
    static std::string copy_of(const std::string& name) {
        std::filesystem::copy(std::filesystem::path(example(name)).parent_path(), name);
        Json json = Json::parse(text_of(std::filesystem::path(name) / (name + ".json")));
        json["name"] = name + "_copy";
        std::ofstream(std::filesystem::path(name) / "mine.json") << json.dump();
        return name + "/mine.json";
    }
};

}  // namespace parallax::cli
