from spack.package import *


class Md4c(CMakePackage):
    """A parser of Markdown, which writes HTML."""

    homepage = "https://github.com/mity/md4c"
    git = "https://github.com/mity/md4c.git"
    license("MIT")
    version("0.5.2", tag="release-0.5.2")
    depends_on("c", type="build")
