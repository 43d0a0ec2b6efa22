// Builds many kernels as one source, and bisects it to find those that a compiler rejects.
#include "benchmarks/generated/kernel_judge.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/preprocess/expand.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::generated {
namespace {

constexpr std::uint64_t groups = 2;
constexpr const char* refused = "refused by the translator";

/// The way back has no rule for a construct, while the way to CUDA had.
struct RefusedBack : Error {
    using Error::Error;
};

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

}  // namespace

Program back_from_cuda(const Program& program) {
    const Translation cuda = to_cuda(program.name, program.source, translate_options(program));
    Program back = program;
    try {
        back.source = to_opencl(program.name, cuda.text(), {}, false).text;
        back.defines.clear();
    } catch (const Refused& error) {
        throw RefusedBack(error.what());
    }
    return back;
}

Judge::Numbers Judge::answer(Device& device, const File& file, Program program,
                             std::size_t kernels) {
    check_interrupt_();
    // Its optimiser takes most of the time, and is not under test.
    if (device.info().is_pocl()) program.options.emplace_back("-cl-opt-disable");
    const auto code = device.compile(program, "k");
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
    } catch (const BuildFailed& error) {
        one.reason = words_of(error.log.empty() ? error.what() : error.log);
    } catch (const Error& error) {
        one.reason = words_of(error.what());
        if (dynamic_cast<const Refused*>(&error)) one.end = refused;
        if (dynamic_cast<const RefusedBack*>(&error)) one.end = refused_back;
    }
    if (kernels.size() > 1) {
        const auto middle = kernels.begin() + static_cast<std::ptrdiff_t>(kernels.size() / 2);
        Kernels good = pass({kernels.begin(), middle}, finding, attempt);
        std::ranges::copy(pass({middle, kernels.end()}, finding, attempt),
                          std::back_inserter(good));
        return good;
    }
    one.kernel = kernels.front();
    one.kind = one.end + ": ";
    for (const char c : one.reason.substr(0, 200)) {
        const bool is_digit = std::isdigit(c) != 0;
        if (!is_digit || !one.kind.ends_with('#')) one.kind += is_digit ? '#' : c;
    }
    findings_.push_back(one);
    return {};
}

void Judge::judge_as(const File& file, const Kernels& kernels, const Numbers& right,
                     bool is_expanded) {
    Finding finding{.end = "CUDA does not compile", .is_expanded = is_expanded, .device = "nvrtc"};
    const Kernels good = pass(kernels, finding, [&](const Kernels& some) {
        if (others_.front().changed || !cuda::nvrtc().available()) return;
        check_interrupt_();
        cuda::compile_for(program_of(file, some, is_expanded), 90);
    });
    for (const auto& [device, changed] : others_) {
        finding.device = device->info().id();
        if (changed) finding.end = "comes back wrong";
        pass(good, finding, [&](const Kernels& some) {
            const Program program = program_of(file, some, is_expanded);
            const Numbers own =
                answer(*device, file, changed ? changed(program) : program, some.size());
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
                         "differs"});
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
        // A condition may ask for a macro that compilers define by themselves.
        const bool has_conditions = text_of(file, some).find("\n#if") != std::string::npos;
        const Numbers right =
            answer(reference_, file, program_of(file, some, has_conditions), some.size());
        for (const bool is_expanded : {false, true}) judge_as(file, some, right, is_expanded);
    });
    std::erase_if(findings_,
                  [](const Finding& one) { return !one.is_expanded && one.end == refused; });
    return findings_;
}

bool Judge::shows(const File& file, const Finding& finding) {
    return std::ranges::any_of(judge(file, {0}), [&](const Finding& one) {
        return one.device == finding.device && one.is_expanded == finding.is_expanded &&
               one.kind == finding.kind;
    });
}

}  // namespace parallax::generated
