// Compiles and runs kernels that generated.py writes: a request a line, an answer a line.
//
//     judge DEVICE...
//
// The first line that it prints says which features and which OpenCL the devices have. A request
// has the source of a file of kernels, how many it has, whether it is preprocessed first, and where
// it goes: the number of a device, `back` (the first one, by CUDA), `nvrtc`, or nowhere: its `text`
// alone is asked for, with `port` that of CUDA C++ in OpenCL C. One that is `native` is CUDA C++.
// The answer has the kernels' numbers, or an error. What takes too long ends the process, as a lost
// device does.
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/preprocess/expand.hpp"
#include "mapping/translate/translate.hpp"
#include "studies/mutation/deal.hpp"

namespace parallax {
namespace {

using Json = nlohmann::json;

/// Processor time of a request.
constexpr long most_seconds = 60;
constexpr std::uint64_t groups = 2;
constexpr const char* refused = "refused by the translator";

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

/// @param in  what each work-item reads
/// @param count  of the numbers that they write
std::vector<std::uint32_t> answer(Device& device, Program program,
                                  const std::vector<std::uint32_t>& in, std::size_t count) {
    // Its optimiser takes most of the time, and is not under test.
    if (device.info().is_pocl()) program.options.emplace_back("-cl-opt-disable");
    const auto code = device.compile(program, "k");
    HostArray read(ElementType::u32, in.size()), written(ElementType::u32, count);
    std::ranges::copy(in, read.as<std::uint32_t>().begin());
    std::ranges::fill(written.bytes(), std::byte{0});
    const auto from = device.upload(read), to = device.upload(written);
    limit_time(most_seconds);
    const std::uint64_t items = 16;
    const Command launch{Dispatch{code, {{groups, 1, 1}, {items, 1, 1}}, {from, to}}};
    device.run({&launch, 1});
    const HostArray result = device.download(*to, ElementType::u32);
    const auto numbers = result.as<std::uint32_t>();
    return {numbers.begin(), numbers.end()};
}

Json answer_to(const Json& request, const std::vector<std::unique_ptr<Device>>& devices) {
    Json answered = Json::object();
    try {
        Program program{.name = "k.cl", .source = request["source"], .type = {}};
        program.defines = {{"D0", "1"}, {"D1", "3"}};
        const Json& where = request["where"];
        if (where == "port") {
            try {
                return {{"text", to_opencl(program.name, program.source, {}, false).text}};
            } catch (const Refused& error) {
                return {{"end", refused}, {"error", error.what()}};
            }
        }
        if (request.value("native", false)) {
            program.language = Language::native;
            program.source = device_code(program.name, program.source);
            program.defines.clear();
        }
        if (request["expanded"]) {
            program.source =
                expanded(program.name, program.source, program.defines, {}, PathSandbox({}));
            program.defines.clear();
        }
        if (where == "text") return {{"text", program.source}};
        if (where == "nvrtc") {
            if (cuda::nvrtc().available()) cuda::compile_for(program, 90);
            return answered;
        }
        if (where == "back") {
            program.source =
                to_cuda(program.name, program.source, translate_options(program)).text();
            answered["end"] = "refused on the way back";
            program.source = to_opencl(program.name, program.source, {}, false).text;
            program.defines.clear();
        }
        Device& device = *devices.at(where == "back" ? 0 : where.get<std::size_t>());
        answered["numbers"] = answer(device, program, request["inputs"], request["count"]);
    } catch (const DeviceError&) {
        throw;
    } catch (const Refused& error) {
        answered.emplace("end", refused);
        answered["error"] = words_of(error.what());
    } catch (const BuildFailed& error) {
        answered = {{"error", words_of(error.log.empty() ? error.what() : error.log)}};
    } catch (const Error& error) {
        answered = {{"error", words_of(error.what())}};
    }
    return answered;
}

int run(const std::vector<std::string>& words) {
    if (words.back() == "back" || !words.front().starts_with("opencl")) {
        try {
            to_opencl("x.cu", "", {}, false);
        } catch (const Unsupported& error) {
            fmt::print(stderr, "{}\n", error.what());
            return 77;  // an exit code that Meson knows
        }
    }
    const Devices found = find_devices(backends());
    std::vector<std::unique_ptr<Device>> devices;
    for (const std::string& word : words)
        if (word != "back") devices.push_back(matching(found, word).front().open());
    const DeviceInfo& info = devices.at(0)->info();
    std::cout << Json{{"double",
                       std::ranges::all_of(
                           devices, [](const auto& one) { return one->info().has("double"); })},
                      {"platform", info.is_pocl()                   ? "pocl"
                                   : info.platform == "NVIDIA CUDA" ? "nvidia"
                                                                    : ""},
                      {"nvrtc", cuda::nvrtc().available()}}
              << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        limit_time(most_seconds);
        std::cout << answer_to(Json::parse(line), devices)
                         .dump(-1, ' ', true, Json::error_handler_t::replace)
                  << std::endl;
    }
    return 0;
}

}  // namespace
}  // namespace parallax

int main(int argc, char** argv) {
    try {
        return parallax::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
