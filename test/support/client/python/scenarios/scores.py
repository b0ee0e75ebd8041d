"""Scores of conversations: their filters, their values, and runs of evaluators."""

from __future__ import annotations

from typing import Any

from scenario import Context, equal, ok, scenario

AVATAR = "avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E"


def converse(project: Any, count: int) -> list[str]:
    """Returns the ids of conversations with a message, oldest first."""
    ids: list[str] = []
    for _ in range(count):
        conversation = project.conversations.create(avatar_id=AVATAR)
        project.conversations.append(conversation.id, messages=[{"role": "user", "text": "hello"}])
        ids.append(conversation.id)
    return ids


@scenario("a list takes several filters by scores on every page, and all must hold")
def filters(context: Context) -> None:
    _, project = context.new_project()
    conversations = project.conversations
    project.evaluators.create(name="csat", kind="external", output={"type": "number", "min": 1, "max": 5})
    project.evaluators.create(name="solved", kind="external", output={"type": "boolean"})
    ids = converse(project, 4)
    for at, one in enumerate(ids):
        conversations.scores.put(one, "csat", value=at + 1)
        if at != 2:
            conversations.scores.put(one, "solved", value=True)
    found = list(conversations.list(score=["csat:gte:2", "solved:eq:true"], limit=1))
    equal([one.id for one in found], [ids[3], ids[1]])
    equal(
        [[score.name, score.value, score.source] for score in found[0].scores],
        [["csat", 4, "api"], ["solved", True, "api"]],
    )
    equal(len(list(conversations.list(score=["csat:gte:2"]))), 3)


@scenario("a score that is put twice is stored once, with any value, and with faults")
def twice(context: Context) -> None:
    _, project = context.new_project()
    scores = project.conversations.scores
    schema = {
        "type": "object",
        "properties": {"lateReason": {"type": "string", "max_length": 20}, "days_late": {"type": "integer"}},
        "required": ["lateReason"],
    }
    facts = project.evaluators.create(name="facts", kind="external", output={"type": "object", "schema": schema})
    # The names of a map are the caller's, and those in its values are the API's.
    equal(facts.output.schema["properties"]["lateReason"].max_length, 20)
    project.evaluators.create(name="solved", kind="external", output={"type": "boolean"})
    [conversation_id] = converse(project, 1)
    context.control("faults", rate=0.4, seed=5)
    value = {"lateReason": "strike", "days_late": 2}
    for _ in range(2):
        score = scores.put(conversation_id, "facts", value=value, evidence=[1], source="human")
        equal([score.value.to_dict(), score.evidence, score.source], [value, [1], "human"])
        equal(scores.put(conversation_id, "solved", value=False).value, False)
    stored = list(scores.list(conversation_id, limit=1))
    context.control("faults")
    equal([[one.name, one.effective] for one in stored], [["solved", True], ["facts", True]])
    equal([stored[0].value, stored[1].value.to_dict()], [False, value])


@scenario("the job of an evaluation run has a typed result, and a dry run stores nothing")
def runs(context: Context) -> None:
    project_id, project = context.new_project()
    rule = {"all": [{"messages": {"lte": 4}}, {"not_": {"duration_seconds": {"gt": 3600}}}]}
    project.evaluators.create(name="short", kind="rule", rule=rule)
    [conversation_id] = converse(project, 1)

    def scores() -> list[Any]:
        return [one.value for one in project.conversations.get(conversation_id).scores]

    def finished(**request: Any) -> Any:
        job = project.evaluation_runs.create(**request)
        context.control("evaluate", project=project_id, job=job.id)
        return project.jobs.wait_for_success(job).result

    equal(finished(filter={"channel": "phone"}, dry_run=True).conversations, 0)

    result = finished(evaluators=["short"], dry_run=True)
    equal([result.conversations, result.evaluated, result.cost_usd, result.stopped_because], [1, 1, 0, None])
    equal(scores(), [])

    shown = finished(evaluators=["short"], preview=True).preview
    ok(shown, "there is a preview")
    equal([[one.conversation_id, [score.value for score in one.scores]] for one in shown], [[conversation_id, [True]]])
    equal(scores(), [])

    equal(finished(filter={"scores": ["short:exists"]}).conversations, 0)
    equal(finished().evaluated, 1)
    equal(scores(), [True])
