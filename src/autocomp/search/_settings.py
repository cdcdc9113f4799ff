"""Every parameter of the beam search, in one frozen value."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class SearchSettings(BaseModel):
    """Parameters of the beam search. What is not set is taken from what the proposer recommends."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    beam: int = Field(default=6, ge=1, le=10_000, description="How many candidates survive an iteration (B).")
    plans: int = Field(
        default=6, ge=1, le=10_000, description="How many plans are asked for per parent and iteration (N)."
    )
    implementations: int = Field(
        default=2, ge=1, le=1_000, description="How many implementations are asked for per plan (K)."
    )
    iterations: int = Field(
        default=15, ge=1, le=100_000, description="How many iterations the search runs at most (T)."
    )
    spread_plans: bool = Field(
        default=False,
        description="Share beam x plans requests over however many parents there are, so that the first "
        "iteration, which has a single parent, is as wide as the others.",
    )
    slack: float = Field(
        default=0.0, ge=0.0, le=1.0, description="By which fraction a child may be slower than its parent early on."
    )
    slack_iterations: int = Field(default=2, ge=0, description="In how many first iterations `slack` applies.")
    menu_dropout: float = Field(
        default=0.7, ge=0.0, lt=1.0, description="Probability that a menu item is left out, drawn anew for every plan."
    )
    deduplicate_plans: bool = Field(
        default=True,
        description="Implement a plan only once per parent; costs waiting for that parent's earlier plans, "
        "so that the outcome does not depend on which reply comes first.",
    )
    patience: int = Field(
        default=5, ge=0, description="Stop after this many iterations without a faster best; 0 means never."
    )
    stop_within_percent: float = Field(
        default=0.0,
        ge=0.0,
        description="Stop once the best is within this percentage of the ideal latency; 0 means never.",
    )
    max_evaluations: int | None = Field(
        default=None, ge=1, description="End the run before it evaluates more than this many different candidates."
    )
    max_minutes: float | None = Field(default=None, gt=0.0, description="End the run after this many minutes of work.")
