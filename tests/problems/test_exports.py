from autocomp import problems


def test_public_names() -> None:
    assert problems.__all__ == ["Packaged", "draw", "lint", "load", "packaged", "scaffold"]
