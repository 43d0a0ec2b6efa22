// Tests `parallax port`: printed sources, rejected ones, checks and existing files.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "mapping/preprocess/expand.hpp"
#include "studies/port/port_check.hpp"
#include "studies/port/port_input.hpp"

namespace parallax::cli::port_test {
namespace {

constexpr std::string_view simple =
    "__kernel void twice(__global float* a) {\n"
    "    a[get_global_id(0)] *= 2.0f;\n"
    "}\n";

/// A backend named `cuda` that compiles every source without `bad`.
struct Compiler final : Backend {
    bool missing = false;
    std::string log = "mine.cl(3): error: bad";

    std::string_view name() const override { return "cuda"; }
    Inventory find() override { return {}; }
    std::vector<int> architectures() const override {
        if (missing) throw Unsupported("NVRTC is not here. Install it.");
        return {75, 80, 86, 90};
    }
    CompiledProgram compile(const Program& program, int architecture) const override {
        if (program.source.find("bad") != std::string::npos) {
            throw BuildFailed("It did not build.", log, program.source);
        }
        Resources resources;
        resources.registers = 7;
        resources.spill_bytes = 0;
        return {"TestRTC 1", "sm_" + std::to_string(architecture), {}, {{"twice", resources}}};
    }

private:
    std::unique_ptr<Device> do_open(const DeviceInfo&, OpenOptions) override {
        throw Error("not asked for");
    }
};

class Port : public CommandLine {
protected:
    std::shared_ptr<fake::Script> script_ = std::make_shared<fake::Script>();
    std::vector<std::unique_ptr<Backend>> on_;
    fake::FakeBackend* opencl_ = nullptr;
    Compiler* cuda_ = nullptr;

    Port() {
        script_->kernels["twice"] = [](const fake::HostLaunch&) {};
        auto opencl = std::make_unique<fake::FakeBackend>(script_, "opencl");
        auto cuda = std::make_unique<Compiler>();
        opencl_ = opencl.get();
        cuda_ = cuda.get();
        on_.push_back(std::move(opencl));
        on_.push_back(std::move(cuda));
        file("mine.cl", simple);
    }
    static void file(const fs::path& path, std::string_view text) {
        if (path.has_parent_path()) fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
    }
    Ended port(std::vector<std::string> words) {
        words.insert(words.begin(), "port");
        return run(words, on_);
    }
};

TEST_F(Port, TakesAnEditorsMark) {
    const std::string plain = port({"mine.cl"}).out;
    file("mine.cl", "\xef\xbb\xbf" + std::string(simple));
    EXPECT_EQ(port({"mine.cl"}).out, plain);
    file("whole.cl", "\xef\xbb\xbf#include \"mine.cl\"\n");
    const Ended e = port({"whole.cl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_NE(e.out.find("twice"), std::string::npos);
}

TEST_F(Port, WaitsForNoPipe) {
    ASSERT_EQ(mkfifo("pipe.cl", 0600), 0);
    fs::create_symlink("pipe.cl", "link.cl");
    for (const char* name : {"pipe.cl", "link.cl"}) {
        expect_usage({"port", name}, std::string(name) + " is no plain file: name a file of");
    }
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], simple.data(), simple.size()), static_cast<ssize_t>(simple.size()));
    close(ends[1]);
    EXPECT_NE(port({fmt::format("/dev/fd/{}", ends[0])}).out.find("twice"), std::string::npos)
        << "a shell's pipe has a writer";
    close(ends[0]);
}

TEST_F(Port, AdvisesNoOpenRoot) {
    for (const char* folder : {"/etc", "/usr/include"}) {
        const Ended e = port({"mine.cl", "-I", folder, "--init"});
        EXPECT_EQ(e.err.find("--allow / "), std::string::npos) << e.err;
    }
    file("hosts.cl", "#include \"hosts\"\n");
    const Ended e = port({"hosts.cl", "-I", "/etc"});
    EXPECT_EQ(e.err.find("--allow /\n"), std::string::npos) << e.err;
}

TEST_F(Port, PrintsTheTextThatTheTableMakes) {
    const Ended e = port({"mine.cl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_TRUE(e.out.starts_with("// Translated from mine.cl by parallax port.\n")) << e.out;
    EXPECT_NE(e.out.find("#line 1 \"mine.cl\"\nextern \"C\" __global__ void"), std::string::npos)
        << e.out;
    EXPECT_EQ(e.err, "");
    EXPECT_EQ(script_->compiles, 0u);
}

TEST_F(Port, AFileWithNothingToTranslateIsFive) {
    for (const char* text : {"", "// Only a comment.\n", "#define N 4\n"}) {
        std::ofstream("none.cl") << text;
        const Ended e = port({"none.cl"});
        EXPECT_EQ(e.code, 5) << text;
        EXPECT_EQ(e.out, "");
        EXPECT_THAT(e.err, testing::HasSubstr("none.cl has no __kernel and no function"));
    }
    std::ofstream("helper.cl") << "float half_of(float x) { return 0.5f * x; }\n";
    EXPECT_EQ(port({"helper.cl"}).code, 0) << "a part of a program";
}

TEST_F(Port, WhatNamesNothingIsTwo) {
    expect_usage({"port"}, "Which file?");
    expect_usage({"port", "nothing.cl"}, "Cannot read");
    expect_usage({"port", "."}, ". is a folder: name a file");
    expect_usage({"port", "mine.cl", "mine.cl"}, "port --help");
    expect_usage({"port", "mine.cl", "-I", "nowhere"}, "-I nowhere is no folder");
    expect_usage({"port", "mine.cl", "-d", "opencl"}, "--check");
    expect_usage({"port", "mine.cl", "--arch", "sm_90"}, "--check");
    expect_usage({"port", "mine.cl", "-o", ""}, "-o");
    expect_usage({"port", "mine.cl", "-o", "."}, "folder");
    expect_usage({"port", "mine.cl", "-o", "./mine.cl"}, "would replace");
    EXPECT_EQ(text_of("mine.cl"), simple);
    for (const char* name : {"1N", "", "=4", "F(x=x", "a-b", "defined", "a b=1"}) {
        expect_usage({"port", "mine.cl", "--define", name}, "names no macro");
    }
    expect_usage({"port", "mine.cl", "-D", "N=1\n#define M"}, "one line");
    expect_usage({"port", "mine.cl", "-DN=\\"}, "one line");
    expect_usage({"port", "mine.cl", "-DN=1", "-DN=2"}, "given twice");
    for (const char* arch : {"sm_", "ninety", "sm_90a", "-90", "9"}) {
        expect_usage({"port", "mine.cl", "--check", std::string("--arch=") + arch}, "sm_90");
    }
    expect_usage({"port", "/dev/zero"}, "/dev/zero is no plain file");
}

TEST_F(Port, MacrosAreTakenAsCompilersTakeThem) {
    EXPECT_EQ(parse_macro("N"), (Define{"N", "1"}));
    EXPECT_EQ(parse_macro("N="), (Define{"N", ""}));
    EXPECT_EQ(parse_macro("N=a=b c"), (Define{"N", "a=b c"}));
    file("n.cl", "__kernel void twice(__global int* a) {\n    a[0] = N + M;\n}\n");
    if (!can_expand()) GTEST_SKIP() << "built without Boost.Wave";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"n.cl", "--expand", "-DN=4", "-DM"},
          {"-D", "N=4", "-D", "M=1", "--expand", "n.cl"},
          {"--define", "N=4", "--define=M", "n.cl", "--expand", "-DN=4"}}) {
        const Ended e = port(words);
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_TRUE(
            e.out.starts_with("// Translated from n.cl by parallax port; -D N=4 -D M=1 --expand\n"))
            << e.out;
        EXPECT_NE(e.out.find("a[0] = 4 + 1;"), std::string::npos) << e.out;
    }
}

TEST_F(Port, IncludedFilesArePutIn) {
    file("k/main.cl", "#include \"beside.h\"\n#include <told.h>\n" + std::string(simple));
    file("k/beside.h", "float beside(float x) { return x; }\n");
    file("inc/told.h", "float told(float x) { return x; }\n");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"k/main.cl", "-Iinc"}, {"-I", "inc", "k/main.cl"}}) {
        const Ended e = port(words);
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_NE(e.out.find("#line 1 \"k/beside.h\"\n"), std::string::npos) << e.out;
        EXPECT_NE(e.out.find("#line 1 \"inc/told.h\"\n"), std::string::npos) << e.out;
        EXPECT_NE(e.out.find("#line 3 \"k/main.cl\"\n"), std::string::npos) << e.out;
    }
    const Ended lost = port({"k/main.cl"});
    EXPECT_EQ(lost.code, 1);
    EXPECT_EQ(lost.out, "");
    EXPECT_NE(lost.err.find("k/main.cl:2: '#include <told.h>': no such file in k; "),
              std::string::npos)
        << lost.err;
}

TEST_F(Port, RefusalsAreOneWhereThePreprocessorDoesNotHelp) {
    file("bad.cl", "__kernel void k(read_only image1d_t a) {}\n");
    const Ended plain = port({"bad.cl"});
    EXPECT_EQ(plain.code, 1);
    EXPECT_EQ(plain.out, "");
    EXPECT_NE(plain.err.find("bad.cl:1: "), std::string::npos) << plain.err;
    EXPECT_EQ(plain.err.find("--expand"), std::string::npos) << plain.err;
    file("macro.cl",
         "#define ROOM __local float\n"
         "__kernel void twice(__global float* a) { ROOM room[1]; room[0] = a[0]; }\n");
    if (!can_expand()) GTEST_SKIP() << "built without Boost.Wave";
    const Ended macro = port({"macro.cl"});
    EXPECT_EQ(macro.code, 0);
    EXPECT_NE(macro.err.find("It is preprocessed first, with the names that OpenCL C 1.2 defines: "
                             "macro.cl:1: '__local'"),
              std::string::npos)
        << macro.err;
    EXPECT_NE(macro.out.find("port; --expand"), std::string::npos) << macro.out;
    file("both.cl", "#define N 4\n__kernel void k(read_only image1d_t a) {}\n");
    EXPECT_EQ(port({"both.cl"}).err.find("--expand"), std::string::npos) << "it would not help";
    const Ended expanded = port({"macro.cl", "--expand"});
    EXPECT_EQ(expanded.code, 0) << expanded.err;
    EXPECT_NE(expanded.out.find("twice(float* a)"), std::string::npos) << expanded.out;
    file("still.cl", "#define K __kernel void\nK k(read_only image1d_t a) {}\n");
    const Ended still = port({"still.cl", "--expand"});
    EXPECT_EQ(still.code, 1);
    EXPECT_EQ(still.err.find("--expand"), std::string::npos) << still.err;
}

TEST_F(Port, RemarksOnFaultsThatTheTranslationRepairs) {
    file("part.h", "void wait(void) { barrier(0); }\n");
    file("hides.cl",
         "#include \"part.h\"\n"
         "__kernel void k(__global int* a) {\n"
         "    __local int b[4];\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    barrier( 0 );\n"
         "    a[0] = mul24(a[1], a[2]) + mul24(a[1], a[3]);\n"
         "}\n");
    const Ended e = port({"hides.cl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_NE(e.err.find("part.h:1: 'barrier(0)': it orders no memory"), e.err.npos) << e.err;
    EXPECT_NE(e.err.find(" 1 more like it.\n"), e.err.npos) << e.err;
    EXPECT_NE(e.err.find("hides.cl:6: 'mul24("), e.err.npos) << e.err;
    file("fine.cl", "__kernel void k(__global int* a) { barrier(CLK_GLOBAL_MEM_FENCE); }\n");
    EXPECT_EQ(port({"fine.cl"}).err, "");
}

TEST_F(Port, AFailureLeavesTheFileAlone) {
    file("old.cu", "old");
    file("bad.cl", "__kernel void bad(read_only image1d_t a) {}\n");
    EXPECT_EQ(port({"bad.cl", "-o", "old.cu"}).code, 1);
    EXPECT_EQ(text_of("old.cu"), "old");
    file("twice.cl", "__kernel void twice(__global float* bad) {\n}\n");
    EXPECT_EQ(port({"twice.cl", "--check", "-o", "old.cu"}).code, 1);
    EXPECT_EQ(text_of("old.cu"), "old");
    const Ended e = port({"mine.cl", "-o", "old.cu"});
    EXPECT_EQ(e.code, 0);
    EXPECT_EQ(e.out, "");
    EXPECT_EQ(text_of("old.cu"), port({"mine.cl"}).out);
    std::istringstream lines(port({"mine.cl", "--check", "--json"}).out);
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(Json::parse(line).at("result"), "compiles") << line;
    EXPECT_EQ(port({"mine.cl", "-o", "new/folder/x.cu", "--check"}).code, 0);
    EXPECT_TRUE(fs::exists("new/folder/x.cu"));
    EXPECT_FALSE(fs::exists("old.cu.part"));
}

TEST_F(Port, WhatNvrtcRefusesIsNotPrinted) {
    file("twice.cl", "__kernel void twice(__global float* bad) {\n}\n");
    file("old.cu", "old");
    const Ended e = port({"twice.cl"});
    EXPECT_EQ(e.code, 1);
    EXPECT_EQ(e.out, "");
    EXPECT_NE(e.err.find("nothing is printed, since NVRTC does not accept the CUDA source. It did "
                         "not build.\n"),
              e.err.npos)
        << e.err;
    EXPECT_NE(e.err.find("a fault of the translation"), e.err.npos) << e.err;
    EXPECT_EQ(port({"twice.cl", "-o", "old.cu"}).code, 1);
    EXPECT_EQ(text_of("old.cu"), "old");
    const Ended asked = port({"twice.cl", "--no-check"});
    EXPECT_EQ(asked.code, 0);
    cuda_->log =
        "twice.cl(1): error: identifier \"twice\" is undefined\n"
        "twice.cl(1): error: identifier \"elsewhere\" is undefined\n";
    const Ended open = port({"twice.cl"});
    EXPECT_EQ(open.code, 1);
    EXPECT_NE(open.err.find("says what twice is: give"), open.err.npos) << open.err;
    cuda_->log = "ptxas error   : File uses too much global constant data\n";
    EXPECT_NE(port({"twice.cl"}).err.find("needs more than CUDA has"), std::string::npos);
    cuda_->log = "nvrtc: error: failed to open libnvrtc-builtins.so.13.0";
    EXPECT_EQ(port({"twice.cl"}).out, asked.out);
    cuda_->missing = true;
    EXPECT_EQ(port({"twice.cl"}).out, asked.out);
    expect_usage({"port", "mine.cl", "--no-check", "--check"}, "--no-check");
    expect_usage({"port", "mine.cl", "--no-check", "--init"}, "--no-check");
}

TEST_F(Port, ACudaSourceBecomesOpenClC) {
    file("mine.cu",
         "template <int N> __global__ void add(int* a) { a[threadIdx.x] += N * SIZE; }\n"
         "int main() { add<2><<<1, 64>>>(nullptr); }\n");
    script_->kernels["add"] = [](const fake::HostLaunch&) {};
    const Ended made = port({"mine.cu", "-D", "SIZE=3"});
    if (made.err.find("takes the program clang") != std::string::npos) GTEST_SKIP() << made.err;
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.out,
              "// Translated from mine.cu by parallax port; -D SIZE=3\n"
              "__kernel void add(__global int* a) { a[(uint)get_local_id(0)] += 2 * SIZE; }\n");
    EXPECT_EQ(made.err, "");
    const Ended named = port({"mine.cu", "-D", "SIZE=3", "--kernel", "add<5>", "-o", "made.cl"});
    EXPECT_EQ(named.code, 0) << named.err;
    EXPECT_NE(text_of("made.cl").find("+= 5 * SIZE"), std::string::npos);
    EXPECT_NE(named.err.find("'parallax port made.cl mine.cu --init -o made.json'"),
              std::string::npos);
    const Ended checked = port({"mine.cu", "-D", "SIZE=3", "--check"});
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_NE(checked.out.find("opencl:0"), std::string::npos) << checked.out;
    EXPECT_NE(checked.out.find("cuda sm_90 (TestRTC 1): compiles"), std::string::npos);
    // A header in angle brackets is put in where it is found, and the host's are not.
    file("inc/sizes.cuh", "#define SIZE 7\n");
    file("inc/cufft.h", "what is this\n");
    file("using.cu", "#include <sizes.cuh>\n#include <cufft.h>\n" + text_of("mine.cu"));
    EXPECT_NE(port({"using.cu", "-I", "inc"}).out.find("#define SIZE 7"), std::string::npos);
    const Ended refused = port({"mine.cu", "-o", "made.cl"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.err.find("mine.cu:1: clang: use of undeclared identifier 'SIZE'"),
              std::string::npos)
        << refused.err;
    file("host.cu", "int main() {}\n");
    EXPECT_EQ(port({"host.cu"}).code, 5);
}

TEST_F(Port, ACudaSourceIsForFirstManifests) {
    file("mine.cu",
         "#include <cuda_fp16.h>\n#include \"inc/types.cuh\"\n#include \"elsewhere.h\"\n"
         "__global__ void twice(real* a, int n) {\n"
         "const int i = blockIdx.x * SIZE + threadIdx.x; if (i < n) a[i] *= 2; }\n");
    file("inc/types.cuh", "#pragma once\n#include \"../mine.cu\"\nusing real = double;\n");
    expect_usage({"port", "mine.cl", "mine.cu"}, "translates one file: mine.cl or mine.cu?");
    expect_usage({"port", "mine.cl", "mine.cl", "--init"}, "what is mine.cl?");
    expect_usage({"port", "mine.cu", "mine.cu", "--init"}, "what is mine.cu?");
    const Ended alone = port({"mine.cu", "--init", "-D", "SIZE=64"});
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_NE(alone.out.find("\"cuda\": \"mine.cu\""), std::string::npos) << alone.out;
    EXPECT_NE(alone.out.find("\"type\": \"double\""), std::string::npos) << "of the include";
    EXPECT_NE(alone.out.find("\"items\": [64]"), std::string::npos) << alone.out;
    EXPECT_EQ(alone.out.find("\"source\""), std::string::npos) << alone.out;
    const Ended both = port({"mine.cu", "mine.cl", "--init", "-D", "SIZE=64"});
    EXPECT_NE(both.out.find("\"source\": \"mine.cl\""), std::string::npos) << both.err;
    EXPECT_NE(both.out.find("'a' is float in OpenCL C and double in CUDA"), std::string::npos);
    file("two.cu",
         "namespace a { template <class T> __global__ void one(T* x) { x[threadIdx.x] = 1; }\n"
         "template <> __global__ void one<int>(int* x) { x[threadIdx.x] = 2; } }\n"
         "__global__ void other(int* x) { x[threadIdx.x] = 1; }\n");
    expect_usage({"port", "two.cu", "--init"}, "3 kernels: a::one<T>, a::one<int>, other. Give");
    expect_usage({"port", "two.cu", "--init", "--kernel", "one"},
                 "2 kernels: a::one<T>, a::one<int>");
    expect_usage({"port", "two.cu", "--init", "--kernel", "one<>"}, "the arguments do not fit");
    expect_usage({"port", "two.cu", "--init", "--kernel", "none"}, "no such kernel");
    fs::create_directory("all");
    const Ended all = port({"two.cu", "--init", "-o", "all"});
    EXPECT_EQ(all.code, 1) << "a template asks";
    EXPECT_TRUE(fs::exists("all/other.json")) << all.err;
    EXPECT_TRUE(fs::exists("all/a__one_int_.json")) << all.err;
}

TEST_F(Port, AManifestOfACudaSourceHasItsTranslationToo) {
    file("mine.cu",
         "__constant__ float w[4];\n__global__ void blur(float* y, const float* x, int n) {\n"
         "  __shared__ float t[64];\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  t[threadIdx.x] = i < n ? x[i] : 0.f;\n  __syncthreads();\n"
         "  if (i < n) y[i] = t[threadIdx.x ^ 1] * w[threadIdx.x & 3];\n}\n"
         "template <class T> __global__ void fill(T* x, int n, bool b) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = T(b); }\n"
         "__global__ void odd(int* x) { asm(\"trap;\"); x[threadIdx.x] = 1; }\n"
         "int main() { blur<<<9, 64>>>(0, 0, 0); }\n");
    const std::vector<std::string> words{"port", "mine.cu", "--init", "--kernel",
                                         "blur", "-o",      "b.json"};
    const Ended made = run(words, on_);
    ASSERT_EQ(made.code, 0) << made.err;
    if (made.err.find("takes the program clang") != std::string::npos) GTEST_SKIP() << made.err;
    EXPECT_NE(made.err.find("wrote b.json and b.cl"), std::string::npos) << made.err;
    const std::string manifest = text_of("b.json"), translation = text_of("b.cl");
    for (const char* part :
         {"\"source\": \"b.cl\"",
          "\"cuda\": {\"source\": \"mine.cu\", \"symbols\": {\"w\": \"w\"}}", "\"items\": [64]",
          "\"groups\": [\"ceil(n / items_x)\"]", "\"name\": \"w\"", "nvcc fuses a * b + c"}) {
        EXPECT_NE(manifest.find(part), std::string::npos) << part << "\n" << manifest;
    }
    EXPECT_NE(translation.find("__kernel void blur(__global float* y, __global const float* x, "
                               "int n, __constant float* w)"),
              std::string::npos)
        << translation;
    // Nothing replaces a file; the translation that is there already is no other one.
    expect_usage(words, "b.json is there already");
    fs::remove("b.json");
    EXPECT_EQ(run(words, on_).code, 0);
    fs::remove("b.json");
    file("b.cl", "mine");
    expect_usage(words, "b.cl is there already, and is not what mine.cu is translated to");
    EXPECT_EQ(text_of("b.cl"), "mine");
    EXPECT_FALSE(fs::exists("b.json"));
    // A template's kernel has another name in each language, and a bool is a byte in a manifest.
    EXPECT_EQ(
        port({"mine.cu", "--init", "--kernel", "fill<int>", "--kernel", "blur", "-o", "two.json"})
            .code,
        0);
    const std::string two = text_of("two.json");
    expect_usage({"port", "mine.cu", "--init", "--kernel", "fill"}, "nothing says T: give its");
    EXPECT_NE(two.find("{\"kernel\": \"fill\", \"arguments\": [\"x\", \"n\", \"b\"]"),
              std::string::npos)
        << two;
    EXPECT_NE(two.find("{\"kernel\": \"fill<int>\", "), std::string::npos) << two;
    EXPECT_NE(two.find("{\"name\": \"b\", \"type\": \"uchar\", \"value\": 1}"), std::string::npos)
        << two;
    // Both launches of a row have values that are no parameters in CUDA.
    file("row.cu",
         "__constant__ float w[4];\n__global__ void a(float* y, int n) { extern __shared__ float "
         "t[];"
         " int i = blockIdx.x * blockDim.x + threadIdx.x; t[threadIdx.x] = 1; if (i < n) y[i] = "
         "w[threadIdx.x & 3] + t[threadIdx.x]; }\n"
         "__global__ void b(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
         " if (i < n) y[i] += w[1]; }\n"
         "int main() { a<<<9, 64, 256>>>(0, 0); b<<<9, 64>>>(0, 0); }\n");
    const Ended row =
        port({"row.cu", "--init", "--kernel", "a", "--kernel", "b", "-o", "row.json"});
    EXPECT_EQ(run({"list", "row.json"}).code, 0)
        << text_of("row.json") << run({"list", "row.json"}).err;
    EXPECT_NE(
        text_of("row.json").find("{\"kernel\": \"a\", \"arguments\": [\"y\", \"n\", \"t\"], "),
        std::string::npos)
        << text_of("row.json");
    EXPECT_EQ(run({"list", "two.json"}).code, 0) << run({"list", "two.json"}).err;
    const Ended alone = port({"mine.cu", "--init", "--kernel", "odd", "-o", "odd.json"});
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_NE(alone.err.find("The manifest has the CUDA source alone"), std::string::npos);
    EXPECT_FALSE(fs::exists("odd.cl"));
    const Ended printed = port({"mine.cu", "--init", "--kernel", "blur"});
    EXPECT_EQ(printed.out.find("\"source\": \""), printed.out.find("\"source\": \"mine.cu\""));
    EXPECT_NE(printed.err.find("With -o mine.json, too"), std::string::npos) << printed.err;
    EXPECT_FALSE(fs::exists("mine.cl") && text_of("mine.cl") != simple);
}

TEST_F(Port, LanguageSaysWhatAFileIsIn) {
    const std::string cuda = "__global__ void twice(float* a) { a[threadIdx.x] *= SIZE; }\n";
    const auto piped = [&](std::vector<std::string> words) {
        std::istringstream in{cuda};
        std::streambuf* const before = std::cin.rdbuf(in.rdbuf());
        Ended ended = port(std::move(words));
        std::cin.rdbuf(before);
        return ended;
    };
    const Ended e = piped({"-", "--language", "cuda", "-D", "SIZE=3"});
    if (e.err.find("takes the program clang") != std::string::npos) GTEST_SKIP() << e.err;
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_EQ(e.out,
              "// Translated from <stdin> by parallax port; -D SIZE=3\n"
              "__kernel void twice(__global float* a) { a[(uint)get_local_id(0)] *= SIZE; }\n");
    EXPECT_NE(piped({"-", "--language", "cuda", "-D", "SIZE=3", "--expand"}).out.find("*= 3;"),
              std::string::npos);
    EXPECT_EQ(piped({"-", "--language", "cuda", "-D", "SIZE=3", "--check"}).code, 0);
    EXPECT_NE(piped({"-", "--language", "cuda"}).err.find("<stdin>:1: clang: "), std::string::npos);
    EXPECT_NE(piped({"-", "-D", "SIZE=3"}).err.find("--language cuda"), std::string::npos);
    expect_usage({"port", "-", "--language", "cuda", "--init"}, "and not standard input");
    expect_usage({"port", "mine.cl", "mine.cu", "--init", "--language", "cuda"},
                 "leave it out for two");
    file("kernels.inl", cuda);
    EXPECT_EQ(port({"kernels.inl", "--language", "cuda", "-D", "SIZE=3"}).code, 0);
    EXPECT_NE(port({"kernels.inl", "-D", "SIZE=3"}).err.find("--language cuda"), std::string::npos);
    file("cl.cu", simple);
    EXPECT_EQ(port({"cl.cu", "--language", "opencl"}).code, 0);
    // A macro may expand the word to OpenCL C.
    file("both.inl", "#define __global__ __kernel\n__global__ void f(global int* a) { *a = 1; }\n");
    EXPECT_EQ(port({"both.inl"}).err.find("--language"), std::string::npos);
}

TEST_F(Port, StandardInputIsADash) {
    std::istringstream in{std::string(simple)};
    std::streambuf* const before = std::cin.rdbuf(in.rdbuf());
    const Ended e = port({"-"});
    std::cin.rdbuf(before);
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_NE(e.out.find("from <stdin> by"), std::string::npos) << e.out;
    EXPECT_NE(e.out.find("#line 1 \"<stdin>\"\n"), std::string::npos) << e.out;
}

TEST_F(Port, ChecksBothSides) {
    const Ended e = port({"mine.cl", "--check"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_EQ(script_->compiles, 1u);
    EXPECT_EQ(script_->runs, 0u);
    EXPECT_NE(e.out.find("opencl:0 ("), std::string::npos) << e.out;
    for (const char* arch : {"75", "80", "90"}) {
        EXPECT_NE(e.out.find(std::string("cuda sm_") + arch +
                             " (TestRTC 1): compiles; twice: 7 registers, 0 bytes spilled\n"),
                  std::string::npos)
            << e.out;
    }
    EXPECT_EQ(e.out.find("sm_86"), std::string::npos) << "asked for only";
    const Ended one = port({"mine.cl", "--check", "--arch", "86"});
    EXPECT_NE(one.out.find("sm_86"), std::string::npos);
    EXPECT_EQ(one.out.find("sm_90"), std::string::npos);
    EXPECT_EQ(port({"mine.cl", "--check", "--arch", "sm_35"}).code, 2);
    EXPECT_EQ(port({"mine.cl", "--check", "-d", "metal"}).code, 2);
}

TEST_F(Port, ASideThatDoesNotCompileIsOne) {
    file("twice.cl", "__kernel void twice(__global float* bad) {\n}\n");
    const Ended cuda = port({"twice.cl", "--check", "--arch", "90"});
    EXPECT_EQ(cuda.code, 1);
    EXPECT_NE(cuda.out.find("cuda sm_90: does not compile; It did not build.\n"
                            "mine.cl(3): error: bad\n"),
              std::string::npos)
        << cuda.out;
    script_->before = [](std::string_view call) {
        if (call == "compile") throw BuildFailed("Not so.", "mine.cl:2:5: error: so", "");
    };
    const Ended opencl = port({"mine.cl", "--check"});
    EXPECT_EQ(opencl.code, 1);
    EXPECT_NE(opencl.out.find("does not compile; Not so.\nmine.cl:2:5: error: so\n"),
              std::string::npos)
        << opencl.out;
    cuda_->missing = true;
    EXPECT_EQ(port({"mine.cl", "--check"}).code, 1) << "one is known to fail";
}

TEST_F(Port, AKernelInABranchThatIsNotTakenIsNotAskedFor) {
    if (!can_expand()) GTEST_SKIP() << "built without a preprocessor";
    const std::string other = "__kernel void other(__global float* a) { a[0] = 1; }\n";
    file("branch.cl", "#ifdef TEXTURES\n" + other + "#endif\n" + std::string(simple));
    const Ended left_out = port({"branch.cl", "--check"});
    EXPECT_EQ(left_out.code, 0) << left_out.out << left_out.err;
    EXPECT_NE(left_out.out.find("): compiles; twice"), std::string::npos) << left_out.out;
    const Ended taken = port({"branch.cl", "--check", "-D", "TEXTURES"});
    EXPECT_NE(taken.out.find("branch.cl has no kernel 'other'"), std::string::npos) << taken.out;
    file("none.cl", "#ifdef TEXTURES\n" + other + "#endif\n");
    EXPECT_EQ(port({"none.cl", "--check"}).code, 1) << "nothing else tells whether it compiles";
}

TEST_F(Port, ASideThatCannotBeTriedIsFive) {
    cuda_->missing = true;
    const Ended no_nvrtc = port({"mine.cl", "--check"});
    EXPECT_EQ(no_nvrtc.code, 5);
    EXPECT_NE(no_nvrtc.out.find("cuda: not tried; NVRTC is not here. Install it."),
              std::string::npos)
        << no_nvrtc.out;
    cuda_->missing = false;
    opencl_->inventory.devices.clear();
    const Ended no_device = port({"mine.cl", "--check"});
    EXPECT_EQ(no_device.code, 5);
    EXPECT_NE(no_device.out.find("pocl-opencl-icd"), std::string::npos) << no_device.out;
    EXPECT_NE(no_device.out.find("sm_90 (TestRTC 1): compiles"), std::string::npos);
    EXPECT_NE(run({"port", "mine.cl", "--check"}, {}).out.find("built without CUDA"),
              std::string::npos);
    file("none.cl", "float helper(float x) { return x; }\n");
    const Ended none = port({"none.cl", "--check"});
    EXPECT_EQ(none.code, 5);
    EXPECT_NE(none.err.find("no __kernel"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace parallax::cli::port_test
