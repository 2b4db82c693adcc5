"""What can be configured, read once: environment, `.env`, then an optional TOML file.

A setting that cannot be used stops the program with one line that names it, its value (never a secret's) and
what is accepted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from bot.errors import SettingsError

__all__ = ["Settings", "load_settings", "packaged_seeds"]

_PREFIX = "PULLQUOTE_"
_DOTENV = ".env"
_TOML = "pullquote.toml"


def packaged_seeds() -> Path:
    """Return the folder of the seed lists that ship with the distribution."""
    here = Path(__file__).parent
    installed = here / "seeds"
    return installed if installed.is_dir() else here.parent / "seeds"


class Settings(BaseSettings):
    """The configuration of one process.

    Attributes:
        data_dir: Holds everything that is kept between runs; made when first written to.
        seeds_dir: The abstract lists that are the collection.
        semantic: Whether static word embeddings are a second signal beside BM25.
        allow_private_addresses: Whether feeds may be fetched from inside the own network.
        max_question_chars: Longer questions are refused with a line that says so.
    """

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, env_file=_DOTENV, extra="ignore", env_ignore_empty=True, toml_file=_TOML, frozen=True
    )

    data_dir: Path = Field(default_factory=lambda: user_data_path("pullquote", appauthor=False))
    seeds_dir: Path = Field(default_factory=packaged_seeds)
    semantic: bool = True
    max_question_chars: int = Field(default=2_000, ge=10, le=100_000)
    allow_private_addresses: bool = False
    log_level: Literal["debug", "info", "warning", "error"] = "warning"

    @field_validator("data_dir", "seeds_dir")
    @classmethod
    def _at_home(cls, path: Path) -> Path:
        return path.expanduser()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Put arguments before the environment, that before `.env`, and that before `pullquote.toml`."""
        del file_secret_settings
        return init_settings, env_settings, dotenv_settings, TomlConfigSettingsSource(settings_cls)


def load_settings(**overrides: object) -> Settings:
    """Read the settings; *overrides* win over every source.

    Raises:
        SettingsError: If a value is not acceptable or a source cannot be read; the message is one line.
    """
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # pydantic checks the values
    except ValidationError as exc:
        fault = exc.errors()[0]
        name = f"{_PREFIX}{fault['loc'][0]}".upper()
        raise SettingsError(name, str(fault["input"]), fault["msg"]) from None
    except (OSError, ValueError) as exc:  # an unreadable or malformed .env or TOML file
        source = _DOTENV if _is_unreadable(Path(_DOTENV)) else _TOML
        raise SettingsError(source, "", " ".join(str(exc).split())) from exc


def _is_unreadable(path: Path) -> bool:
    try:
        path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    return False
