// Changes of how a kernel is built and launched that keep its results: one small object for each
// possible cause of a gap.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/program.hpp"
#include "common/suite/suite.hpp"
#include "measure/binding.hpp"

namespace parallax {

/// The information that a knob has: one side of a case, and what was built for both.
struct KnobSite {
    const DeviceInfo& device;
    const Case& the_case;
    const Plan& plan;
    const Program& program;
    const Codes& own;                  ///< of this side
    const Codes& other;                ///< of the other one
    double seconds = 0;                ///< of one run
    const Plan* other_plan = nullptr;  ///< of the other side; null: not known
    OpenOptions opened = {};
    const Program* other_program = nullptr;  ///< of the other side; null: not known
    std::string_view other_backend = {};     ///< of the other side
};

/// Does the same work in another way: buffers keep their order and use; new ones come behind.
using PlanChange = std::function<void(Plan&)>;

/// One position of a knob.
struct KnobChange {
    std::string setting;  ///< `ALIGN=16`
    /// Why a side is slow that this makes as fast as the other: a sentence.
    std::string cause;
    std::string remedy;  ///< the remedy: a sentence
    /// Names the position where the APIs' settings differ, so that both sides can be put in it;
    /// empty: the setting does.
    std::string alike = {};
    /// Changes source, options or rules; none: they stay. A program that it cannot change stays as
    /// it is.
    std::function<void(Program&)> program = {};
    std::vector<Constant> constants = {};  ///< over the case's own
    /// Makes the local array of this kernel dynamic; empty: none.
    std::string dynamic_local = {};
    bool lean = false;     ///< the source has only the launched kernels
    PlanChange plan = {};  ///< changes the host's work; none: it stays
    /// Changes how the queues are made; none: they stay.
    std::function<void(OpenOptions&)> opened = {};
    bool by_driver = false;  ///< PTX is made as before, and the driver assembles it
    /// Rewrites the PTX, which the driver assembles then; none: it stays.
    std::string (*ptx)(const std::string&) = nullptr;
    bool trade = false;  ///< answers may get less exact, so it is no remedy of its own
    /// The setting that does the opposite: a cause makes only one of the two faster. Empty: none.
    std::string reverse = {};
    bool after_ptx = false;     ///< it may change the assembly of the same PTX
    bool of_registers = false;  ///< the cause holds only where their number changes
    bool is_seen = false;       ///< the two sides are seen to differ in it
};

/// A thing that may be changed.
struct Knob {
    std::string name;
    /// The changed property, as in `what separates them is ...`.
    std::string about;
    /// Its positions on this side, but for the one that it is in; none: it does not apply.
    std::function<std::vector<KnobChange>(const KnobSite&)> changes;
    bool of_host = false;  ///< about queues, memory and transfers, not about the kernel
};

/// All of them, the most likely causes first.
const std::vector<Knob>& knobs();

/// A name that no knob of a side has: parts of one PTX in the other.
inline constexpr std::string_view front_end_knob = "front end";

/// One of them, or `front_end_knob`.
/// @throws UsageError when there is none of that name
const Knob& knob_named(std::string_view name);

}  // namespace parallax
