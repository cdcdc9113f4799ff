from autocomp import problems
from autocomp.problems import cache, native


def test_public_names() -> None:
    assert problems.__all__ == ["Packaged", "draw", "lint", "load", "packaged", "scaffold"]
    assert native.__all__ == ["run"]
    assert cache.__all__ == ["cache_folder", "keep"]
