"""The files in deploy/: each has the form its program wants, and says what bough understands."""

import re
import shlex
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal

import click
import msgspec
import pytest
import yaml  # type: ignore[import-untyped] # read by a struct at once
from msgspec import Meta, Struct

from bough.cli.main import COMMANDS

Port = Annotated[int, Meta(ge=1, le=65535)]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
Labels = dict[str, str]


class Strict(Struct, forbid_unknown_fields=True, rename="camel", kw_only=True):
    """A document that has nothing else."""


# The Compose Specification, as far as it is used here.


class Healthcheck(Strict, rename=None):
    test: list[str]
    interval: str
    timeout: str
    retries: int


class Condition(Strict, rename=None):
    condition: Literal["service_started", "service_healthy", "service_completed_successfully"]


class Build(Strict, rename=None):
    context: str
    dockerfile: str


class ComposeService(Strict, rename=None):
    image: str
    build: Build | None = None
    restart: Literal["no", "always", "on-failure", "unless-stopped"] = "no"
    profiles: list[str] = []
    entrypoint: list[str] | None = None
    command: list[str] | None = None
    environment: dict[str, str] = {}
    ports: list[Annotated[str, Meta(pattern=r"^([\d.]+:)?\d+:\d+$")]] = []
    volumes: list[Annotated[str, Meta(pattern=r"^[a-z]+:/[\w/]+$")]] = []
    networks: list[str] = []
    tmpfs: list[str] = []
    shm_size: str | None = None
    read_only: bool = False
    cap_drop: list[str] = []
    security_opt: list[str] = []
    healthcheck: Healthcheck | None = None
    depends_on: dict[str, Condition] | list[str] = []


class Subnet(Strict, rename=None):
    subnet: str


class Ipam(Strict, rename=None):
    config: list[Subnet]


class Network(Strict, rename=None):
    ipam: Ipam


class Compose(Strict, rename=None):
    name: Name
    services: dict[Name, ComposeService]
    networks: dict[str, Network]
    volumes: dict[str, None]


# Kubernetes' own kinds, as far as they are used here.


class Metadata(Strict):
    name: Name
    namespace: Name
    labels: Labels


class PodMetadata(Strict):
    labels: Labels


class SecretKey(Strict):
    name: Name
    key: str


class ValueFrom(Strict):
    secret_key_ref: SecretKey


class EnvironmentEntry(Strict):
    name: str
    value_from: ValueFrom


class Capabilities(Strict):
    drop: list[Literal["ALL"]]


class ContainerSecurity(Strict):
    allow_privilege_escalation: Literal[False]
    read_only_root_filesystem: Literal[True]
    capabilities: Capabilities


class Mount(Strict):
    name: Name
    mount_path: str


class ContainerPort(Strict):
    name: Name
    container_port: Port


class Socket(Strict):
    port: Port | str


class Probe(Strict):
    tcp_socket: Socket
    initial_delay_seconds: int = 0


class Resources(Strict):
    requests: dict[Literal["cpu", "memory"], str]
    limits: dict[Literal["cpu", "memory"], str]


class Container(Strict):
    name: Name
    image: str
    args: list[str]
    env: list[EnvironmentEntry]
    security_context: ContainerSecurity
    volume_mounts: list[Mount]
    ports: list[ContainerPort] = []
    readiness_probe: Probe | None = None
    liveness_probe: Probe | None = None
    resources: Resources | None = None


class Seccomp(Strict):
    type: Literal["RuntimeDefault"]


class PodSecurity(Strict):
    run_as_non_root: Literal[True]
    run_as_user: Annotated[int, Meta(gt=0)]
    seccomp_profile: Seccomp


class Volume(Strict):
    name: Name
    empty_dir: dict[str, str]


class PodSpec(Strict):
    containers: Annotated[list[Container], Meta(min_length=1)]
    volumes: list[Volume]
    security_context: PodSecurity
    automount_service_account_token: Literal[False]
    restart_policy: Literal["Never", "OnFailure", "Always"] = "Always"


class Pod(Strict):
    metadata: PodMetadata
    spec: PodSpec


class JobSpec(Strict):
    template: Pod
    backoff_limit: int
    ttl_seconds_after_finished: int | None = None


class Job(Strict, tag="Job", tag_field="kind"):
    api_version: Literal["batch/v1"]
    metadata: Metadata
    spec: JobSpec


class JobTemplate(Strict):
    spec: JobSpec


class CronSpec(Strict):
    schedule: Annotated[str, Meta(pattern=r"^(\S+ ){4}\S+$")]
    concurrency_policy: Literal["Allow", "Forbid", "Replace"]
    successful_jobs_history_limit: int
    failed_jobs_history_limit: int
    job_template: JobTemplate


class CronJob(Strict, tag="CronJob", tag_field="kind"):
    api_version: Literal["batch/v1"]
    metadata: Metadata
    spec: CronSpec


class Selector(Strict):
    match_labels: Labels


class Strategy(Strict):
    type: Literal["Recreate", "RollingUpdate"]


class DeploymentSpec(Strict):
    replicas: int
    strategy: Strategy
    selector: Selector
    template: Pod


class Deployment(Strict, tag="Deployment", tag_field="kind"):
    api_version: Literal["apps/v1"]
    metadata: Metadata
    spec: DeploymentSpec


class ServicePort(Strict):
    name: Name
    port: Port
    target_port: Port | str


class ServiceSpec(Strict):
    selector: Labels
    ports: list[ServicePort]


class Service(Strict, tag="Service", tag_field="kind"):
    api_version: Literal["v1"]
    metadata: Metadata
    spec: ServiceSpec


class PortName(Strict):
    name: Name


class BackendService(Strict):
    name: Name
    port: PortName


class Backend(Strict):
    service: BackendService


class IngressPath(Strict):
    path: str
    path_type: Literal["Prefix", "Exact", "ImplementationSpecific"]
    backend: Backend


class IngressHttp(Strict):
    paths: list[IngressPath]


class IngressRule(Strict):
    host: str
    http: IngressHttp


class IngressTls(Strict):
    hosts: list[str]
    secret_name: Name


class IngressSpec(Strict):
    tls: list[IngressTls]
    rules: list[IngressRule]


class Ingress(Strict, tag="Ingress", tag_field="kind"):
    api_version: Literal["networking.k8s.io/v1"]
    metadata: Metadata
    spec: IngressSpec


Kind = Job | CronJob | Deployment | Service | Ingress


@pytest.fixture(scope="module")
def deploy(root: Path) -> Path:
    return root / "deploy"


@pytest.fixture(scope="module")
def compose(deploy: Path) -> Compose:
    return msgspec.convert(yaml.safe_load((deploy / "compose.yaml").read_bytes()), Compose)


@pytest.fixture(scope="module")
def kinds(deploy: Path) -> list[Kind]:
    documents = yaml.safe_load_all((deploy / "kubernetes.yaml").read_bytes())
    return [msgspec.convert(one, Kind) for one in documents]


def check_words(words: list[str]) -> None:
    """Check that bough has the command, and each option, of a command line."""
    table = {name: place for section in COMMANDS.values() for name, (place, _) in section.items()}
    rest = list(words)
    name = rest.pop(0)
    command: click.Command = getattr(import_module(table[name]), name)
    context = click.Context(command)
    while isinstance(command, click.Group):
        found = command.get_command(context, rest.pop(0))
        assert found is not None, words
        command = found
    options = {option for one in command.get_params(context) for option in one.opts}
    for word in rest:
        if word.startswith("--"):
            assert word.partition("=")[0] in options, words


def test_services_of_compose_name_what_is_there(compose: Compose, deploy: Path) -> None:
    for name, one in compose.services.items():
        assert set(one.networks) <= set(compose.networks), name
        assert set(one.depends_on) <= set(compose.services), name
        for volume in one.volumes:
            assert volume.partition(":")[0] in compose.volumes
        if one.build is not None:
            assert (deploy / one.build.context / one.build.dockerfile).is_file()
    waited = [one.depends_on for one in compose.services.values()]
    for depends in waited:
        for name in depends if isinstance(depends, dict) else ():
            assert compose.services[name].healthcheck is not None


def test_what_compose_is_given_stands_in_the_example(compose: Compose, deploy: Path) -> None:
    text = (deploy / "compose.yaml").read_text("utf-8")
    asked = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", text))
    lines = (deploy / "example.env").read_text("utf-8").splitlines()
    offered = {line.partition("=")[0]: line.partition("=")[2] for line in lines if "=" in line}

    assert asked == set(offered)
    assert not any(
        value for name, value in offered.items() if "PASSWORD" in name or "TOKEN" in name
    )


def test_the_database_of_compose_is_open_to_this_machine_alone(compose: Compose) -> None:
    assert all(port.startswith("127.0.0.1:") for port in compose.services["db"].ports)
    trusted = [word for word in compose.services["web"].command or [] if "trusted" in word]
    (subnet,) = compose.networks["inside"].ipam.config
    assert trusted == [f"--trusted-proxy={subnet.subnet}"]


def test_containers_run_commands_that_bough_has(compose: Compose, kinds: list[Kind]) -> None:
    check_words(compose.services["web"].command or [])
    pods = [_pod_of(one) for one in kinds]
    ran = [container.args for pod in pods if pod for container in pod.spec.containers]
    assert len(ran) == 3
    for words in ran:
        check_words(words)
    said = " ".join(compose.services["check"].entrypoint or [])
    found = re.search(r"do bough (.*?);", said)
    assert found is not None
    check_words(shlex.split(found[1]))


def _pod_of(kind: Kind) -> Pod | None:
    match kind:
        case Job() | Deployment():
            return kind.spec.template
        case CronJob():
            return kind.spec.job_template.spec.template
        case _:
            return None


def test_parts_of_kubernetes_find_each_other(kinds: list[Kind]) -> None:
    pods = [pod for one in kinds if (pod := _pod_of(one))]
    for pod in pods:
        names = {volume.name for volume in pod.spec.volumes}
        for container in pod.spec.containers:
            assert {mount.name for mount in container.volume_mounts} <= names
    (service,) = [one for one in kinds if isinstance(one, Service)]
    (deployment,) = [one for one in kinds if isinstance(one, Deployment)]
    (ingress,) = [one for one in kinds if isinstance(one, Ingress)]
    (container,) = deployment.spec.template.spec.containers
    ports = {port.name for port in container.ports}
    labels = deployment.spec.template.metadata.labels
    assert deployment.spec.selector.match_labels.items() <= labels.items()
    assert service.spec.selector.items() <= labels.items()
    assert {port.target_port for port in service.spec.ports} <= ports
    for probe in (container.readiness_probe, container.liveness_probe):
        assert probe is not None
        assert probe.tcp_socket.port in ports
    (rule,) = ingress.spec.rules
    (path,) = rule.http.paths
    assert path.backend.service.name == service.metadata.name
    assert path.backend.service.port.name in {port.name for port in service.spec.ports}
    assert [rule.host] == ingress.spec.tls[0].hosts


def test_no_password_stands_in_a_file(deploy: Path) -> None:
    for file in deploy.iterdir():
        text = file.read_text("utf-8")
        assert not re.search(r"postgresql://[^@/\s]+:[^@\s]+@", text), file


@pytest.mark.parametrize("unit", ["bough-web", "bough-team-check", "bough-push"])
def test_units_run_commands_that_bough_has(deploy: Path, unit: str) -> None:
    text = (deploy / f"{unit}.service").read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=/usr/bin/env bough (.*)$", text, re.MULTILINE)

    check_words(shlex.split(line))


def test_systemd_takes_the_units(deploy: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    units = sorted(str(one) for one in deploy.iterdir() if one.suffix in (".service", ".timer"))
    done = subprocess.run(
        [program, "verify", *units], capture_output=True, text=True, timeout=60, check=False
    )

    said = done.stdout + done.stderr
    assert (done.returncode, said) == (0, "")
    assert len(units) == 4


def test_a_field_that_is_misspelt_is_found(deploy: Path) -> None:
    document = yaml.safe_load((deploy / "compose.yaml").read_bytes())
    document["services"]["web"]["read_onyl"] = True

    with pytest.raises(msgspec.ValidationError, match="read_onyl"):
        msgspec.convert(document, Compose)
