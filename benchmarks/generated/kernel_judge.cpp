// Builds many kernels as one source, and bisects it to find those that a compiler rejects.
#include "benchmarks/generated/kernel_judge.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/generated/back_device.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/preprocess/compiler_macros.hpp"
#include "mapping/preprocess/expand.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::generated {
namespace {

constexpr std::uint64_t groups = 2;
constexpr const char* refused = "refused by the translator";

/// The file's source for both compilers, original or preprocessed.
Program program_of(const File& file, const std::vector<std::size_t>& kernels, bool is_expanded) {
    Program program{.name = "k.cl", .source = text_of(file, kernels), .type = {}};
    program.defines = {{"D0", "1"}, {"D1", "3"}};
    if (is_expanded) {
        program.source =
            expanded(program.name, program.source, program.defines, {}, PathSandbox({}));
        program.defines.clear();
    }
    return program;
}

/// Whether a condition depends on a compiler's predefined macros: the program then preprocesses the
/// source for both sides.
bool asks_its_compiler(std::string_view text) {
    return std::ranges::any_of(lines_of(text), [](std::string_view line) {
        if (!line.starts_with("#if") && !line.starts_with("#elif")) return false;
        const auto is_part = [](char c) { return std::isalnum(c) != 0 || c == '_'; };
        for (std::size_t at = line.find(' '); at < line.size(); ++at) {
            const std::size_t first = at;
            while (at < line.size() && is_part(line[at])) ++at;
            if (at > first && differs_by_device(line.substr(first, at - first))) return true;
        }
        return false;
    });
}

/// The message of the first error, without its location.
std::string words_of(std::string_view said) {
    for (const std::string_view line : lines_of(said)) {
        if (const std::size_t at = line.find("error"); at != line.npos)
            return printable(line.substr(at), 300);
    }
    const std::size_t place = said.find("k.cl"),
                      colon = place == said.npos ? place : said.find(": ", place);
    return printable(colon == said.npos ? said : said.substr(colon + 2), 300);
}

/// Without the digits of names and numbers.
std::string kind_of(std::string_view reason) {
    std::string kind;
    for (const char c : reason.substr(0, 200)) {
        if (std::isdigit(c) == 0 || !kind.ends_with('#')) kind += std::isdigit(c) == 0 ? c : '#';
    }
    return kind;
}

}  // namespace

Judge::Numbers Judge::answer(Device& device, const File& file, const Program& program,
                             std::size_t kernels) {
    check_interrupt_();
    Program own = program;
    // Its optimiser takes most of the time, and is not under test.
    if (device.info().is_pocl()) own.options.emplace_back("-cl-opt-disable");
    const auto code = device.compile(own, "k");
    Random random(file.seed);
    HostArray in(ElementType::u32, groups * items * inputs),
        out(ElementType::u32, groups * items * kernels * probes);
    static const std::vector<std::uint32_t> corners{0, 1, ~0U, 0x80000000, 0x7fffffff};
    for (std::uint32_t& one : in.as<std::uint32_t>()) {
        one = static_cast<std::uint32_t>(random.next());
        if (random.chance(20)) one = random.pick(corners);
    }
    std::ranges::fill(out.bytes(), std::byte{0});
    const auto read = device.upload(in), written = device.upload(out);
    check_interrupt_();
    const Command launch{Dispatch{code, {{groups, 1, 1}, {items, 1, 1}}, {read, written}}};
    device.run({&launch, 1});
    const HostArray result = device.download(*written, ElementType::u32);
    const auto numbers = result.as<std::uint32_t>();
    return {numbers.begin(), numbers.end()};
}

Judge::Kernels Judge::pass(const Kernels& kernels, const Finding& finding,
                           const std::function<void(const Kernels&)>& attempt) {
    if (kernels.empty()) return {};
    Finding one = finding;
    try {
        attempt(kernels);
        return kernels;
    } catch (const DeviceError&) {
        throw;
    } catch (const Refused& error) {
        one.end = refused;
        one.reason = words_of(error.what());
    } catch (const RefusedBack& error) {
        one.end = refused_back;
        one.reason = words_of(error.what());
    } catch (const BuildFailed& error) {
        one.reason = words_of(error.log.empty() ? error.what() : error.log);
    } catch (const Error& error) {
        one.reason = words_of(error.what());
    }
    if (kernels.size() == 1) {
        one.kernel = kernels.front();
        one.kind = kind_of(one.reason);
        findings_.push_back(one);
        return {};
    }
    const auto middle = kernels.begin() + static_cast<std::ptrdiff_t>(kernels.size() / 2);
    Kernels good = pass({kernels.begin(), middle}, finding, attempt);
    std::ranges::copy(pass({middle, kernels.end()}, finding, attempt), std::back_inserter(good));
    return good;
}

void Judge::judge_as(const File& file, const Kernels& kernels, const Numbers& right,
                     bool is_expanded) {
    Finding finding{.end = "CUDA does not compile", .is_expanded = is_expanded, .device = "nvrtc"};
    const bool is_for_cuda = std::ranges::any_of(
        others_, [](const Device* one) { return one->info().backend != BackDevice::word; });
    const Kernels good = pass(kernels, finding, [&](const Kernels& some) {
        if (!is_for_cuda || !cuda::nvrtc().available()) return;
        check_interrupt_();
        cuda::compile_for(program_of(file, some, is_expanded), 90);
    });
    for (Device* device : others_) {
        finding.device = device->info().id();
        if (device->info().backend == BackDevice::word) finding.end = "comes back wrong";
        pass(good, finding, [&](const Kernels& some) {
            const Numbers own =
                answer(*device, file, program_of(file, some, is_expanded), some.size());
            for (std::size_t i = 0; i < some.size(); ++i) {
                const auto place =
                    static_cast<std::size_t>(std::ranges::find(kernels, some[i]) - kernels.begin());
                for (std::size_t n = 0; n < groups * items * probes; ++n) {
                    const std::size_t item = n / probes, number = n % probes;
                    const auto a = own[(item * some.size() + i) * probes + number],
                               b = right[(item * kernels.size() + place) * probes + number];
                    if (a == b) continue;
                    findings_.push_back(
                        {some[i], "differs", is_expanded, finding.device,
                         fmt::format("out[{}] of work-item {}: {} has {:#x}, {} has {:#x}", number,
                                     item, reference_.info().id(), b, finding.device, a),
                         "an answer"});
                    break;
                }
            }
        });
    }
}

std::vector<Finding> Judge::judge(const File& file, const Kernels& kernels) {
    findings_.clear();
    const Finding finding{.end = "OpenCL does not compile", .device = reference_.info().id()};
    pass(kernels, finding, [&](const Kernels& some) {
        const bool is_expanded_for_both = asks_its_compiler(text_of(file, some));
        const Numbers right =
            answer(reference_, file, program_of(file, some, is_expanded_for_both), some.size());
        for (const bool is_expanded : {false, true}) judge_as(file, some, right, is_expanded);
    });
    std::erase_if(findings_,
                  [](const Finding& one) { return !one.is_expanded && one.end == refused; });
    return findings_;
}

bool Judge::shows(const File& file, const Finding& finding) {
    const auto findings = judge(file, {0});
    return std::ranges::any_of(findings, [&](const Finding& one) {
        return one.end == finding.end && one.device == finding.device &&
               one.is_expanded == finding.is_expanded && one.kind == finding.kind;
    });
}

}  // namespace parallax::generated
