// Writes the pages that page_test.py checks: make_pages FOLDER.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "common/error.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/page/tests/synthetic.hpp"
#include "studies/fleet/tests/fleet_simulation.hpp"

namespace {

void write(const std::filesystem::path& path, const parallax::Diff& diff,
           const std::vector<parallax::KernelTexts>& kernels) {
    const auto start = std::chrono::steady_clock::now();
    const std::string page = parallax::html_report(diff, kernels);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << path.filename().string() << ": " << page.size() << " bytes in " << took.count()
              << " s\n";
    std::ofstream file(path, std::ios::binary);
    file << page;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string());
}

/// 125 nodes of four devices: one answers wrong, one is missing, one is slow, a node is slow, and
/// one device has another driver.
void write_fleet(const std::filesystem::path& path, const std::string& model) {
    using namespace parallax;
    SimulatedFleet plan{.nodes = 125};
    plan.slow_memory[70] = 0.1;
    plan.slow_node[76] = 0.03;
    plan.change = [&](Record& record, unsigned device, unsigned run) {
        record.where.name = model;
        if (device == 20) record.where.driver = model;
        if (device != 17 || run != 1 || record.key.variant != "v2") return;
        record.status = Status::wrong;
        record.reason = model;
        record.timing.reset();
    };
    std::string list = "node126 1\n";
    for (unsigned node = 1; node <= plan.nodes; ++node)
        list += "node" + std::to_string(node) + " 4\n";
    const FleetRecords fleet = plan.read();
    const FleetReport report = judge_fleet(fleet, parse_expectation(list, "list"));
    std::ofstream file(path, std::ios::binary);
    file << fleet_page({fleet, report});
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

int main(int argc, char** argv) try {
    using namespace parallax;
    if (argc != 2) return 2;
    const std::filesystem::path folder = argv[1];
    write(folder / "none.html", {}, {});
    write(folder / "one.html", synthetic_diff(1), {});
    write(folder / "forty.html", synthetic_diff(40), synthetic_kernels());
    write(folder / "many.html", synthetic_diff(2000), {});
    write(folder / "hostile.html", hostile_diff(), hostile_kernels());
    write_fleet(folder / "fleet.html", "Simulated GPU");
    write_fleet(folder / "hostile_fleet.html",
                "</script><script>window.pwned = 1</script><img src=x onerror=alert(1)>\u202e");
    std::ofstream course(folder / "course.html", std::ios::binary);
    course << html_course(synthetic_course());
    course.close();
    if (!course) throw std::runtime_error("cannot write the course");
} catch (const parallax::UsageError& error) {
    std::cerr << error.what() << '\n';
    return 77;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
