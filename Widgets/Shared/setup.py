"""Installs todaykit.py as a package with the mark that it has types (PEP 561), which a single module cannot have."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class Build(build_py):
    def run(self):
        package = Path(self.build_lib, "todaykit")
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text(Path("todaykit.py").read_text(encoding="utf-8"), encoding="utf-8")
        (package / "py.typed").touch()


setup(cmdclass={"build_py": Build})
