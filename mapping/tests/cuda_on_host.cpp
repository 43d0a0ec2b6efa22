// Compiles CUDA texts behind the shim, loads them, and goes through groups and items.
#include "mapping/tests/cuda_on_host.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "common/error.hpp"
#include "mapping/tests/items_on_host.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::corpus {
namespace {

constexpr std::size_t dynamic_bytes = 65536, guard = 256;
constexpr std::byte guard_value{0xa7};

/// A folder of this process, removed when it ends.
const std::filesystem::path& folder() {
    static const struct Folder {
        std::filesystem::path path =
            std::filesystem::temp_directory_path() / fmt::format("cuda_on_host_{}", getpid());
        Folder() { std::filesystem::create_directories(path); }
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    } made;
    return made.path;
}

/// Behind what begins at `at`: over strings and nested brackets, up to one of `ends`.
std::size_t until(const std::string& text, std::size_t at, std::string_view ends) {
    int depth = 0;
    for (bool quoted = false; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' && text[at - 1] != '\\') quoted = !quoted;
        if (quoted) continue;
        if (depth == 0 && ends.find(c) != ends.npos) return at;
        if (c == '(') ++depth;
        if (c == ')') --depth;
    }
    return at;
}

/// `asm("ptx" : "=r"(a) : "r"(b), "f"(c))` as `parallax_ptx("ptx", a, b, c)`, which the shim has
/// for a few instructions; results come first.
std::string without_ptx(std::string text) {
    static const std::regex start(R"(\b(?:asm|__asm__)\s*(?:(?:volatile|__volatile__)\s*)?\()");
    for (std::smatch match; std::regex_search(text, match, start);) {
        const auto from = static_cast<std::size_t>(match.position());
        std::size_t at = from + static_cast<std::size_t>(match.length());
        const std::size_t close = until(text, at, ")");
        std::size_t end = until(text, at, ":)");
        std::string call = "parallax_ptx(" + text.substr(at, end - at);
        for (int part = 0; part < 2 && end < close; ++part) {
            for (at = end + 1; at < close; at = end + 1) {
                const std::size_t open = text.find('(', at);
                end = until(text, at, ",:)");
                if (open < end) call += ", " + text.substr(open, end - open);
                if (text[end] != ',') break;
            }
        }
        text.replace(from, close + 1 - from, call + ")");
    }
    return text;
}

/// The text as C++: PTX is called, dynamic shared memory is defined at its end, kernels are
/// callable by name.
std::string as_cpp(const std::string& text, const std::vector<std::string>& kernels,
                   std::string& dynamic_name) {
    static const std::regex dynamic(R"(extern\s+__shared__\s+([^;\[]*?)(\w+)\s*\[\s*\])");
    std::smatch match;
    if (std::regex_search(text, match, dynamic)) dynamic_name = match[2];
    std::string body = without_ptx(std::regex_replace(text, dynamic, "extern $1$2[]"));
    if (!dynamic_name.empty()) {
        body += fmt::format("\nasm(\".comm {},{},128\");\n", dynamic_name, dynamic_bytes);
    }
    for (const std::string& kernel : kernels) {
        body += fmt::format(
            "\nextern \"C\" void parallax_call_{0}(void** a) {{ parallax_host::call(&{0}, a); }}",
            kernel);
    }
    return fmt::format("#include \"mapping/tests/cuda_shim.hpp\"\n{}\n", body) +
           "extern \"C\" void parallax_set(parallax_host::Waits w) { parallax_host::waits = w; }\n"
           "extern \"C\" void parallax_at(const unsigned* p) { parallax_place(p); }\n";
}

/// The first lines of what the compiler said.
std::string beginning(std::string text) {
    if (text.size() > 3000) text = text.substr(0, 3000) + "\n...";
    return text;
}

struct Waits {
    void (*group)();
    void (*warp)();
    void (*stop)(const char*);
};

/// A buffer between two zones that must not change.
class Guarded {
public:
    explicit Guarded(const Bytes& payload) : bytes_(payload.size() + 2 * guard, guard_value) {
        std::ranges::copy(payload, bytes_.begin() + guard);
    }
    std::byte* payload() { return bytes_.data() + guard; }
    Bytes take() const { return {bytes_.begin() + guard, bytes_.end() - guard}; }
    bool is_whole() const {
        const auto untouched = [](std::byte b) { return b == guard_value; };
        return std::all_of(bytes_.begin(), bytes_.begin() + guard, untouched) &&
               std::all_of(bytes_.end() - guard, bytes_.end(), untouched);
    }

private:
    // Vectors of sixteen are aligned to 128 bytes in OpenCL.
    template <class T>
    struct Aligned {
        using value_type = T;
        T* allocate(std::size_t n) {
            return static_cast<T*>(::operator new (n, std::align_val_t{128}));
        }
        void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{128}); }
        bool operator==(const Aligned&) const { return true; }
    };
    std::vector<std::byte, Aligned<std::byte>> bytes_;
};

}  // namespace

struct HostLibrary::Loaded {
    void* handle = nullptr;
    void (*place)(const unsigned*) = nullptr;
    std::byte* dynamic = nullptr;
    ~Loaded() {
        if (handle) dlclose(handle);
    }
};

HostLibrary::HostLibrary(HostLibrary&&) noexcept = default;
HostLibrary::~HostLibrary() = default;

HostLibrary::HostLibrary(const std::string& text, const std::vector<std::string>& kernels)
    : loaded_(std::make_unique<Loaded>()) {
    static std::atomic<unsigned> next = 0;
    const std::string stem = (folder() / std::to_string(next++)).string();
    std::string dynamic_name;
    std::ofstream(stem + ".cpp") << as_cpp(text, kernels, dynamic_name);
    // A plain signed sum wraps on a GPU; bytes may be seen as any type there.
    const std::string command = fmt::format(
        "{} -std=c++17 -O1 -w -fPIC -shared -fno-builtin -ffp-contract=off -fwrapv "
        "-fno-strict-aliasing -Wl,-Bsymbolic -I'{}' '{}.cpp' -o '{}.so' 2> '{}.log'",
        HOST_COMPILER, SOURCE_ROOT, stem, stem, stem);
    if (std::system(command.c_str()) != 0) {
        throw Error(fmt::format("The host's compiler does not take the CUDA text:\n{}",
                                beginning(testing::file_text(stem + ".log"))));
    }
    loaded_->handle = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded_->handle) throw Error(fmt::format("The CUDA text does not load: {}", dlerror()));
    const auto symbol = [&](const std::string& name) {
        return dlsym(loaded_->handle, name.c_str());
    };
    reinterpret_cast<void (*)(Waits)>(symbol("parallax_set"))(
        {wait_for_group, wait_for_warp, stop_group});
    loaded_->place = reinterpret_cast<void (*)(const unsigned*)>(symbol("parallax_at"));
    if (!dynamic_name.empty()) loaded_->dynamic = static_cast<std::byte*>(symbol(dynamic_name));
}

namespace {

LocalLayout layout_of(const Kernel& kernel) {
    std::vector<Argument> locals;
    for (const Parameter& parameter : kernel.parameters) {
        if (const auto* local = std::get_if<LocalBytes>(&parameter)) locals.emplace_back(*local);
    }
    return local_layout(locals);
}

}  // namespace

std::vector<Bytes> HostLibrary::run(const Kernel& kernel, Order order) const {
    const auto call = reinterpret_cast<void (*)(void**)>(
        dlsym(loaded_->handle, fmt::format("parallax_call_{}", kernel.name).c_str()));
    if (!call) throw Error(fmt::format("The CUDA text has no kernel '{}'.", kernel.name));

    std::vector<Guarded> buffers;
    for (const Bytes& bytes : inputs_of(kernel)) buffers.emplace_back(bytes);
    std::vector<std::uint64_t> bits;
    std::size_t next_buffer = 0;
    const LocalLayout locals = layout_of(kernel);
    std::size_t next_local = 0;
    for (const Parameter& parameter : kernel.parameters) {
        std::uint64_t value = 0;
        if (std::holds_alternative<Buffer>(parameter)) {
            value = reinterpret_cast<std::uint64_t>(buffers[next_buffer++].payload());
        } else if (const auto* scalar = std::get_if<Scalar>(&parameter)) {
            const auto bytes = bytes_of(*scalar);
            if (bytes.size() > sizeof value) {
                throw Error(
                    fmt::format("kernel {} takes a vector by value, which this tool does "
                                "not pass",
                                kernel.name));
            }
            std::memcpy(&value, bytes.data(), bytes.size());
        } else {
            // The first one begins at 0 and has no parameter.
            value = locals.offsets[next_local++];
            if (next_local == 1) continue;
        }
        bits.push_back(value);
    }
    std::vector<void*> arguments;
    for (std::uint64_t& value : bits) arguments.push_back(&value);

    const Geometry geometry = kernel.geometry();
    const auto narrow = [](std::uint64_t v) { return static_cast<unsigned>(v); };
    const unsigned x = narrow(geometry.items.x), y = narrow(geometry.items.y);
    const Size groups = geometry.groups;
    for (std::uint64_t g = 0; g < groups.product(); ++g) {
        if (loaded_->dynamic) std::fill_n(loaded_->dynamic, dynamic_bytes, guard_value);
        const unsigned gx = narrow(g % groups.x), gy = narrow(g / groups.x % groups.y);
        const unsigned gz = narrow(g / groups.x / groups.y);
        const auto place = [&](unsigned item) {
            const unsigned places[12] = {item % x,
                                         item / x % y,
                                         item / x / y,
                                         gx,
                                         gy,
                                         gz,
                                         x,
                                         y,
                                         narrow(geometry.items.z),
                                         narrow(groups.x),
                                         narrow(groups.y),
                                         narrow(groups.z)};
            loaded_->place(places);
        };
        run_group(narrow(geometry.items.product()), order == Order::descending, place,
                  [&](unsigned) { call(arguments.data()); });
        std::byte* end = loaded_->dynamic + dynamic_bytes;
        if (loaded_->dynamic && std::any_of(loaded_->dynamic + locals.bytes, end,
                                            [](std::byte b) { return b != guard_value; })) {
            throw Error(fmt::format("kernel {} writes behind its {} bytes of dynamic local memory",
                                    kernel.name, locals.bytes));
        }
    }
    std::vector<Bytes> after;
    for (const Guarded& buffer : buffers) {
        if (!buffer.is_whole()) {
            throw Error(fmt::format("kernel {} writes outside its buffer {}", kernel.name,
                                    after.size() + 1));
        }
        after.push_back(buffer.take());
    }
    return after;
}

std::string missing_on_host(const Kernel& kernel) {
    return kernel.not_on_host;
}

}  // namespace parallax::corpus
