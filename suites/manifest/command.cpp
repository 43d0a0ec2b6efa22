// Runs the user's program that computes reference results from files.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstring>
#include <fstream>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text.hpp"
#include "suites/manifest/model.hpp"

namespace parallax {
namespace manifest {
namespace {

namespace fs = std::filesystem;

HostArray read_answer(const fs::path& file, const BufferSpec& buffer) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
        throw Error(fmt::format("it wrote no file out/{}.bin", buffer.name));
    }
    HostArray array(buffer.type, buffer.elements);
    if (const std::uint64_t bytes = fs::file_size(file); bytes != array.bytes().size()) {
        throw Error(fmt::format("it wrote {} bytes into out/{}.bin, and {} elements of {} are {}",
                                bytes, buffer.name, buffer.elements, name_of(buffer.type),
                                array.bytes().size()));
    }
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(array.bytes().data()),
            static_cast<std::streamsize>(array.bytes().size()));
    if (!in) throw Error(fmt::format("out/{}.bin cannot be read", buffer.name));
    return array;
}

/// A by-value argument as JSON: a number, a list for a vector, an object for a struct.
Json value_json(const ArgumentSpec& argument, std::span<const std::byte> bytes) {
    if (!argument.members.empty()) {
        Json json = Json::object();
        for (const auto& [member, offset] : layout_of(argument).parts) {
            json[member->name] =
                value_json(*member, bytes.subspan(offset, layout_of(*member).bytes));
        }
        return json;
    }
    if (!argument.opaque.empty() || argument.is_null || !argument.type.known()) {
        return fmt::format("{:02x}", fmt::join(bytes, ""));
    }
    const ElementType type = scalar_type(argument.type);
    Json numbers = Json::array();
    for (std::uint64_t i = 0; i < slots(argument.type) * argument.elements; ++i) {
        if (i % slots(argument.type) >= argument.type.width)
            continue;  // the padding of
                       // three-component vectors
        visit_any_type(type, [&](auto one) {
            std::memcpy(&one, bytes.subspan(i * sizeof one).data(), sizeof one);
            if constexpr (std::is_arithmetic_v<decltype(one)>) {
                numbers.push_back(one);
            } else {
                numbers.push_back(static_cast<float>(one));
            }
        });
    }
    return argument.type.is_vector() || argument.is_array ? numbers : numbers.front();
}

Json case_json(const Model& model, const KernelSource& text, const Case& c, const Plan& plan) {
    Json json{{"variant", text.name},     {"sizes", Json::object()},  {"constants", Json::object()},
              {"values", Json::object()}, {"inputs", Json::object()}, {"outputs", Json::object()}};
    for (std::size_t i = 0; i < model.dimensions.size(); ++i) {
        json["sizes"][model.dimensions[i]] = c.shape[i];
    }
    for (const Constant& one : c.constants) json["constants"][one.name] = one.value;
    const std::vector<const Launch*> launches = launches_of(plan);
    for (std::size_t l = 0; l < launches.size(); ++l) {
        std::size_t next = 0;
        for (const std::size_t place : text.launches.at(l).arguments) {
            const ArgumentSpec& argument = text.arguments.at(place);
            // CUDA's shared memory is no parameter.
            const bool is_local = argument.kind == ArgumentSpec::Kind::local;
            if (is_local && text.language != Language::portable) continue;
            const auto* value = std::get_if<Scalar>(&launches[l]->arguments.at(next++));
            if (value) json["values"][argument.name] = value_json(argument, bytes_of(*value));
        }
    }
    for (const BufferSpec& buffer : plan.buffers) {
        const Json what{{"type", name_of(buffer.type)}, {"elements", buffer.elements}};
        if (is_loaded(buffer.role)) json["inputs"][buffer.name] = what;
        if (is_compared(buffer.role)) json["outputs"][buffer.name] = what;
    }
    return json;
}

/// The last lines of a program's output.
std::string last_words(const ProcessResult& ended) {
    const std::string& said = ended.err.empty() ? ended.out : ended.err;
    constexpr std::size_t most = 400;
    std::string end = said.substr(said.size() - std::min(said.size(), most));
    while (!end.empty() && std::isspace(static_cast<unsigned char>(end.back()))) end.pop_back();
    std::ranges::replace(end, '\n', ' ');
    return end.empty() ? "" : ": " + printable(end, most);
}

}  // namespace

std::vector<Expected> command_answers(const Model& model, const KernelSource& text, const Case& c,
                                      const std::vector<HostArray>& inputs, bool may_run) {
    const std::string what =
        fmt::format("The reference command '{}', for {} = {},", fmt::join(model.command, " "),
                    fmt::join(model.dimensions, " x "), to_string(c.shape));
    try {
        if (!may_run) throw Error("it needs --allow-command");
        const Plan plan = c.variant->plan(c);
        const TemporaryFolder exchange("parallax-reference-");
        for (const char* sub : {"in", "out"}) fs::create_directories(exchange.path() / sub);
        exchange.put("case.json", case_json(model, text, c, plan).dump(2));
        std::size_t next = 0;
        for (const BufferSpec& buffer : plan.buffers) {
            if (!is_loaded(buffer.role)) continue;
            const std::span<const std::byte> bytes = inputs.at(next++).bytes();
            exchange.put(fmt::format("in/{}.bin", buffer.name),
                         {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        }
        // If this process is killed, for example after Ctrl-C, the command ends as well: it gets a
        // signal, and a time limit.
        std::vector<std::string> words{"--pdeathsig", "TERM", "timeout", "--signal=KILL",
                                       fmt::format("{}", model.command_seconds + 5)};
        words.insert(words.end(), model.command.begin(), model.command.end());
        words.push_back(exchange.path().string());
        const ProcessResult ended = run_program(
            "setpriv", words, std::chrono::seconds(model.command_seconds), model.folder);
        if (!ended.started) throw Error(fmt::format("it cannot be started: {}", ended.err));
        if (!ended.in_time) {
            throw Error(fmt::format("it took more than its {} seconds and was ended{}",
                                    model.command_seconds, last_words(ended)));
        }
        if (ended.exit_code < 0) throw Error("it was ended by a signal" + last_words(ended));
        if (ended.exit_code > 0) {
            throw Error(
                fmt::format("it ended with exit code {}{}", ended.exit_code, last_words(ended)));
        }
        std::vector<Expected> expected;
        for (const BufferSpec& buffer : plan.buffers) {
            if (!is_compared(buffer.role)) continue;
            expected.push_back(
                {read_answer(exchange.path() / "out" / (buffer.name + ".bin"), buffer), {}});
        }
        return expected;
    } catch (const std::exception& error) {
        throw Error(fmt::format("{} failed: {}.", what, error.what()));
    }
}

}  // namespace manifest
}  // namespace parallax
