// Checks structs in a manifest against the kernel's source.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/analyze/call_arguments.hpp"
#include "suites/manifest/check.hpp"

namespace parallax::manifest {
namespace {

std::string words_for(const Member& member) {
    if (member.is_array) {
        return fmt::format("{}[{}]", member.type,
                           member.elements > 0 ? std::to_string(member.elements) : "");
    }
    return member.type.empty() ? "no number" : member.type;
}

std::string words_for(const ArgumentSpec& member) {
    if (!member.members.empty()) return member.struct_name;
    return name_of(member.type) + (member.is_array ? fmt::format("[{}]", member.elements) : "");
}

}  // namespace

void check_members(const Model& model, const ArgumentSpec& argument, const std::string& type,
                   const std::vector<Member>& declared, const std::string& obstacle) {
    if (!obstacle.empty()) {
        model.fail(argument.path,
                   fmt::format("{} is {} in the kernel, so that its layout does not follow from "
                               "members; write its bytes, by value 'hex', of a buffer 'bytes' with "
                               "a file",
                               type, obstacle));
    }
    if (declared.empty()) return;  // they depend on an #if
    const auto all = [](const auto& members) {
        std::vector<std::string> words;
        for (const auto& one : members) {
            words.push_back(fmt::format("{} {}", words_for(one), one.name));
        }
        return fmt::format("{}", fmt::join(words, ", "));
    };
    const auto differs = [&](const std::string& path, const std::string& which) {
        model.fail(path, fmt::format("the struct {} has in the kernel {}, and here it has {}; {}",
                                     type, all(declared), all(argument.members), which));
    };
    for (std::size_t i = 0; i < std::min(declared.size(), argument.members.size()); ++i) {
        const Member& right = declared[i];
        const ArgumentSpec& own = argument.members[i];
        const bool same_name = own.name == right.name;
        const bool same_count = right.elements == 0 || right.elements == own.elements;
        const std::string given = own.members.empty() ? name_of(own.type) : own.struct_name;
        const bool same_type = right.type.empty() || fits_type(right.type, given) ||
                               (!own.members.empty() && !right.members.empty());
        if (!same_name || !same_type || own.is_array != right.is_array || !same_count) {
            differs(own.path, fmt::format("write \"{}\" as {}", right.name, words_for(right)));
        }
        if (!own.members.empty()) check_members(model, own, right.type, right.members, "");
    }
    if (declared.size() != argument.members.size()) {
        differs(argument.path, fmt::format("write {} members, in this order", declared.size()));
    }
}

void check_bytes(const Model& model, const ArgumentSpec& argument, const Parameter& parameter) {
    if (parameter.members.empty() || !parameter.obstacle.empty()) return;
    auto declared = struct_members(parameter.members);
    if (!declared) return;
    ArgumentSpec whole;
    whole.members = *std::move(declared);
    const std::uint64_t bytes = layout_of(whole).bytes;
    if (argument.bytes.size() == bytes) return;
    model.fail(argument.path,
               fmt::format("'hex' has {} bytes, and the struct {} of '{}' has {}",
                           argument.bytes.size(), parameter.type, parameter.name, bytes));
}

}  // namespace parallax::manifest
