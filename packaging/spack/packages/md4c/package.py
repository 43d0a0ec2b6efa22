from spack.package import *

try:  # since Spack 1.0
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass  # before it came with spack.package


class Md4c(CMakePackage):
    """A parser of Markdown, which writes HTML."""

    homepage = "https://github.com/mity/md4c"
    git = "https://github.com/mity/md4c.git"
    license("MIT")
    version("0.5.2", tag="release-0.5.2")
    depends_on("c", type="build")
