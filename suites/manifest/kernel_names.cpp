// Kernels whose names OpenCL C allows and CUDA C++ does not.
#include <set>

#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/source_names.hpp"
#include "mapping/prelude/prelude.hpp"
#include "suites/manifest/model.hpp"

namespace parallax::manifest {

std::string with_free_names(std::string source, const std::vector<LaunchSpec*>& launches) {
    const std::string file = "the kernel";
    const std::vector<Token> tokens = lex(file, source);
    std::set<std::string, std::less<>> words;
    for (const Token& token : tokens) {
        if (token.kind == TokenKind::identifier) words.emplace(token.text);
    }
    std::map<std::string, std::string, std::less<>> renamed;
    for (LaunchSpec* const launch : launches) {
        const std::string& name = launch->kernel;
        if (!is_cxx_keyword(name) && !is_taken_at_file_scope(name) && !in_prelude(name)) continue;
        std::string& other = renamed[name];
        if (other.empty()) {
            other = "kernel_" + name;
            while (!words.insert(other).second) other += '_';
        }
        launch->kernel = other;
    }
    if (renamed.empty()) return source;
    std::string made;
    for (const Token& token : tokens) {
        const auto other =
            token.kind == TokenKind::identifier ? renamed.find(token.text) : renamed.end();
        made.append(token.space).append(other == renamed.end() ? token.text : other->second);
    }
    return made;
}

}  // namespace parallax::manifest
