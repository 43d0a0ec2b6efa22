// Builds many kernels as one text, and finds those that a compiler complains of by their lines.
#include "benchmarks/generated/judge.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/characters.hpp"
#include "common/error.hpp"
#include "common/text.hpp"
#include "common/text_lines.hpp"
#include "mapping/translate/cuda_text.hpp"
#include "mapping/translate/expand.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::generated {
namespace {

constexpr std::string_view file_name = "k.cl";
constexpr std::uint64_t groups = 2, items = 16;

/// The line that a message is of: `k.cl:12:`, `k.cl(12):`; 0: of none.
std::size_t line_of(std::string_view message) {
    const std::size_t at = message.find(file_name);
    if (at == message.npos) return 0;
    std::size_t line = 0;
    for (std::size_t i = at + file_name.size() + 1;
         i < message.size() && std::isdigit(message[i]) != 0; ++i)
        line = 10 * line + static_cast<std::size_t>(message[i] - '0');
    return line;
}

/// Behind the place.
std::string_view words_of(std::string_view message) {
    const std::size_t error = message.find("error");
    if (error != message.npos) return message.substr(error);
    const std::size_t at = message.find(file_name);
    const std::size_t colon = at == message.npos ? at : message.find(": ", at);
    return colon == message.npos ? message : message.substr(colon + 2);
}

/// Without the digits of names and numbers.
std::string kind_of(std::string_view reason) {
    std::string kind;
    for (const char c : reason.substr(0, 200)) {
        if (std::isdigit(c) == 0) {
            kind += c;
        } else if (!kind.ends_with('#')) {
            kind += '#';
        }
    }
    return kind;
}

/// @param is_log  a compiler's, which says more than errors
bool is_message(std::string_view line, bool is_log) {
    return line.find(file_name) != line.npos && (!is_log || line.find("error") != line.npos);
}

}  // namespace

Program program_of(const File& file, const std::vector<std::size_t>& kernels, bool is_expanded) {
    Program program{
        .name = std::string(file_name), .source = text_of(file, kernels).text, .type = {}};
    for (const std::string& one : file.defines) {
        const std::size_t equals = one.find('=');
        program.defines.push_back(
            {one.substr(0, equals), equals == one.npos ? "1" : one.substr(equals + 1)});
    }
    if (is_expanded) {
        program.source = expanded(file_name, program.source, program.defines, {}, Reach({}));
        program.defines.clear();
    }
    return program;
}

Judge::Numbers Judge::answer(Device& device, const File& file, const Program& program,
                             std::size_t kernels) {
    between_();
    Program own = program;
    // Its optimiser takes most of the time, and is not what is asked.
    if (device.info().is_pocl()) own.options.emplace_back("-cl-opt-disable");
    const auto code = device.compile(own, "k");
    Random random(file.seed);
    HostArray in(ElementType::u32, groups * items * inputs),
        out(ElementType::u32, groups * items * kernels * probes);
    for (std::uint32_t& one : in.as<std::uint32_t>()) {
        one = static_cast<std::uint32_t>(random.next());
        if (random.chance(20))
            one = std::vector<std::uint32_t>{0, 1, ~0U, 0x80000000, 0x7fffffff}[random.below(5)];
    }
    std::ranges::fill(out.bytes(), std::byte{0});
    const auto read = device.upload(in), written = device.upload(out);
    between_();
    const Command launch{Dispatch{code, {{groups, 1, 1}, {items, 1, 1}}, {read, written}}};
    device.run({&launch, 1});
    const HostArray result = device.download(*written, ElementType::u32);
    const auto numbers = result.as<std::uint32_t>();
    return {numbers.begin(), numbers.end()};
}

void Judge::check_nvrtc(const Program& program) {
    if (!cuda::nvrtc().available()) return;
    between_();
    cuda::compile_for(program, 90);
}

std::vector<std::size_t> Judge::pass(
    const File& file, std::vector<std::size_t> kernels, Finding finding,
    const std::function<void(const std::vector<std::size_t>&)>& attempt,
    std::vector<Finding>& findings) {
    while (!kernels.empty()) {
        std::string said;
        bool is_log = false;
        try {
            attempt(kernels);
            return kernels;
        } catch (const DeviceError&) {
            throw;
        } catch (const Refused& error) {
            said = error.what();
            if (finding.end == End::not_compiled) finding.end = End::refused;
        } catch (const BuildFailed& error) {
            is_log = !error.log.empty();
            said = is_log ? error.log : error.what();
        } catch (const Error& error) {
            said = error.what();
        }
        const End end = finding.end;
        if (end == End::refused) finding.end = End::not_compiled;  // for the next
        const auto found = [&](std::size_t kernel, std::string_view words) {
            Finding one = finding;
            one.kernel = kernel;
            one.end = end;
            one.reason = printable(words, 300);
            one.kind = kind_of(one.reason);
            findings.push_back(one);
        };
        const std::vector<std::size_t> starts = text_of(file, kernels).first_lines;
        std::set<std::size_t> marked;
        std::string_view first;
        for (const std::string_view line : lines_of(said)) {
            if (!is_message(line, is_log)) continue;
            if (first.empty()) first = line;
            const auto next = std::ranges::upper_bound(starts, line_of(line));
            if (next == starts.begin() || next == starts.end()) continue;
            const std::size_t kernel = kernels[static_cast<std::size_t>(next - starts.begin() - 1)];
            if (marked.insert(kernel).second) found(kernel, words_of(line));
        }
        if (marked.empty()) {
            if (kernels.size() == 1) {
                found(kernels.front(), first.empty() ? said : words_of(first));
                return {};
            }
            const auto middle = kernels.begin() + static_cast<std::ptrdiff_t>(kernels.size() / 2);
            std::vector<std::size_t> left =
                pass(file, {kernels.begin(), middle}, finding, attempt, findings);
            const auto right = pass(file, {middle, kernels.end()}, finding, attempt, findings);
            left.insert(left.end(), right.begin(), right.end());
            return left;
        }
        std::erase_if(kernels, [&](std::size_t one) { return marked.contains(one); });
    }
    return {};
}

void Judge::judge_mode(const File& file, const std::vector<std::size_t>& kernels,
                       const Numbers& right, bool is_expanded, std::vector<Finding>& findings) {
    const auto program = [&](const auto& some) { return program_of(file, some, is_expanded); };
    Finding finding{
        .end = End::not_compiled, .is_expanded = is_expanded, .device = "translator", .reason = {}};
    auto good = pass(
        file, kernels, finding,
        [&](const auto& some) {
            const Program one = program(some);
            const Translation made = to_cuda(one.name, one.source, translate_options(one));
            if (!made.device_names.empty()) throw Refused(made.device_names.front());
        },
        findings);
    finding.device = "nvrtc";
    good = pass(
        file, good, finding, [&](const auto& some) { check_nvrtc(program(some)); }, findings);
    for (Device* device : others_) {
        finding.device = device->info().id();
        Numbers numbers;
        const auto done = pass(
            file, good, finding,
            [&](const auto& some) {
                // The last one is of all that are left, or of parts of them.
                const Numbers own = answer(*device, file, program(some), some.size());
                for (std::size_t item = 0; item < groups * items; ++item) {
                    for (std::size_t i = 0; i < some.size(); ++i) {
                        const auto place = static_cast<std::size_t>(
                            std::ranges::find(kernels, some[i]) - kernels.begin());
                        const auto* mine = &own[(item * some.size() + i) * probes];
                        const auto* theirs = &right[(item * kernels.size() + place) * probes];
                        const auto [a, b] = std::mismatch(mine, mine + probes, theirs);
                        if (a == mine + probes ||
                            std::ranges::any_of(findings, [&](const Finding& one) {
                                return one.kernel == some[i] && one.device == finding.device &&
                                       one.is_expanded == is_expanded;
                            }))
                            continue;
                        Finding one = finding;
                        one.kernel = some[i];
                        one.end = End::differs;
                        one.reason = fmt::format(
                            "out[{}] of work-item {}: {} has {:#x}, {} has {:#x}", a - mine, item,
                            reference_.info().id(), *b, finding.device, *a);
                        one.kind = "differs";
                        findings.push_back(one);
                    }
                }
            },
            findings);
    }
}

std::vector<Finding> Judge::judge(const File& file, const std::vector<std::size_t>& kernels,
                                  std::optional<bool> is_expanded) {
    std::vector<Finding> findings;
    std::vector<std::vector<std::size_t>> sets;
    std::vector<Numbers> answers;
    const Finding finding{.end = End::not_opencl, .device = reference_.info().id(), .reason = {}};
    pass(
        file, kernels, finding,
        [&](const auto& some) {
            answers.push_back(answer(reference_, file, program_of(file, some, false), some.size()));
            sets.push_back(some);
        },
        findings);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        for (const bool mode : {false, true}) {
            if (is_expanded.value_or(mode) == mode)
                judge_mode(file, sets[i], answers[i], mode, findings);
        }
    }
    // What is not translated as it stands goes through the preprocessor by itself, as for a user.
    const auto is_refused = [&](std::size_t kernel, bool mode) {
        return std::ranges::any_of(findings, [&](const Finding& one) {
            return one.kernel == kernel && one.is_expanded == mode && one.end == End::refused;
        });
    };
    std::set<std::size_t> expanded_only;
    for (const std::size_t kernel : kernels) {
        if (is_refused(kernel, false) && !is_refused(kernel, true)) expanded_only.insert(kernel);
    }
    std::erase_if(findings, [&](const Finding& one) {
        return one.end == End::refused && !one.is_expanded && expanded_only.contains(one.kernel);
    });
    return findings;
}

std::vector<bool> Judge::shows(const File& file, const Finding& finding) {
    std::vector<std::size_t> all(file.kernels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<bool> shown(all.size());
    for (const Finding& one : judge(file, all, finding.is_expanded)) {
        if (one.end == finding.end && one.device == finding.device &&
            (one.end != End::refused || one.kind == finding.kind))
            shown[one.kernel] = true;
    }
    return shown;
}

}  // namespace parallax::generated
