from __future__ import annotations

from pathlib import Path

import pytest

from autocomp.configuration import (
    Configuration,
    configuration_from_json,
    configuration_to_json,
    load_configuration,
)
from autocomp.errors import UsageError
from autocomp.records import Distribution
from autocomp.search import SearchSettings


def write(folder: Path, text: str) -> Path:
    path = folder / "autocomp.toml"
    path.write_text(text)
    return path


def test_defaults_without_a_file(tmp_path: Path) -> None:
    config = load_configuration(start=tmp_path)
    assert config == Configuration()
    assert config.run.store == Path(".autocomp/store.sqlite")


def test_the_nearest_file_upwards_counts_and_paths_are_relative_to_it(tmp_path: Path) -> None:
    write(tmp_path, '[run]\nseed = 5\nstore = "here/store.sqlite"\n[targets.gemmini]\nmemory = "ddr3"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    config = load_configuration(start=below)
    assert config.run.seed == 5
    assert config.run.store == tmp_path / "here" / "store.sqlite"
    assert config.targets == {"gemmini": {"memory": "ddr3"}}


def test_overrides_lie_on_top(tmp_path: Path) -> None:
    path = write(tmp_path, "[search]\nbeam = 9\nplans = 9\n")
    config = load_configuration(path, overrides={"search.beam": 2, "targets.gemmini.memory": "ideal"})
    assert (config.search.beam, config.search.plans) == (2, 9)
    assert config.targets["gemmini"] == {"memory": "ideal"}
    assert config.search.model_fields_set == {"beam", "plans"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[serch]\n", "unknown key 'serch'; did you mean 'search'?"),
        ("[search]\nbeem = 3\n", "unknown key 'search.beem'; did you mean 'beam'?"),
        ("[search]\nzzz = 3\n", "unknown key 'search.zzz'; known are: beam, "),
        ("[search]\nbeam = 0\n", "search.beam = 0 is wrong: input should be greater than or equal to 1"),
        ('[search]\nbeam = "many"\n', "search.beam = 'many' is wrong: input should be a valid integer"),
        ("[search]\nmenu_dropout = 1.0\n", "search.menu_dropout = 1.0 is wrong: input should be less than 1"),
        ("[targets]\ngemmini = 3\n", "targets.gemmini = 3 is wrong"),
        ("[[evaluate.distributions]]\nkind = 'gauss'\n", "evaluate.distributions.0.kind = 'gauss' is wrong"),
        ("[[evaluate.distributions]]\nkindd = 'uniform'\n", "did you mean 'kind'?"),
        ("[run\n", "is not valid TOML"),
    ],
)
def test_bad_files_are_refused_with_file_key_value_and_remedy(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_configuration(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_other_bad_input(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        load_configuration(tmp_path / "nosuch.toml")
    with pytest.raises(UsageError, match=r"settings: search\.beam = -1 is wrong"):
        load_configuration(start=tmp_path, overrides={"search.beam": -1})
    with pytest.raises(UsageError, match="is not a section"):
        load_configuration(write(tmp_path, ""), overrides={"run.seed": 1, "run.seed.x": 1})
    (tmp_path / "autocomp.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        load_configuration(start=tmp_path)


def test_what_was_set_survives_storing(tmp_path: Path) -> None:
    config = load_configuration(start=tmp_path, overrides={"search.slack": 0.1, "run.store": str(tmp_path)})
    again = configuration_from_json(configuration_to_json(config))
    assert again == config
    assert again.search.model_fields_set == {"slack"}


def test_distributions_can_be_overridden(tmp_path: Path) -> None:
    own = (Distribution("uniform"),)
    path = write(tmp_path, "[[evaluate.distributions]]\nkind = 'uniform'\nlow = -3\n")
    assert Configuration().evaluate.override(own) == own
    assert load_configuration(path).evaluate.override(own) == (Distribution("uniform", -3.0, None),)


def test_every_parameter_has_a_sentence() -> None:
    for model in (Configuration, SearchSettings, *(field.annotation for field in Configuration.model_fields.values())):
        for name, field in getattr(model, "model_fields", {}).items():
            assert field.description, f"{model} {name}"
            assert field.description.endswith(".")


def test_an_empty_range_of_inputs_is_refused() -> None:
    with pytest.raises(UsageError, match="low = 5 is greater than high = -5"):
        load_configuration(overrides={"evaluate.distributions": [{"kind": "uniform", "low": 5, "high": -5}]})
