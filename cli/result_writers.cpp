// Opens result files when their first line arrives.
#include "cli/result_writers.hpp"

#include <filesystem>
#include <ostream>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output_redirection.hpp"
#include "cli/request.hpp"
#include "common/error.hpp"
#include "common/profile.hpp"
#include "common/text/text.hpp"

namespace parallax::cli {

namespace {

/// Whether an open standard stream refers to the file.
bool is_where(int stream, const std::string& file) {
    struct stat open {
    }, named{};
    if (fstat(stream, &open) != 0 || stat(file.c_str(), &named) != 0) return false;
    // Character devices store nothing.
    return !S_ISCHR(named.st_mode) && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/// Advice on the records of a command; empty: its report has it.
std::string next_step(std::string_view kind, const std::string& file) {
    if (kind == "diff") return fmt::format(": 'parallax diff {} -o page.html' makes a page", file);
    if (kind == "explain") return fmt::format(": 'parallax explain {}' shows it again", file);
    if (kind == "run" || kind == "sweep" || kind == "tune") {
        return fmt::format(": 'parallax run --from {}' shows all of it", file);
    }
    return {};
}

}  // namespace

ResultWriters::ResultWriters(const std::optional<std::string>& file, const std::string& kind,
                             std::string_view option)
    : kind_(kind),
      named_(file.has_value()),
      name_(fmt::format("{}-{}.jsonl", kind, utc("{:%Y%m%dT%H%M%SZ}"))) {
    if (file && file->empty()) throw UsageError(fmt::format("{} names no file.", option));
    if (!file) return;
    for (const auto& [stream, what] :
         {std::pair{standard_files().out, "output"}, {standard_files().err, "error"}}) {
        if (!is_where(stream, *file)) continue;
        throw UsageError(fmt::format(
            "{} {} is where standard {} goes: the report would be written over the records. Name "
            "another file.",
            option, printable(*file, 200), what));
    }
    writers_[""].writer = std::make_unique<ResultWriter>(*file);
}

std::string ResultWriters::path_for(const std::vector<Entry>& entries) const {
    if (named_) return writers_.at("").writer->path().string();
    std::set<std::string> folders;
    for (const Entry& entry : entries) folders.insert(folder_name(entry.info.name));
    const std::string folder = folders.size() == 1 ? *folders.begin() : "several-devices";
    return ResultWriter(fs::path("results") / folder / name_).path().string();
}

void ResultWriters::add(const ResultEntry& line, const std::string& device_name) {
    const InPhase phase(Phase::other, "records");
    const std::string key = named_ ? "" : folder_name(device_name);
    Kept& kept = writers_[key];
    if (!kept.writer) {
        kept.writer = std::make_unique<ResultWriter>(fs::path("results") / key / name_);
    }
    ++kept.lines;
    if (earlier_.has(line)) return;
    kept.writer->add(line);
    if (all_) all_->add(line);
}

void ResultWriters::go_on(const std::string& all, const ResumeState& earlier) {
    all_ = std::make_unique<ResultWriter>(all);
    earlier_ = earlier;
}

void ResultWriters::print_places(std::ostream& out) const {
    for (const auto& [key, kept] : writers_) {
        if (kept.lines == 0) continue;
        const std::string file = kept.writer->path().string();
        out << fmt::format("kept in {}{}\n", file, next_step(kind_, file));
    }
}

}  // namespace parallax::cli
