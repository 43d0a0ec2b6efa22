// A minimal valid record, pair and explanation, for tests to modify.
#pragma once

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "records/json.hpp"

namespace parallax::fake {

/// The value of a valid line; the test fails for an invalid one.
template <class T>
T as(const Json& json) {
    ReadLine read = read_line(json);
    for (const std::string& problem : read.problems) ADD_FAILURE() << problem;
    return std::get<T>(std::move(read.line));
}

inline Json plain_record() {
    return Json::parse(R"({
      "schema": "parallax.record", "version": 1, "suite": "copy", "variant": "plain",
      "device": "opencl:0", "status": "ok", "type": "float", "shape": [1000],
      "constants": {"GROUP": 256, "LEAST": -9223372036854775808},
      "launches": [{"name": "k", "groups": [4, 1, 1], "items": [256, 1, 1], "local_bytes": 0,
                    "resources": {"registers": "unknown", "spill_bytes": 0}}],
      "program": {"file": "copy.cl", "language": "portable", "source_hash": "00", "edits": [],
                  "floats": {"contract": false}, "options": ["-DT=float"], "build_seconds": [0.0]},
      "where": {"name": "a device", "backend": "opencl", "uuid": "unknown", "pci": "unknown",
                "driver": "1.0", "memory_bytes": 1000},
      "run": {"id": "one", "started": "2026-01-01T00:00:00Z", "seed": 18446744073709551615,
              "command": ["run"], "program_version": "0.1.0"},
      "check": {"trials": 2, "shapes": [[1], [1000]], "fillings": ["integers"],
                "worst_share_of_bound": 0.0, "worst_ulp": "0x7ff0000000000000"},
      "timing": {"scope": "a batch", "unit": "seconds of one run", "median": 2.5e-3, "low": 1e-3,
                 "high": 4e-3, "confidence": 0.875, "spread": 0.4, "stopped_by": "narrow",
                 "least_batch_seconds": 1e-3, "repeats": [1, 2], "in_cache": true,
                 "round": [0, 0, 1, 1], "samples": [4e-3, 1e-3, 3e-3, 2e-3],
                 "host_samples": [4e-3, 1e-3, 3e-3, 2e-3]},
      "work": {"bytes": 8000.0, "operations": 0},
      "rate": {"gigabytes_per_second": 0.0032, "gigaoperations_per_second": 0.0},
      "state": {"before": {"ecc": true}, "after": {"sm_clock_mhz": "unknown"}}
    })");
}

/// One round of two quads, and one that does not count.
inline Json plain_pair() {
    Json pair = Json::parse(R"({
      "schema": "parallax.pair", "version": 1, "suite": "copy", "variant": "plain", "type": "float",
      "shape": [1000], "constants": {"GROUP": 256}, "a": "opencl:1", "b": "cuda:0", "self": false,
      "error": 0.05, "looks": [5, 10, 20, 40], "look": 0,
      "rounds": [
        {"repeats": [3, 4], "order": "ABBA", "a": [1e-3, 1e-3, 1e-3, 1e-3],
         "b": [2e-3, 2e-3, 1e-3, 4e-3], "log_ratio": 0},
        {"repeats": [3, 4], "order": "BAAB", "a": [1e-3, 1e-3], "b": [1e-3, 1e-3],
         "log_ratio": 0, "disturbed": "the clock fell"}],
      "stopped_by": "time", "launch_seconds": [3e-6, 0], "measuring_seconds": 1.5,
      "answer": {"identical": false, "elements": 1000, "differing": 1, "largest_ulp": 1.0,
                 "median_ulp": 1.0, "first": 7, "first_a": "1.5", "first_b": "1.25"}
    })");
    pair["run"] = plain_record()["run"];
    pair["rounds"][0]["log_ratio"] = std::log(2.0);
    return pair;
}

/// A gap that one knob closes, with the steps between both APIs.
inline Json plain_explanation() {
    Json explanation = Json::parse(R"({
      "schema": "parallax.explanation", "version": 1, "suite": "copy", "variant": "plain",
      "type": "float", "shape": [1000], "constants": {"GROUP": 256},
      "title": "copy/plain float 1000",
      "a": {"device": "opencl:1", "name": "a device", "planted": "", "seconds": 1.64e-3,
            "kernels": [{"kernel": "k", "options": ["-DT=float"],
                         "resources": {"registers": 96, "spill_bytes": "unknown"},
                         "occupancy": {"groups": 2, "warps": 16, "most_warps": 64,
                                       "limited_by": "registers"},
                         "why_no_occupancy": "", "ptx": {"barriers": 2}, "machine": null,
                         "ptx_text": "bar.sync 0;", "machine_text": "",
                         "machine_source": "There is no disassembler."}]},
      "b": {"device": "cuda:0", "name": "a device", "planted": "", "seconds": 1e-3, "kernels": []},
      "gap": {"value": 0.61, "low": 0.6, "high": 0.62, "confidence": 0.95, "log_error": 1e-3,
              "degrees_of_freedom": "0x7ff0000000000000", "units_a": 5, "units_b": 5,
              "basis": "paired rounds"},
      "verdict": "FASTER", "launching": false,
      "stages": [{"name": "launch", "scope": "From a to b.", "a": 1e-6, "b": null,
                  "in_whole": true, "note": "B has none."}],
      "origin": [{"name": "back end", "what": "A's code on A and on B.", "ratio": null,
                  "reason": "B does not take it.", "share": null}],
      "why_no_origin": "",
      "trials": [
        {"knobs": ["align"], "setting": "ALIGN=16", "side": "A", "status": "measured", "reason": "",
         "ratio": null, "closes": 1.0, "closes_low": 0.9, "closes_high": 1.1, "own_change": 0.61,
         "closed": true, "consequences": ["registers 96 -> 128"]},
        {"knobs": ["restrict"], "setting": "restrict", "side": "both", "status": "no effect",
         "reason": "It is the same code.", "ratio": null, "closes": 0, "closes_low": 0,
         "closes_high": 0, "own_change": null, "closed": false, "consequences": []}],
      "conclusion": {"has_gap": true, "explained": true, "by": [0], "cause": "It is not aligned.",
                     "remedy": "Align it.", "ruled_out": ["restrict: the same code"],
                     "not_tried": []},
      "took_seconds": 12.5, "answer": "A is slower."
    })");
    explanation["run"] = plain_record()["run"];
    explanation["trials"][0]["ratio"] = explanation["gap"];
    explanation["trials"][0]["ratio"]["high"] = 0.61;
    return explanation;
}

}  // namespace parallax::fake
