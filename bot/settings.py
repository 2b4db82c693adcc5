"""What can be configured, read once: environment, `.env`, then an optional TOML file.

A setting that cannot be used stops the program with one line that names it, its value (never a secret's) and
what is accepted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from platformdirs import user_data_path
from pydantic import (
    AliasChoices,
    AnyHttpUrl,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from bot.errors import SettingsError

__all__ = ["Settings", "load_settings", "packaged_seeds"]

_PREFIX = "PULLQUOTE_"
_SECRETS = ("slack_bot_token", "slack_app_token", "slack_signing_secret", "slack_client_secret")
_SLACK_NAMES = (*_SECRETS, *(f"{name}_file" for name in _SECRETS), "slack_client_id", "slack_api_url")
_TOKEN_KINDS = {"slack_bot_token": ("xoxb-", "xoxe."), "slack_app_token": ("xapp-",)}
_DOTENV = ".env"
_TOML = "pullquote.toml"


def packaged_seeds() -> Path:
    """Return the folder of the seed lists that ship with the distribution."""
    here = Path(__file__).parent
    installed = here / "seeds"
    return installed if installed.is_dir() else here.parent / "seeds"


def _slack(name: str) -> Any:
    """Return the field of a setting that goes by Slack's own name, the one that everybody uses."""
    return Field(default=None, validation_alias=AliasChoices(f"SLACK_{name}", f"slack_{name.lower()}"))


def _secret_in(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as exc:
        raise SettingsError(name, str(path), f"cannot be read: {getattr(exc, 'strerror', None) or exc}") from exc


class Settings(BaseSettings):
    """The configuration of one process.

    Attributes:
        data_dir: Holds everything that is kept between runs; made when first written to.
        seeds_dir: The abstract lists that are the collection.
        semantic: Whether static word embeddings are a second signal beside BM25.
        allow_private_addresses: Whether feeds may be fetched from inside the own network.
        feed_poll_s: Seconds between two polls of the feeds while `run` runs; 0 for never.
        max_question_chars: Longer questions are refused with a line that says so.
        health_port: Where `run` answers /healthz, with `health_host`; nowhere when not set.
        slack_bot_token: What the app may do in the workspace; begins with xoxb-.
        slack_app_token: Opens sockets; begins with xapp-. Not needed over HTTP.
        slack_signing_secret: Tells Slack's requests from others'. Needed over HTTP only.
        slack_client_id: With `slack_client_secret`, lets any workspace install the app; then no bot token is needed.
        slack_api_url: Base address of the Web API; another one than Slack's for a local workspace.
        slack_transport: How Slack reaches the program: "socket", or signed "http".
        slack_http_host: Where to listen for signed HTTP, with `slack_http_port`.
        slack_workers: How many questions are worked on at a time.
        slack_pace_s: Seconds between two posts in one channel; Slack takes about one a second.
        slack_look_again_s: Seconds between two looks for a post of which it is not known whether it arrived.
        slack_max_age_s: After a stop, questions older than this many seconds are said to be dropped.
    """

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, env_file=_DOTENV, extra="ignore", env_ignore_empty=True, toml_file=_TOML, frozen=True
    )

    data_dir: Path = Field(default_factory=lambda: user_data_path("pullquote", appauthor=False))
    seeds_dir: Path = Field(default_factory=packaged_seeds)
    semantic: bool = True
    max_question_chars: int = Field(default=2_000, ge=10, le=100_000)
    allow_private_addresses: bool = False
    feed_poll_s: float = Field(default=3_600, ge=0)
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    log_format: Literal["text", "json"] = "text"
    health_host: str = "127.0.0.1"
    health_port: int | None = Field(default=None, ge=0, le=65535)
    slack_bot_token: SecretStr | None = _slack("BOT_TOKEN")
    slack_app_token: SecretStr | None = _slack("APP_TOKEN")
    slack_signing_secret: SecretStr | None = _slack("SIGNING_SECRET")
    slack_client_id: str | None = _slack("CLIENT_ID")
    slack_client_secret: SecretStr | None = _slack("CLIENT_SECRET")
    slack_bot_token_file: Path | None = _slack("BOT_TOKEN_FILE")
    slack_app_token_file: Path | None = _slack("APP_TOKEN_FILE")
    slack_signing_secret_file: Path | None = _slack("SIGNING_SECRET_FILE")
    slack_client_secret_file: Path | None = _slack("CLIENT_SECRET_FILE")
    slack_api_url: AnyHttpUrl = Field(
        default=AnyHttpUrl("https://slack.com/api/"), validation_alias=AliasChoices("SLACK_API_URL", "slack_api_url")
    )
    slack_proxy: str | None = None
    slack_transport: Literal["socket", "http"] = "socket"
    slack_http_host: str = "127.0.0.1"
    slack_http_port: int = Field(default=3000, ge=0, le=65535)
    slack_workers: int = Field(default=4, ge=1, le=64)
    slack_max_age_s: float = Field(default=600, ge=1)
    slack_pace_s: float = Field(default=1.05, ge=0)
    slack_look_again_s: float = Field(default=30.0, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _read_secret_files(cls, values: object) -> object:
        """Take each secret from the file that its *_FILE twin names, unless it is given itself."""
        if not isinstance(values, dict):
            return values
        given = {key.lower(): key for key in values}
        for name in _SECRETS:
            file = values.get(given.get(f"{name}_file", ""))
            if file and name not in given:
                values[name] = _secret_in(Path(str(file)), f"{name}_file".upper())
        return values

    @field_validator("slack_bot_token", "slack_app_token")
    @classmethod
    def _right_kind_of_token(cls, token: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        """Tell the two tokens apart: swapped, they fail at Slack with an error that does not say so."""
        kinds = _TOKEN_KINDS[str(info.field_name)]
        if token is not None and not token.get_secret_value().startswith(kinds):
            raise ValueError(f"begins with {kinds[0]}, and this one does not; are the two tokens swapped?")
        return token

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
        raised = fault.get("ctx", {}).get("error")
        if isinstance(raised, SettingsError):
            raise raised from None
        name = str(fault["loc"][0]).lower()
        # Tokens have names of Slack's own, and are never shown.
        known = f"{'' if name in _SLACK_NAMES else _PREFIX}{name}".upper()
        value = "" if name in _SECRETS else str(fault["input"])
        raise SettingsError(known, value, fault["msg"].removeprefix("Value error, ")) from None
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
