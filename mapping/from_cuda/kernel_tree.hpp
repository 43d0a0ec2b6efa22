// The kernels of a CUDA C++ source in clang's tree: their names, instances and launches.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/from_cuda/clang_tree.hpp"

namespace parallax::from_cuda {

/// A kernel: a function, an instance of a template, or a template that has none.
struct KernelNode {
    const Node* function = nullptr;  ///< of a template without an instance its pattern
    const Node* pattern = nullptr;   ///< the template's declaration; null: it is none
    std::string scope;               ///< its namespaces: `blas::`
    bool is_open = false;            ///< a template without an instance

    std::string name() const { return scope + function->name; }
    /// NVRTC's name expression, `blas::saxpy<float, 256>`; of an open template its parameters'
    /// names.
    std::string expression() const;
    /// The template's parameters without a default; of no template none.
    std::vector<std::string> parameters() const;
};

/// The kernels of a tree, in the order of the file, and what its launches say of them.
class KernelIndex {
public:
    explicit KernelIndex(const ClangTree& tree);

    const std::vector<KernelNode>& kernels() const { return kernels_; }
    /// The kernels that words of `--kernel` mean, in that order: with template arguments one
    /// instance, without them a function or all instances of a template. Namespaces may be left out
    /// where one name fits. Without words all.
    /// @param instances  KernelTree::instances
    /// @throws UsageError where one means none, or names in several namespaces
    std::vector<KernelNode> wanted(const std::vector<std::string>& words,
                                   const std::vector<std::optional<std::size_t>>& instances) const;
    /// The word with its namespaces.
    std::string qualified(const std::string& word) const;
    /// The instance that the tree was asked for; null: clang could not make it.
    const KernelNode* asked(std::size_t instance) const;
    /// The threads of a block, as the first launch says them whose numbers can be told; 0: none.
    std::array<unsigned, 3> block_of(const KernelNode& kernel) const;
    /// A constant whole number; nothing: it is none, or not known.
    std::optional<long long> value(const Node& expression) const;
    /// The declaration of that id, or null.
    const Node* declaration(const std::string& id) const;

private:
    std::vector<KernelNode> named(const std::string& word,
                                  std::optional<std::size_t> instance) const;
    void find(const Node& node, const std::string& scope);
    void find_ids(const Node& node);
    void find_launches(const Node& node);
    std::string first_id(const std::string& id) const;
    std::optional<long long> value(const Node& node, unsigned depth) const;
    std::optional<long long> operation(const Node& node, unsigned depth) const;
    std::array<unsigned, 3> extents(const Node& node, unsigned depth) const;

    const ClangTree& tree_;
    std::vector<KernelNode> kernels_;
    std::vector<const Node*> asked_;  ///< their variables
    std::map<std::string, const Node*> by_id_;
    std::map<std::string, std::string> scopes_;  ///< of declarations, by ids
    std::map<std::string, long long> enumerators_;                        ///< by ids
    std::map<std::string, std::vector<std::array<unsigned, 3>>> blocks_;  ///< by ids of kernels
};

/// A source after the preprocessor, which knows what CUDA's compilers define.
/// @throws Error as expanded() does
std::string preprocessed_cuda(std::string_view file, std::string_view source,
                              std::vector<Define> defines);

/// A tree that has the instances that words of `--kernel` ask for.
struct KernelTree {
    ClangTree tree;
    /// By word: the number of its instance; nothing: it has no template arguments.
    std::vector<std::optional<std::size_t>> instances;
};

/// @throws Unsupported without clang; UsageError for a word that names no kernel
KernelTree kernel_tree(std::string_view file, std::string_view text,
                       const std::vector<Define>& defines, const std::vector<std::string>& words,
                       Dialect dialect);

/// The instances of kernels of templates that the whole source makes, by its launches too.
std::vector<std::string> instances_of(std::string_view file, std::string_view source,
                                      const std::vector<Define>& defines);

}  // namespace parallax::from_cuda
