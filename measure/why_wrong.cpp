// Repeats a wrong launch: with the same poison to detect dependence on order, with another poison
// to detect unwritten elements and uninitialised reads.
#include "measure/why_wrong.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/device/memory.hpp"
#include "common/text/hash.hpp"
#include "measure/reference_provider.hpp"

namespace parallax {
namespace {

/// Hash of the wrong output only: others may differ and be right.
std::string hash_of_output(const Binding& binding, const Plan& plan, std::size_t output) {
    Hasher hasher;
    const BufferSpec& spec = plan.buffers.at(output);
    binding.read_in_parts(output, [&](const HostArray& part, std::uint64_t first) {
        hasher.add(spec.parts.empty() ? part.bytes()
                                      : only_parts(part.bytes(), spec, first).bytes());
    });
    return hasher.digits();
}

/// Hash of another device's results.
std::string hash_of_answers(const std::vector<Expected>& all, const Plan& plan) {
    Hasher hasher;
    auto answer = all.begin();
    for (const BufferSpec& spec : plan.buffers) {
        if (!is_compared(spec.role) || answer == all.end()) continue;
        const auto* const values = std::get_if<HostArray>(&(answer++)->values);
        if (!values) continue;
        hasher.add(spec.parts.empty() ? values->bytes()
                                      : only_parts(values->bytes(), spec, 0).bytes());
    }
    return hasher.digits();
}

std::string other_answers(std::string_view device) {
    return fmt::format(
        " Another launch on {} with equal inputs gave other answers, so the order of work-items "
        "decides (a barrier or an atomic function is missing), or memory that is read before it is "
        "written, or what an earlier launch left.",
        device);
}

std::vector<std::byte> element_of(const Binding& binding, const WrongElement& wrong) {
    std::vector<std::byte> found;
    binding.read_in_parts(wrong.output, [&](const HostArray& part, std::uint64_t first) {
        const std::size_t size = wrong.got.size();
        if (wrong.index < first || wrong.index - first >= part.size()) return;
        const auto bytes = part.bytes().subspan((wrong.index - first) * size, size);
        found.assign(bytes.begin(), bytes.end());
    });
    return found;
}

bool is_all(std::span<const std::byte> bytes, std::byte value) {
    return std::ranges::all_of(bytes, [&](std::byte one) { return one == value; });
}

/// Whether a number is one that the host fills local memory with; a byte may match by chance.
bool is_of_local_memory(std::span<const std::byte> bytes) {
    return bytes.size() >= 4 && std::ranges::any_of(uninitialized_local, [&](const auto& pair) {
               for (std::size_t i = 0; i < bytes.size(); ++i) {
                   if (bytes[i] != std::byte{pair[i % 2]}) return false;
               }
               return true;
           });
}

}  // namespace

std::string why_wrong(Device& device, const Plan& plan, const Codes& codes,
                      const ReferenceData& reference_data, const Binding& binding,
                      const Poisons& poisons, const WrongElement& wrong,
                      const std::function<std::vector<Expected>()>& answered_again) {
    const bool is_host = device.info().backend == "host";
    if (is_host && is_of_local_memory(wrong.got)) {
        return " The host fills local memory with that before each work-group: the kernel reads it "
               "before it is written.";
    }
    Binding again(device, plan, codes);
    again.load(reference_data.inputs, poisons.own);
    again.run();
    if (hash_of_output(again, plan, wrong.output) != hash_of_output(binding, plan, wrong.output))
        return other_answers(device.info().id());
    if (is_agreement(reference_data.against) && reference_data.against != "itself" &&
        hash_of_answers(answered_again(), plan) != hash_of_answers(reference_data.expected, plan))
        return other_answers(reference_data.against) + " Its answer may be the wrong one.";
    again.load(reference_data.inputs, poisons.other);
    again.run();
    const std::vector<std::byte> other = element_of(again, wrong);
    if (std::ranges::equal(other, wrong.got)) return {};
    if (!is_all(wrong.got, poisons.own) || !is_all(other, poisons.other)) {
        return fmt::format(
            " A launch with other bytes around its buffers and in its outputs gave another answer: "
            "the kernel reads outside of its buffers, or an output before it is written.{}",
            is_host ? "" : " 'run --check -d host:1' names the line.");
    }
    std::size_t place = 0;
    for (std::size_t i = 0; i < wrong.output; ++i) place += is_compared(plan.buffers[i].role);
    const auto* const run = std::get_if<HostArray>(&reference_data.expected.at(place).values);
    const bool neither =
        run && is_all(run->bytes().subspan(wrong.index * wrong.got.size(), wrong.got.size()),
                      witness_poison);
    return fmt::format(
        " The element holds what outputs are filled with before a launch: the kernel does not "
        "write it{}.",
        neither ? ", and nor did the run that it is compared with" : "");
}

std::string whose_answer(std::string_view against) {
    if (!is_agreement(against)) return "right is";
    return against == "itself" ? "another launch on the same device has"
                               : fmt::format("{} has", against);
}

}  // namespace parallax
