// What is known of a kernel without running it, as JSON, and back.
#include "records/evidence_json.hpp"

#include <nlohmann/json.hpp>

namespace parallax {
namespace {

using enum InstructionClass;

struct ResourceName {
    const char* name;
    std::optional<std::uint32_t> Resources::*value;
};
constexpr ResourceName resource_names[]{
    {"registers", &Resources::registers},
    {"spill_bytes", &Resources::spill_bytes},
    {"private_bytes", &Resources::private_bytes},
    {"local_bytes", &Resources::local_bytes},
    {"constant_bytes", &Resources::constant_bytes},
    {"max_group_items", &Resources::max_group_items},
    {"preferred_multiple", &Resources::preferred_multiple},
    {"barriers", &Resources::barriers},
};

Json json_of(const Resources& resources) {
    Json json = Json::object();
    for (const auto& [name, value] : resource_names) {
        const auto& known = resources.*value;
        json[name] = known ? Json(*known) : Json("unknown");
    }
    return json;
}

Resources resources_of(const Json& json) {
    Resources resources;
    for (const auto& [name, value] : resource_names) {
        const auto found = json.find(name);
        if (found != json.end() && found->is_number()) resources.*value = *found;
    }
    return resources;
}

Json json_of(const std::optional<Occupancy>& occupancy) {
    if (!occupancy) return nullptr;
    return {{"groups", occupancy->groups},
            {"warps", occupancy->warps},
            {"most_warps", occupancy->most_warps},
            {"limited_by", occupancy->limited_by}};
}

std::optional<Occupancy> occupancy_of(const Json& json) {
    if (json.is_null()) return {};
    return Occupancy{json["groups"], json["warps"], json["most_warps"], json["limited_by"]};
}

Json json_of(const std::optional<InstructionMix>& mix) {
    if (!mix) return nullptr;
    Json json = Json::object();
    for (std::size_t i = 0; i < mix->count.size(); ++i) {
        if (mix->count[i] == 0) continue;
        json[std::string(name_of(static_cast<InstructionClass>(i)))] = mix->count[i];
    }
    return json;
}

std::optional<InstructionMix> mix_of(const Json& json) {
    if (json.is_null()) return {};
    InstructionMix mix;
    for (const auto& [name, count] : json.items()) {
        std::size_t place = 0;
        while (place < mix.count.size() && name_of(static_cast<InstructionClass>(place)) != name) {
            ++place;
        }
        const auto known = place < mix.count.size() ? static_cast<InstructionClass>(place) : other;
        mix[known] += count.get<std::uint32_t>();
    }
    return mix;
}

}  // namespace

Json json_of(const KernelEvidence& kernel) {
    return {{"kernel", kernel.kernel},
            {"options", kernel.options},
            {"resources", json_of(kernel.resources)},
            {"occupancy", json_of(kernel.occupancy)},
            {"why_no_occupancy", kernel.why_no_occupancy},
            {"ptx", json_of(kernel.ptx)},
            {"machine", json_of(kernel.machine)},
            {"ptx_text", kernel.ptx_text},
            {"machine_text", kernel.machine_text},
            {"machine_source", kernel.machine_source}};
}

KernelEvidence kernel_of(const Json& json) {
    return {.kernel = json["kernel"],
            .options = json["options"].get<std::vector<std::string>>(),
            .resources = resources_of(json["resources"]),
            .occupancy = occupancy_of(json["occupancy"]),
            .why_no_occupancy = json["why_no_occupancy"],
            .ptx = mix_of(json["ptx"]),
            .machine = mix_of(json["machine"]),
            .ptx_text = json["ptx_text"],
            .machine_text = json["machine_text"],
            .machine_source = json["machine_source"]};
}

}  // namespace parallax
