// Makes explanations by hand.
#include "studies/explain/tests/explanations.hpp"

#include <cmath>

#include "records/result_set.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax::test {
namespace {

using enum InstructionClass;

Explanation begun(const std::string& variant) {
    Explanation e;
    e.key = {"transpose", variant, "float", {4096, 4096}, {{"TILE", 32}, {"ALIGN", 16}}};
    e.run = some_run();
    e.title = "transpose/" + variant + " float 4096x4096";
    e.device = {"opencl:1", "cuda:0"};
    e.device_name = {"Some GPU", "Some GPU"};
    e.took_seconds = 61.5;
    e.conclusion.has_gap = true;
    return e;
}

KernelEvidence kernel(bool is_slow) {
    KernelEvidence k;
    k.kernel = "tiled";
    k.options = {"-DALIGN=16", is_slow ? "-cl-std=CL1.2" : "--std=c++17"};
    k.resources.registers = is_slow ? 96 : 128;
    k.resources.spill_bytes = 0;
    k.resources.local_bytes = 4352;
    k.occupancy = is_slow ? Occupancy{2, 32, 64, "registers"} : Occupancy{2, 32, 64, "warps"};
    k.ptx.emplace();
    (*k.ptx)[is_slow ? shared_load_32 : shared_load_128] = is_slow ? 64 : 16;
    (*k.ptx)[fused_multiply_add] = 256;
    (*k.ptx)[barrier] = 2;
    k.machine = k.ptx;
    (*k.machine)[integer] = is_slow ? 40 : 12;
    k.ptx_text = is_slow ? "mov %r1\nld.shared.f32 %f1\nld.shared.f32 %f2\nfma %f3\nbar.sync 0"
                         : "mov %r1\nld.shared.v4.f32 %f1\nfma %f3\nbar.sync 0";
    k.machine_text = is_slow ? "MOV\nLDS\nLDS\nFFMA" : "MOV\nLDS.128\nFFMA";
    k.machine_source = "The driver's binary, disassembled.";
    return k;
}

Trial measured(std::string knob, std::string setting, KnobSide side, double ratio, double closes) {
    Trial trial;
    trial.knobs = {std::move(knob)};
    trial.setting = std::move(setting);
    trial.side = side;
    trial.status = TrialStatus::measured;
    trial.ratio = made_ratio(ratio);
    trial.closes = closes;
    trial.closes_low = closes - 0.03;
    trial.closes_high = closes + 0.02;
    return trial;
}

Trial ended(std::string knob, TrialStatus status, std::string reason) {
    Trial trial;
    trial.knobs = {knob};
    trial.setting = std::move(knob);
    trial.side = KnobSide::both;
    trial.status = status;
    trial.reason = std::move(reason);
    return trial;
}

/// The gap, with the times that belong to it.
void set_gap(Explanation& e, double ratio, Verdict verdict) {
    e.gap = made_ratio(ratio);
    e.verdict = verdict;
    e.seconds = {1e-3, ratio * 1e-3};
}

}  // namespace

RunInfo some_run() {
    return {"run-7", "2026-01-01T00:00:00Z", 7, {"explain", "transpose/tiled"}, "0.1.0"};
}

Ratio made_ratio(double value, double half) {
    return {.value = value,
            .low = value * std::exp(-half),
            .high = value * std::exp(half),
            .confidence = 0.95,
            .log_error = half / 2.8,
            .degrees = 4,
            .units_a = 5,
            .units_b = 5,
            .basis = "paired rounds"};
}

Explanation fully_explained() {
    Explanation e = begun("tiled");
    set_gap(e, 1 / 1.64, Verdict::faster);
    e.stages = {{"build, cold",
                 "From the text to code that can be launched.",
                 {0.21, 0.4},
                 true,
                 "The compilers' caches were empty."},
                {"launch", "From the call to its return.", {6e-3, 4e-3}, false, ""},
                {"kernel", "From the first launch to the last.", {1.64e-3, 1e-3}, true, ""},
                {"mapped memory",
                 "From the host's write to the kernel's read.",
                 {1e-4, {}},
                 false,
                 "CUDA has no such call."}};
    e.evidence = {{kernel(true)}, {kernel(false)}};
    e.origin = {
        {"run-time and back end", "OpenCL's own code, loaded by OpenCL and by CUDA.",
         made_ratio(1 / 1.016), "", 0.03},
        {"front end", "Code of both front ends, loaded by CUDA.", made_ratio(1 / 1.614), "", 0.97}};
    e.trials = {measured("align", "ALIGN=16", KnobSide::a, 0.998, 1.0),
                measured("unroll", "#pragma unroll 4", KnobSide::b, 0.72, 0.34),
                ended("restrict", TrialStatus::no_effect, "The compilers made the same code."),
                ended("contract", TrialStatus::wrong, "Element 3 is 2, not 1."),
                ended("fast math", TrialStatus::unsupported, "CUDA's translator refuses it."),
                ended("volatile", TrialStatus::failed, "It does not build."),
                ended("tile 64", TrialStatus::skipped, "The budget had ended.")};
    e.trials.at(0).closed = true;
    e.trials.at(0).own_change = 0.61;
    e.trials.at(0).consequences = {"registers 96 -> 128", "128-bit shared loads 0 -> 16"};
    e.trials.at(1).own_change = 1.18;
    e.conclusion = {true,
                    true,
                    {0},
                    "OpenCL aligns local arrays to 4 bytes, so that shared loads are 32 bits wide.",
                    "Say aligned(16) of local arrays.",
                    {"restrict: the same code."},
                    {"tile 64: the budget had ended."}};
    return e;
}

Explanation explained_in_part() {
    Explanation e = begun("blocked");
    set_gap(e, 2.0, Verdict::slower);
    e.origin = {{"front end", "", {}, "CUDA's PTX is not taken by OpenCL.", {}}};
    e.why_no_origin = "OpenCL's driver takes no PTX.";
    e.trials = {measured("align", "ALIGN=16", KnobSide::b, 1.32, 0.6),
                measured("unroll", "#pragma unroll 4", KnobSide::b, 1.4, 0.51),
                measured("restrict", "restrict", KnobSide::both, 2.02, -0.014)};
    e.trials.at(1).own_change = 0.7;
    e.conclusion.by = {0, 1};
    e.conclusion.cause = "Loads are narrower.";
    e.conclusion.not_tried = {"inline PTX: there is no such variant."};
    return e;
}

Explanation unexplained() {
    Explanation e = begun("naive");
    set_gap(e, 1.05, Verdict::slower);
    e.origin = {{"run-time and back end", "CUDA's code on both.", made_ratio(1.02), "", 0.41},
                {"back end", "Machine code on both.", made_ratio(1.03), "", 0.61},
                {"front end", "PTX on both.", made_ratio(0.999), "", -0.02}};
    e.origin.at(1).share = 0.45;
    e.trials = {measured("align", "ALIGN=16", KnobSide::b, 1.049, 0.02),
                ended("restrict", TrialStatus::no_effect, "The compilers made the same code.")};
    e.conclusion.ruled_out = {"align: closes 2 %.", "restrict: the same code"};
    e.trials.push_back(measured("register cap", "--maxrregcount=64", KnobSide::a, 1.3, -4));
    e.trials.back().own_change = 0.76;
    e.conclusion.gains = {2};
    return e;
}

Explanation with_common_gain() {
    Explanation e = unexplained();
    for (const auto& [side, ratio, closes] :
         {std::tuple{KnobSide::b, 0.86, 3.0}, {KnobSide::both, 1.001, 0.98}}) {
        e.trials.push_back(measured("contraction", "contraction allowed", side, ratio, closes));
        e.trials.back().own_change = 0.81;
    }
    return e;
}

Explanation same_speed() {
    Explanation e = begun("padded");
    set_gap(e, 1.003, Verdict::same);
    e.conclusion.has_gap = false;
    return e;
}

Explanation undecided() {
    Explanation e = same_speed();
    set_gap(e, 1.018, Verdict::undecided);
    return e;
}

Explanation wrong_answer() {
    Explanation e = begun("broken");
    e.verdict = Verdict::wrong;
    e.gap = {};
    e.conclusion = {};
    e.conclusion.cause = "CUDA's element 7 is 3, not 4.";
    return e;
}

Explanation not_comparable() {
    Explanation e = begun("builtin");
    e.verdict = Verdict::not_comparable;
    e.gap = {};
    e.conclusion = {};
    return e;
}

Explanation launching() {
    Explanation e = begun("tiny");
    set_gap(e, 1.5, Verdict::slower);
    e.launching = true;
    e.stages = {{"launch", "From the call to its return.", {4e-6, 6e-6}, false, ""}};
    return e;
}

Explanation on_one_cpu() {
    Explanation e = begun("planted");
    e.device = {"opencl:0", "opencl:0"};
    e.device_name = {"Some CPU", "Some CPU"};
    e.planted.b = "ALIGN=4";
    set_gap(e, 1.3, Verdict::slower);
    e.why_no_origin = "A CPU has no PTX";
    e.trials = {measured("align", "ALIGN=16", KnobSide::b, 1.001, 0.996),
                measured("align", "ALIGN=4", KnobSide::a, 1.002, 0.992)};
    e.trials.at(0).closed = e.trials.at(1).closed = true;
    e.trials.at(0).own_change = 0.77;
    e.trials.at(1).own_change = 1.298;
    e.conclusion.explained = true;
    e.conclusion.by = {0};
    e.conclusion.cause = "ALIGN=4 was put in";
    return e;
}

Explanation answered(Explanation e) {
    e.answer = answer_in_words(e);
    return e;
}

std::vector<Explanation> all_explanations() {
    std::vector<Explanation> all{fully_explained(), explained_in_part(), unexplained(),
                                 same_speed(),      undecided(),         wrong_answer(),
                                 not_comparable(),  launching(),         on_one_cpu()};
    for (Explanation& e : all) e = answered(std::move(e));
    return all;
}

}  // namespace parallax::test
