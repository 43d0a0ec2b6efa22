// Weighs the cases of a capture by the time that the program spent on them.
#include "studies/capture/program_verdict.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/statistics/interval.hpp"
#include "studies/capture/weighted_ratio.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {
namespace {

Ratio unchanged() {
    return {};
}

/// Why a case has no ratio, in a few words.
std::string why_no_ratio(const CaseDiff& c) {
    for (const Side* side : {&c.a, &c.b}) {
        if (side->status && !is_right(*side->status) && !side->reason.empty()) return side->reason;
    }
    return c.reason;
}

/// Whether side A is the one that the program does not use.
bool is_turned(const Diff& diff, bool is_cuda) {
    const auto runs_opencl = [](const Environment& side) {
        return fact_of(side, "entry").starts_with("opencl");
    };
    return runs_opencl(is_cuda ? diff.a : diff.b) && !runs_opencl(is_cuda ? diff.b : diff.a);
}

class Judge {
public:
    Judge(const Diff& diff, const std::string& suite, bool is_turned,
          const std::vector<std::pair<std::string, std::string>>& refused)
        : is_turned_(is_turned) {
        for (const CaseDiff& c : diff.cases) {
            if (c.key.suite == suite) cases_.emplace(c.key.variant, &c);
        }
        for (const auto& [name, why] : refused) refused_[name] = why;
    }

    KernelVerdict of(const CapturedKernel& kernel) const {
        KernelVerdict verdict{
            kernel.kernel, kernel.sum.count, kernel.sum.all_seconds(), 0, {}, {}, true, {}, {}};
        WeightedRatio all;
        std::vector<std::pair<double, std::string>> named;
        std::optional<std::string>
            why_no_answer;  // of a launch that was kept: others are taken to be like those
        for (const CapturedKind& kind : kernel.kinds) {
            if (!kind.name.empty()) named.emplace_back(-kind.sum.all_seconds(), kind.name);
            const auto found = cases_.find(kind.name);
            const CaseDiff* c = found == cases_.end() ? nullptr : found->second;
            if (c && c->ratio) {
                // A kind whose time is not known counts by its launches alone.
                const double seconds = kind.sum.all_seconds();
                all.add(seconds > 0 ? seconds : 1e-9 * static_cast<double>(kind.sum.count),
                        is_turned_ ? turned_round(*c->ratio) : *c->ratio);
                verdict.same_bits = verdict.same_bits && c->answer.identical.value_or(false);
            } else if (c && is_about_answers(c->verdict)) {
                verdict.same_bits = verdict.same_bits && c->verdict == Verdict::equal;
                verdict.answers = verdict.same_bits ? Verdict::equal : Verdict::within_tolerance;
            } else if (kind.name.empty()) {
                if (verdict.why_not.empty()) verdict.why_not = kind.why_not;
            } else if (!why_no_answer) {
                const auto why = refused_.find(kind.name);
                why_no_answer = why != refused_.end() ? why->second
                                : c                   ? why_no_ratio(*c)
                                                      : "it was not compared";
            }
        }
        if (why_no_answer) verdict.why_not = *why_no_answer;
        if (kernel.kinds.empty() && !kernel.left_out.empty()) {
            verdict.why_not = kernel.left_out.begin()->first;
        }
        verdict.ratio = all.ratio();
        if (verdict.ratio || why_no_answer) verdict.answers.reset();
        std::ranges::sort(named);
        for (auto& [seconds, name] : named) verdict.variants.push_back(std::move(name));
        return verdict;
    }

private:
    bool is_turned_;
    std::map<std::string, const CaseDiff*, std::less<>> cases_;
    std::map<std::string, std::string> refused_;
};

}  // namespace

ProgramVerdict program_verdict(const Capture& capture, const Diff& diff, const std::string& name,
                               bool is_cuda,
                               const std::vector<std::pair<std::string, std::string>>& refused) {
    const bool turned = is_turned(diff, is_cuda);
    ProgramVerdict verdict{.name = name,
                           .through = turned ? side_names(diff).a : side_names(diff).b,
                           .seconds = capture.program_seconds(),
                           .kernel_seconds = capture.kernel_seconds(),
                           .kernels = {},
                           .ratio = {},
                           .program = {}};
    const Judge judge(diff, name, turned, refused);
    const double launch_seconds = capture.launch_seconds();
    // Launches that run concurrently share their time.
    const double part = launch_seconds > 0 ? verdict.kernel_seconds / launch_seconds : 1;
    WeightedRatio judged, all;
    for (const CapturedKernel& kernel : capture.kernels) {
        KernelVerdict one = judge.of(kernel);
        if (launch_seconds > 0) one.share = one.seconds / launch_seconds;
        if (one.ratio || one.answers) {
            ++verdict.judged;
            verdict.judged_share += one.share;
        }
        if (one.ratio) judged.add(one.seconds, *one.ratio);
        all.add(one.seconds * part, one.ratio.value_or(unchanged()));
        verdict.kernels.push_back(std::move(one));
    }
    std::ranges::stable_sort(verdict.kernels, std::ranges::greater{}, &KernelVerdict::seconds);
    verdict.ratio = judged.ratio();
    if (verdict.ratio && verdict.seconds > 0) {
        all.add(std::max(verdict.seconds - verdict.kernel_seconds, 0.0), unchanged());
        verdict.program = all.ratio();
    }
    return verdict;
}

std::string kernel_share(double kernel_seconds, double seconds) {
    if (!(kernel_seconds > 0 && seconds > 0)) return {};
    return fmt::format("{:.3g} %", 100 * kernel_seconds / seconds);
}

std::string sentence_of(const ProgramVerdict& verdict) {
    std::string text = fmt::format("{}: kernels take {:.3g} s of {:.3g} s", verdict.name,
                                   verdict.kernel_seconds, verdict.seconds);
    if (verdict.ratio) {
        text += fmt::format("; through {} {} would take {:.3f} ({:.3f}-{:.3f}) of that",
                            verdict.through,
                            verdict.judged == verdict.kernels.size() ? "they" : "those judged",
                            verdict.ratio->value, verdict.ratio->low, verdict.ratio->high);
        if (verdict.program) {
            text +=
                fmt::format("; the program at best {:.3f} ({:.3f}-{:.3f})", verdict.program->value,
                            verdict.program->low, verdict.program->high);
        }
    } else if (const std::string most = kernel_share(verdict.kernel_seconds, verdict.seconds);
               !most.empty()) {
        text += fmt::format(": a port gains at most {}", most);
    }
    const auto with = [&](Verdict answers) {
        return std::ranges::count(verdict.kernels, std::optional(answers), &KernelVerdict::answers);
    };
    const auto equal = with(Verdict::equal), within = with(Verdict::within_tolerance);
    if (equal + within > 0) {
        text += fmt::format(
            "; nothing was timed: both sides' answers are bitwise identical in {} "
            "of {} kernels",
            equal, verdict.kernels.size());
        if (within > 0) text += fmt::format(" and right within the tolerance in {}", within);
    }
    std::vector<std::string> others;
    double others_share = 0;
    for (const KernelVerdict& kernel : verdict.kernels) {
        if (kernel.ratio || kernel.answers) continue;
        others_share += kernel.share;
        std::string why = kernel.why_not;
        while (why.ends_with('.') || why.ends_with('\n')) why.pop_back();
        others.push_back(fmt::format("{} ({})", kernel.kernel, why.substr(0, why.find('\n'))));
    }
    if (!others.empty()) {
        constexpr std::size_t most = 3;
        const std::size_t count = others.size();
        if (count > most) {
            others.resize(most);
            others.push_back("...");
        }
        text +=
            fmt::format("; {} of {} kernels ({:.3g} % of their time) could not be judged: {}",
                        count, verdict.kernels.size(), 100 * others_share, fmt::join(others, "; "));
    }
    return text + ".";
}

}  // namespace parallax
