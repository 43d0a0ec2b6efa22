# Spack's recipe: `spack repo add packaging/spack`, then `spack dev-build parallax-gpu@main` in a checkout.
from spack.package import *

try:  # since Spack 1.0
    from spack_repo.builtin.build_systems.meson import MesonPackage
except ImportError:
    pass  # before it came with spack.package


class ParallaxGpu(MesonPackage):
    """One GPU kernel, seen from OpenCL and from CUDA on the same device."""

    license("MIT")
    version("main", branch="main")

    variant("cuda", default=True, description="The CUDA side")
    variant("clang", default=False, description="The program that reads CUDA C++, for `port mine.cu`")

    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.8:", type="build")
    depends_on("boost@1.74: +context +program_options +wave +thread +filesystem")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("tomlplusplus@3:")
    depends_on("yaml-cpp@0.7:")
    depends_on("muparser")
    depends_on("xxhash")
    depends_on("zstd")
    depends_on("md4c")
    depends_on("dtl")
    depends_on("opencl-clhpp")
    depends_on("opencl-icd-loader")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("llvm@14: +clang", type="run", when="+clang")

    def meson_args(self):
        arguments = ["-Dtests=disabled"]
        if self.spec.satisfies("+cuda"):
            return arguments + ["-Dcuda=enabled", f"-Dtoolkit_root={self.spec['cuda'].prefix}"]
        return arguments + ["-Dcuda=disabled"]
