// Measures build, launch, transfers and kernel on both sides alternately.
#include "studies/explain/stages.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/profile.hpp"
#include "common/text/text.hpp"
#include "studies/explain/stage_probes.hpp"

namespace parallax {
namespace {

double host_seconds() {
    return std::chrono::duration<double>(HostClock::now().time_since_epoch()).count();
}

/// The stages measured in this process, in the order of one use, the whole last.
std::vector<StagePlan> plans_of(StageProbes& probes) {
    return {
        {{.name = "build, again",
          .scope = "from source to code that can be launched, in this process, which has built "
                   "it before; the host's timer",
          .in_whole = true},
         [&probes](bool is_b) { return probes.rebuilding(is_b); },
         7},
        {{.name = "allocate",
          .scope = "from the first call for a buffer to the return of the last",
          .in_whole = true,
          .note = "A driver may put off what is to be done until a buffer is used."},
         [&probes](bool is_b) { return probes.allocating(is_b); },
         7},
        {{.name = "to the device, pageable",
          .scope = "the inputs from ordinary host memory to the device, waited for",
          .in_whole = true,
          .note = probes.input_amount()},
         [&probes](bool is_b) { return probes.uploading(is_b); }},
        {{.name = "to the device, page-locked",
          .scope = "the inputs from page-locked host memory to the device, waited for",
          .note = probes.input_amount()},
         [&probes](bool is_b) { return probes.uploading_locked(is_b); }},
        {{.name = "launch",
          .scope = "one launch of an empty kernel, of many in a row without a wait between; "
                   "the host's timer",
          .note = fmt::format("{} in a row.", launches_in_a_row)},
         [&probes](bool is_b) { return probes.launching(is_b, {}); }},
        {{.name = "launch, no profiling",
          .scope = "the same in a queue that keeps no times of its commands",
          .note = fmt::format("{} in a row.", launches_in_a_row)},
         [&probes](bool is_b) { return probes.launching(is_b, OpenOptions{.profiling = false}); }},
        {{.name = "round trip",
          .scope = "one launch of an empty kernel, waited for; the host's timer"},
         [&probes](bool is_b) { return probes.round_trip(is_b); },
         101},
        {{.name = "kernel",
          .scope = "one run of the case, of as many in a row as last a millisecond; the "
                   "device's timer"},
         [&probes](bool is_b) { return probes.running(is_b); }},
        {{.name = "enqueue and wait",
          .scope = "one run of the case, from its first command to the end of waiting for it; "
                   "the host's timer",
          .in_whole = true},
         [&probes](bool is_b) { return probes.running_once(is_b); },
         31},
        {{.name = "from the device, pageable",
          .scope = "the outputs from the device to ordinary host memory, waited for",
          .in_whole = true,
          .note = probes.output_amount()},
         [&probes](bool is_b) { return probes.downloading(is_b); }},
        {{.name = "from the device, page-locked",
          .scope = "the outputs from the device to page-locked host memory, waited for",
          .note = probes.output_amount()},
         [&probes](bool is_b) { return probes.downloading_locked(is_b); }},
        {{.name = "whole",
          .scope = "from source to outputs in ordinary host memory on an open device: build, "
                   "allocate, inputs to the device, one run, outputs from the device; one "
                   "measurement of it all by the host's timer"},
         [&probes](bool is_b) { return probes.whole(is_b); },
         7}};
}

/// Takes all stages of one case, one after another.
class StageRun {
public:
    explicit StageRun(const StageRequest& request)
        : request_(request),
          watch_{request.now ? request.now : host_seconds, request.config->check_interrupt},
          start_(watch_.now()),
          probes_(request, watch_.now) {}

    std::vector<Stage> run() {
        measure_builds();
        const std::vector<StagePlan> plans = plans_of(probes_);
        if (request_.before_timing) request_.before_timing();
        const ThreadPool::Pause rest(request_.config->pool);
        const InPhase phase(Phase::timing, "stages");
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const double left = request_.most_seconds - (watch_.now() - start_);
            stages_.push_back(measure_alternately(
                plans[i], left / static_cast<double>(plans.size() - i), watch_));
        }
        compare_with_parts(stages_.back());
        return std::move(stages_);
    }

private:
    BuildTimes times_of(bool is_b) const {
        if (!request_.build_times) return {.note = "Nothing was there to start processes with."};
        try {
            return request_.build_times(request_.sides.of(is_b).entry, is_b);
        } catch (const Interrupted&) {
            throw;
        } catch (const Error& error) {
            return {.note = error.what()};
        }
    }

    void measure_builds() {
        Stage cold{.name = "build, cold",
                   .scope =
                       "from source to code that can be launched, in a fresh process whose "
                       "caches of compiled code are empty"};
        Stage warm{.name = "build, warm",
                   .scope = "the same in the next process, with what the first left in the caches"};
        Both<std::string> notes;
        Both<std::future<BuildTimes>> asked;
        for (const bool is_b : {false, true}) {
            asked.of(is_b) =
                std::async(side_by_side(*request_.config), [this, is_b] { return times_of(is_b); });
        }
        for (const bool is_b : {false, true}) {
            if (watch_.check_interrupt) watch_.check_interrupt();
            const InPhase phase(Phase::waiting, "processes");
            const BuildTimes times = asked.of(is_b).get();
            cold.seconds.of(is_b) = times.cold;
            warm.seconds.of(is_b) = times.warm;
            notes.of(is_b) = times.note;
            if (request_.sides.of(is_b).program.edits.empty()) continue;
            add_sentence(notes.of(is_b), "Of the text without the edits that this side has.");
        }
        for (Stage* stage : {&cold, &warm}) {
            if (request_.config->pool) {
                add_sentence(stage->note, "Other cores may have been at work meanwhile.");
            }
            add_sentences(stage->note, notes);
            stages_.push_back(std::move(*stage));
        }
    }

    void compare_with_parts(Stage& all) const {
        Both<std::string> words;
        for (const bool is_b : {false, true}) {
            double sum = 0;
            std::string missing;
            for (const Stage& stage : stages_) {
                if (!stage.in_whole) continue;
                if (stage.seconds.of(is_b)) {
                    sum += *stage.seconds.of(is_b);
                } else if (stage.name != "to the device, pageable" || probes_.has_inputs()) {
                    missing = stage.name;
                }
            }
            const auto& measured = all.seconds.of(is_b);
            if (!measured) continue;
            words.of(is_b) =
                !missing.empty()
                    ? fmt::format("The parts cannot be added up: '{}' is missing.", missing)
                : sum > 1.005 * *measured
                    ? fmt::format(
                          "Measured alone the parts take {}, more than the whole's {}, so "
                          "they are no shares of it.",
                          duration(sum), duration(*measured))
                    : fmt::format("The parts add up to {} of {} ({:.0f} %).", duration(sum),
                                  duration(*measured), 100 * sum / *measured);
        }
        add_sentences(all.note, words);
        add_sentence(all.note,
                     "The parts were measured when nothing was done for the first time; the whole "
                     "has new buffers and new code.");
    }

    const StageRequest& request_;
    Watch watch_;
    double start_;
    StageProbes probes_;
    std::vector<Stage> stages_;
};

}  // namespace

std::launch side_by_side(const RunConfig& config) {
    // With fewer threads the main one would compete with them for what is measured.
    constexpr unsigned enough = 7;
    return config.workers >= enough ? std::launch::async : std::launch::deferred;
}

std::vector<Stage> measure_stages(const StageRequest& request) {
    return StageRun(request).run();
}

}  // namespace parallax
