// Records and pairs as files keep them, made by hand: tests change what they are about.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "records/result_set.hpp"
#include "records/tests/plain_lines.hpp"
#include "studies/diff/stored_diff.hpp"

namespace parallax::test {

/// A record: plain, right and timed, unless told.
struct Kept {
    std::string suite = "copy", variant = "plain", type = "float";
    std::vector<std::uint64_t> shape{1000};
    Constants constants{{"GROUP", 256}};
    std::string device = "opencl:0", name = "Some GPU", uuid = "0f", pci = "unknown";
    std::string driver = "1.0";
    std::string run = "one";
    std::uint64_t seed = 0;
    char side = 0;
    Status status = Status::ok;
    std::string reason = "It is so.", log;
    std::string file = "copy.cl", language = "portable", source_hash = "aa", given_hash = "ab",
                values_hash = "ac", edit;
    bool contract = false;
    std::vector<std::string> options{"-DT=float"};
    std::vector<std::string> notes;
    std::uint64_t groups = 4;
    std::size_t launches = 1;
    std::string scope = "a batch";
    double bytes = 8000, operations = 0;
    std::vector<double> rounds{1e-3, 1e-3, 1e-3};  ///< seconds, a sample each
    bool in_cache = false;
    double share = 0;  ///< of the ceiling; 0: there is none
    double launch_seconds = 0;
    double worst_ulp = 0;
    std::string output_hash;  ///< one letter or digit of it; empty: there is none
};

/// The record as a line. It is valid, or the test fails.
Json line(const Kept&);

/// A pair of the plain record's case on `opencl:0` and `cuda:0`.
struct KeptPair {
    std::string variant = "plain";
    std::string a = "opencl:0", b = "cuda:0";
    std::string run = "one";
    std::vector<double> log_ratios{0, 0.0001, 0, 0.0001, 0};  ///< of rounds
    std::vector<unsigned> interim_analyses{5, 10, 20, 40};
    unsigned look = 1;
    std::string disturbed;  ///< all rounds, by this
    double launch_seconds = 0;
    double measuring_seconds = 1;
    bool with_answer = true;
};
Pair pair_of(const KeptPair&);
/// The pair as a line. It is valid, or the test fails.
Json line(const KeptPair&);

/// An explanation of a pair's case on its devices, as a line. It is valid, or the test fails.
Json explanation_line(const KeptPair&, const std::string& answer);

ResultSet set_of(const std::string& name, const std::vector<Json>& lines);

/// Two sides, as of two files with a record each or several.
Diff diff_of(const std::vector<Kept>& a, const std::vector<Kept>& b, const Judgement& = {});
/// The case of a diff with a single case.
CaseDiff case_of(const std::vector<Kept>& a, const std::vector<Kept>& b, const Judgement& = {});

/// The plain record on the other backend's entry of the same device.
Kept on_cuda();
/// One that ended otherwise.
Kept ended(Status, std::string reason, Kept = {});
/// Runs of the same case with these medians.
std::vector<Kept> runs_of(const std::vector<double>& medians, Kept = {});

}  // namespace parallax::test
