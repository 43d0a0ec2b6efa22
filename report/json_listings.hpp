// Lists for other programs, as JSON: devices, suites, rules of the map, and trials.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

struct Devices;
struct DoctorReport;
struct Found;
struct Lesson;
struct PortTrial;
struct Suite;

std::string devices_json(const Devices&);
/// @param devices  that are here, in addition to the doctor's findings
std::string doctor_json(const DoctorReport&, const Devices& devices);
/// What ended a command before it could report. @param command  its words
std::string error_json(const std::string& command, int exit_code, const std::string& message);
/// A line about a run that goes on. @param process  `2 of 5`; empty: the only one
std::string progress_json(std::string_view what, std::size_t done, std::size_t total,
                          double elapsed_seconds, double left_seconds, std::string_view process);
/// Name, title and subject of each, in this order.
std::string lessons_json(const std::vector<Lesson>&);
/// Rows of the map, in this order.
std::string rows_json(std::span<const Found>);
std::string suite_json(const Suite&);
/// All that this program was built with.
std::string suites_json();
/// One compiler's result for a ported source, on a line.
std::string trial_json(const PortTrial&);

}  // namespace parallax
