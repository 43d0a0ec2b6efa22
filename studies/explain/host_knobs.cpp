// Changes of plans that keep the results.
#include "studies/explain/host_knobs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace parallax::host_knobs {
namespace {

using Changes = std::vector<KnobChange>;

/// Transfers below this are not cut into smaller ones.
constexpr std::uint64_t large_transfer = std::uint64_t{1} << 20;
/// Each step is compared with all before: a plan of more is left in its queue.
constexpr std::size_t most_split = 512;
/// A step that takes longer hides what a command costs.
constexpr double short_step = 5e-5;

bool is_opencl(const KnobSite& site) {
    return site.device.backend == "opencl";
}

std::set<unsigned> queues_of(const Plan& plan) {
    std::set<unsigned> queues;
    for (const Step& step : plan.steps) queues.insert(step.queue);
    return queues;
}

bool has_events(const Plan& plan) {
    return std::ranges::any_of(plan.steps, [](const Step& step) { return !step.after.empty(); });
}

/// Adds the change unless the plan is such already.
void add(Changes& changes, const KnobSite& site, KnobChange change) {
    Plan changed = site.plan;
    change.plan(changed);
    if (changed != site.plan) changes.push_back(std::move(change));
}

/// Replaces the order within each queue by dependencies.
void in_unordered_queue(Plan& plan) {
    std::map<unsigned, std::size_t> last;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        Step& step = plan.steps[i];
        const auto [before, is_first] = last.try_emplace(step.queue, i);
        if (!is_first && step.queue != unordered_queue) {
            if (std::ranges::find(step.after, before->second) == step.after.end()) {
                step.after.push_back(before->second);
            }
            before->second = i;
        }
        step.queue = unordered_queue;
    }
}

/// A part of a buffer that a step touches.
struct Access {
    std::size_t buffer;
    std::uint64_t from, to;  ///< bytes
    bool is_written;

    bool conflicts(const Access& other) const {
        return buffer == other.buffer && (is_written || other.is_written) && from < other.to &&
               other.from < to;
    }
};

std::vector<Access> accesses_of(const Plan& plan, const Step& step) {
    std::vector<Access> all;
    if (const CopyBuffer* copy = step.copy()) {
        const std::uint64_t bytes =
            copy->bytes > 0 ? copy->bytes : plan.buffers.at(copy->source.index).bytes();
        all.push_back(
            {copy->source.index, copy->source_offset, copy->source_offset + bytes, false});
        all.push_back({copy->target.index, copy->target_offset, copy->target_offset + bytes, true});
        return all;
    }
    const auto whole = [&](BufferIndex buffer) {
        const BufferSpec& spec = plan.buffers.at(buffer.index);
        all.push_back({buffer.index, 0, spec.bytes(), spec.role != Role::input});
    };
    for (const LaunchArgument& argument : step.launch()->arguments) {
        if (const auto* buffer = std::get_if<BufferIndex>(&argument)) whole(*buffer);
    }
    for (const SymbolBuffer& one : step.launch()->symbols) whole(one.buffer);
    for (const PointerBuffer& one : step.launch()->pointers) whole(one.buffer);
    return all;
}

bool have_same_steps(const Plan& x, const Plan& y) {
    return x.buffers == y.buffers &&
           std::ranges::equal(x.steps, y.steps, {}, &Step::what, &Step::what);
}

/// Mapped buffers become page-locked ones, with copies to the device before and back behind.
void copy_mapped(Plan& plan) {
    std::vector<Step> before, after;
    for (std::size_t i = 0, count = plan.buffers.size(); i < count; ++i) {
        if (plan.buffers[i].placement != Placement::mapped) continue;
        plan.buffers[i].placement = Placement::page_locked;
        const Role role = plan.buffers[i].role;
        BufferSpec own = plan.buffers[i];
        own.name = "device's " + own.name;
        own.role = Role::scratch;
        own.placement = Placement::device;
        const std::size_t there = plan.buffers.size();
        plan.buffers.push_back(std::move(own));
        if (is_loaded(role)) before.emplace_back(CopyBuffer{{i}, {there}});
        if (is_compared(role)) after.emplace_back(CopyBuffer{{there}, {i}});
        for (Step& step : plan.steps) {
            auto* launch = std::get_if<Launch>(&step.what);
            if (!launch) continue;
            for (LaunchArgument& argument : launch->arguments) {
                auto* buffer = std::get_if<BufferIndex>(&argument);
                if (buffer && buffer->index == i) buffer->index = there;
            }
        }
    }
    plan.steps.insert(plan.steps.begin(), before.begin(), before.end());
    plan.steps.insert(plan.steps.end(), after.begin(), after.end());
}

/// Whether mapped buffers are arguments of kernels alone, in a plan of one queue.
bool can_copy_mapped(const Plan& plan) {
    return queues_of(plan).size() == 1 && !has_events(plan) &&
           std::ranges::none_of(plan.steps, [&](const Step& step) {
               const CopyBuffer* copy = step.copy();
               const auto is_mapped = [&](BufferIndex one) {
                   return plan.buffers.at(one.index).placement == Placement::mapped;
               };
               return (copy && (is_mapped(copy->source) || is_mapped(copy->target))) ||
                      (step.launch() &&
                       !(step.launch()->symbols.empty() && step.launch()->pointers.empty()));
           });
}

void replace(Plan& plan, std::initializer_list<Placement> from, Placement to) {
    for (BufferSpec& buffer : plan.buffers) {
        if (std::ranges::find(from, buffer.placement) != from.end()) buffer.placement = to;
    }
}

}  // namespace

void in_one_queue(Plan& plan) {
    for (Step& step : plan.steps) {
        step.queue = 0;
        step.after.clear();
    }
}

void on_device_alone(Plan& plan) {
    in_one_queue(plan);
    for (BufferSpec& buffer : plan.buffers) buffer.placement = Placement::device;
}

unsigned split_queues(Plan& plan) {
    if (plan.steps.size() > most_split) return 1;
    std::vector<std::size_t> group(plan.steps.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    std::vector<std::vector<Access>> accesses;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        accesses.push_back(accesses_of(plan, plan.steps[i]));
        for (std::size_t k = 0; k < i; ++k) {
            const bool depends = std::ranges::any_of(accesses[i], [&](const Access& one) {
                return std::ranges::any_of(
                    accesses[k], [&](const Access& other) { return one.conflicts(other); });
            });
            if (depends) std::ranges::replace(group, group[i], group[k]);
        }
    }
    std::map<std::size_t, unsigned> queue_of;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const auto next = static_cast<unsigned>(queue_of.size());
        plan.steps[i].queue = queue_of.try_emplace(group[i], next).first->second % unordered_queue;
        plan.steps[i].after.clear();
    }
    return static_cast<unsigned>(std::min<std::size_t>(queue_of.size(), unordered_queue));
}

void merge_transfers(Plan& plan) {
    if (has_events(plan)) return;
    std::vector<Step> merged;
    for (const Step& step : plan.steps) {
        auto* last = merged.empty() ? nullptr : std::get_if<CopyBuffer>(&merged.back().what);
        const CopyBuffer* copy = step.copy();
        const bool goes_on = last && copy && merged.back().queue == step.queue && last->bytes > 0 &&
                             copy->bytes > 0 && last->source == copy->source &&
                             last->target == copy->target &&
                             last->source_offset + last->bytes == copy->source_offset &&
                             last->target_offset + last->bytes == copy->target_offset;
        if (goes_on) {
            last->bytes += copy->bytes;
        } else {
            merged.push_back(step);
        }
    }
    plan.steps = std::move(merged);
}

void split_transfers(Plan& plan, std::uint64_t pieces) {
    if (has_events(plan)) return;
    std::vector<Step> split;
    for (const Step& step : plan.steps) {
        const CopyBuffer* copy = step.copy();
        const std::uint64_t bytes = !copy             ? 0
                                    : copy->bytes > 0 ? copy->bytes
                                                      : plan.buffers.at(copy->source.index).bytes();
        if (bytes < large_transfer) {
            split.push_back(step);
            continue;
        }
        constexpr std::uint64_t line = 256;
        const std::uint64_t each = divide_up(divide_up(bytes, pieces), line) * line;
        for (std::uint64_t at = 0; at < bytes; at += each) {
            split.emplace_back(CopyBuffer{copy->source, copy->target, copy->source_offset + at,
                                          copy->target_offset + at, std::min(each, bytes - at)},
                               step.queue);
        }
    }
    plan.steps = std::move(split);
}

Changes queues(const KnobSite& site) {
    Changes changes;
    const std::set<unsigned> used = queues_of(site.plan);
    if (used.size() > 1 || used.contains(unordered_queue)) {
        add(changes, site,
            {.setting = "one queue, in order",
             .cause = "These queues do not run side by side, and several cost more than one.",
             .remedy = "Use one queue.",
             .plan = in_one_queue});
        if (!is_opencl(site)) return changes;
        add(changes, site,
            {.setting = "one out-of-order queue",
             .cause = "The driver runs in-order queues one after the other, and the commands of "
                      "one out-of-order queue side by side.",
             .remedy = "Use one out-of-order queue, with events for what must wait.",
             .plan = in_unordered_queue});
        return changes;
    }
    const char* const cause =
        "All steps wait in one queue, although some do not depend on each other.";
    const char* const remedy = "Give steps that do not depend on each other queues of their own.";
    if (site.other_plan && have_same_steps(*site.other_plan, site.plan)) {
        add(changes, site,
            {.setting = "the other side's queues",
             .cause = cause,
             .remedy = remedy,
             .plan = [steps = site.other_plan->steps](Plan& plan) {
                 // Another size may have another number of steps.
                 for (std::size_t i = 0; i < plan.steps.size(); ++i) {
                     plan.steps[i].queue = i < steps.size() ? steps[i].queue : 0;
                     if (i < steps.size()) plan.steps[i].after = steps[i].after;
                 }
             }});
    }
    Plan split = site.plan;
    const unsigned count = split_queues(split);
    if (count > 1 && changes.empty()) {
        changes.push_back({.setting = fmt::format("{} queues", count),
                           .cause = cause,
                           .remedy = remedy,
                           .plan = [](Plan& plan) { split_queues(plan); }});
    }
    return changes;
}

Changes memory(const KnobSite& site) {
    using enum Placement;
    Changes changes;
    add(changes, site,
        {.setting = "page-locked host memory",
         .cause = "The host's memory is pageable, so the driver copies it through its own.",
         .remedy = "Allocate it page-locked (CL_MEM_ALLOC_HOST_PTR and mapped; cudaMallocHost).",
         .plan = [](Plan& plan) { replace(plan, {pageable}, page_locked); }});
    add(changes, site,
        {.setting = "pageable host memory",
         .cause = "Transfers from page-locked memory are the slower ones here.",
         .remedy = "Transfer from ordinary memory.",
         .plan = [](Plan& plan) {
             replace(plan, {page_locked, write_combined}, pageable);
         }});
    add(changes, site,
        {.setting = "mapped buffers in the device's memory",
         .cause = "Mapped buffers are the host's memory on this side alone: each access crosses "
                  "the link, and the other driver keeps them on the device.",
         .remedy = "Keep what kernels use again in the device's memory; the transfer there is not "
                   "in this time.",
         .plan = [](Plan& plan) { replace(plan, {mapped}, device); }});
    if (can_copy_mapped(site.plan)) {
        add(changes, site,
            {.setting = "copies in place of mapped buffers",
             .cause =
                 "Kernels reach over the link for each access, which takes longer than copies.",
             .remedy = "Copy to the device's memory before the kernel, and back after it.",
             .plan = copy_mapped});
    }
    return changes;
}

Changes transfers(const KnobSite& site) {
    Changes changes;
    add(changes, site,
        {.setting = "neighbouring transfers in one",
         .cause = "Each transfer has its own price, and there are many small ones.",
         .remedy = "Transfer what is side by side in one piece.",
         .plan = merge_transfers});
    constexpr std::uint64_t pieces = 4;
    if (changes.empty()) {
        add(changes, site,
            {.setting = fmt::format("large transfers in {} pieces", pieces),
             .cause = "One large transfer is slower here than several.",
             .remedy = "Cut large transfers into pieces.",
             .plan = [](Plan& plan) { split_transfers(plan, pieces); }});
    }
    return changes;
}

Changes events(const KnobSite& site) {
    if (!is_opencl(site) || queues_of(site.plan).size() < 2) return {};
    const bool few = site.opened.few_events;
    return {{.setting = few ? "an event for each command" : "events only where a command waits",
             .cause = few ? "Commands without an event start later here."
                          : "Each command has an event, and events keep queues apart.",
             .remedy = few ? "Ask for an event of each command."
                           : "Ask for events only where another command waits.",
             .opened = [few](OpenOptions& how) { how.few_events = !few; }}};
}

Changes flushes(const KnobSite& site) {
    if (!is_opencl(site) || site.plan.steps.size() < 2) return {};
    const bool all = site.opened.flushes;
    return {
        {.setting = all ? "one flush of each queue" : "a flush after each command",
         .cause = all ? "Each flush costs time, and there is one after each command."
                      : "The driver collects commands, and starts them when a queue is flushed.",
         .remedy = all ? "Flush a queue once, after its last command."
                       : "Call clFlush after commands that can start at once.",
         .opened = [all](OpenOptions& how) { how.flushes = !all; }}};
}

Changes profiling(const KnobSite& site) {
    // The cost is small compared with longer steps, but it may keep queues apart.
    const double step =
        site.seconds / static_cast<double>(std::max<std::size_t>(site.plan.steps.size(), 1));
    const bool shows = step < short_step || queues_of(site.plan).size() > 1;
    if (!is_opencl(site) || !site.opened.profiling || !shows) return {};
    return {{.setting = "a queue without profiling",
             .cause = queues_of(site.plan).size() > 1
                          ? "Queues that keep times of their commands do not run side by side."
                          : "A queue that keeps times for every command takes longer for each.",
             .remedy = "Make queues without CL_QUEUE_PROFILING_ENABLE.",
             .opened = [](OpenOptions& how) { how.profiling = false; }}};
}

}  // namespace parallax::host_knobs
