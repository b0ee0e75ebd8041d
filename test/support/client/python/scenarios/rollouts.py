"""Sessions of runtimes while a part of the users gets another deployment."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from unittest import mock

from deployed import PROMPTS, Deployed, close, turn, turns
from scenario import Context, equal, ok, rejection, scenario

from .session_files import empty_folder

ID = "rol_01ARZ3NDEKTSV4RRFFQ69G5FAV"

# With these hashes (test/support/rollout-assignments.json), the first has the candidate from 1.57 percent on, the other from 82.92.
EARLY = "user-1"
LATE = "мария"
HASHES = {EARLY: "04040b3fc725cf99", LATE: "d44410855dcef7b0"}


def assignment(user: str, variant: str, span: int = 1) -> str:
    return f"{ID}.{span}.{variant}.{HASHES[user]}"


class RolledOut(Deployed):
    """A half of the users gets another prompt, and does not find the document."""

    def __init__(self, context: Context, *, is_indexed: bool = False) -> None:
        super().__init__(context, is_indexed=is_indexed)
        self.candidate = self.change(promote=False)
        self.serve(50, 1)

    def serve(self, percent: float, span: int) -> None:
        served = {"id": ID, "percent": percent, "span": span, "deploymentId": self.candidate}
        self.context.control("rollOut", project=self.id, environment="live", **served)

    def end_rollout(self) -> None:
        self.context.control("endRollout", project=self.id, environment="live")

    def lose_rollout(self) -> None:
        self.context.control("loseRollout", project=self.id, id=ID)

    def conversation(self, session: Any) -> list[Any]:
        found = self.project.conversations.get(session.conversation_id)
        return [found.deployment_id, found.assignment]


@scenario("while a rollout runs, each user has a variant, without a request for each")
def variants(context: Context) -> None:
    deployed = RolledOut(context, is_indexed=True)
    process = deployed.start()
    first = process.open("call-1", external_user_id=EARLY)
    equal(process.requested(), ["GET config", "GET config", "PUT conversation"])
    equal([first.deployment_id, first.prompt], [deployed.candidate, PROMPTS[1]])
    equal(first.search("How do I send something back?"), [])
    equal(deployed.conversation(first), [deployed.candidate, assignment(EARLY, "candidate")])
    process.requested()
    second = process.open("call-2", external_user_id=LATE)
    equal(process.requested(), ["PUT conversation"])
    equal([second.deployment_id, second.prompt], [deployed.deployment_id, PROMPTS[0]])
    hits = second.search("How do I send something back?")
    equal([one.document_id for one in hits], [deployed.returns])
    equal(deployed.conversation(second), [deployed.deployment_id, assignment(LATE, "current")])
    third = process.open("call-3", external_user_id=LATE, unit=EARLY)
    equal(deployed.conversation(third), [deployed.candidate, assignment(EARLY, "candidate")])
    nobody = process.open("call-4", external_user_id=None)
    equal(deployed.conversation(nobody), [deployed.deployment_id, None])
    for unit in ("", "a" * 256):
        error = rejection(lambda unit=unit: process.open("call-5", unit=unit))
        ok(isinstance(error, ValueError), f"a unit of {len(unit)}")
    process.open("call-5", unit="😀" * 255)

    # A conversation that continues keeps its deployment.
    deployed.end_rollout()
    other = deployed.start()
    equal(other.open("call-6", external_user_id=EARLY).deployment_id, deployed.deployment_id)
    equal(other.open("call-1", external_user_id=EARLY).deployment_id, deployed.candidate)
    equal(other.open("call-2", external_user_id=LATE).deployment_id, deployed.deployment_id)


@scenario("a change of a rollout is noticed, and its candidate is asked for once")
def noticed(context: Context) -> None:
    deployed = RolledOut(context)
    process = deployed.start()
    session = process.open("call-1", external_user_id=LATE)
    equal(deployed.conversation(session), [deployed.deployment_id, assignment(LATE, "current")])
    equal(process.requested().count("GET config"), 2)
    deployed.serve(90, 2)
    variant = "_async" if context.run else "_sync"
    module: Any = import_module(f"platform_api.{variant}.configuration")
    with mock.patch.object(module, "_LEAST_INTERVAL", 0.0):
        other = process.open("call-2", external_user_id=LATE)
        equal(process.requested(), ["GET config", "PUT conversation"])
        equal(deployed.conversation(other), [deployed.candidate, assignment(LATE, "candidate", 2)])
        process.open("call-3", external_user_id=EARLY)
        equal(process.requested(), ["GET config", "PUT conversation"])


@scenario("a rollout and its candidate are known while the service is away")
def away(context: Context) -> None:
    deployed = RolledOut(context)
    with empty_folder() as folder:
        close(deployed.start().open("call-1", external_user_id=LATE, folder=folder))
        deployed.is_cut = True
        session = deployed.start().open("call-2", external_user_id=EARLY, folder=folder, patience=0.2)
        equal([session.deployment_id, session.prompt], [deployed.candidate, PROMPTS[1]])
        equal(turn(session, 1), "buffered")
        close(session)
        # The conversation began with the candidate, although the service did not know it.
        deployed.is_cut = False
        deployed.end_rollout()
        resumed = deployed.start().open("call-2", external_user_id=EARLY, folder=folder)
        resumed.flush()
        equal(deployed.conversation(resumed), [deployed.candidate, assignment(EARLY, "candidate")])
        equal(deployed.transcript(resumed), turns(1))
        close(resumed)


@scenario("a conversation begins without its assignment if the service does not have the rollout any more")
def lost(context: Context) -> None:
    deployed = RolledOut(context)
    deployed.lose_rollout()
    warnings: list[str] = []
    session = deployed.start().open("call-1", external_user_id=EARLY, on_warning=warnings.append)
    turn(session, 1)
    equal(deployed.conversation(session), [deployed.candidate, None])
    equal(deployed.transcript(session), turns(1))
    equal(len(warnings), 1)
    ok("without its assignment" in warnings[0], warnings[0])
