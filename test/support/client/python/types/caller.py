"""What pyright says of a caller's code. The comments say what is expected."""

from platform_api import AsyncPlatform, NotFoundError, Platform
from platform_api.types import EndedJob, PersonaInput, PlatformEvent, Project

platform = Platform()
project = platform.projects("proj_1")
persona: PersonaInput = {"prompt": "Be kind."}

reveal_type(platform.projects.create(name="a", external_id=None))  # Project
reveal_type(platform.projects.with_raw_response.get("a"))  # RawResponse[Project]
reveal_type(platform.projects.with_raw_response.list())  # RawResponse[Page[Project]]
reveal_type(project.avatars.list(limit=3).page().items)  # list[Avatar]
reveal_type([one.metadata["a"] for one in project.conversations.list(tag="a")])  # list[str]
reveal_type(project.knowledge.reindex().result)  # ReindexResult | None
reveal_type(project.jobs.wait_for_success(project.evaluation_runs.create(dry_run=True)).result)  # EvaluateResult
reveal_type(project.conversations.scores.put("a", "csat", value=3).value)  # Any
project.conversations.list(score=["csat:gte:3", "solved:eq:true"])
project.evaluators.create(name="a", kind="rule", rule={"not_": {"messages": {"gt": 3}}})
project.evaluators.create(name="a", kind="rule", rule={"messages": {"over": 3}})  # error: Argument of type
reveal_type(project.environments.config("a"))  # EnvironmentConfig
reveal_type(project.environments.config("a", if_none_match="e"))  # EnvironmentConfig | None
session = platform.open_session(project="a", environment="b", avatar="c", external_id="d")
reveal_type(session.search("a", limit=3))  # list[SearchHit]
reveal_type(session.append({"role": "user", "text": "a"}))  # Literal['stored', 'buffered']
reveal_type(session.messages[0].client_message_id)  # str | None
platform.open_session(project="a", avatar="c", external_id="d")  # error: Argument missing for parameter "environment"
project.avatars.create(name="a", persona=persona, idempotency_key="k", timeout=3, deadline=None)
project.avatars.create(name="a", persona=persona, colour="red")  # error: No parameter named "colour"
project.avatars.create(name="a", persona=persona, voice={"provider": "a", "voiceid": "b"})  # error: Argument of type
project.avatars.create("a", persona)  # error: Expected 0 positional arguments
project.avatars.list(idempotency_key="k")  # error: No parameter named "idempotency_key"
platform.projects.get(None)  # error: Argument of type "None"


def read(event: PlatformEvent, job: EndedJob, project: Project) -> None:
    if event.type == "conversation.ended":
        reveal_type(event)  # ConversationEndedEvent
    if job.status == "succeeded" and job.type == "knowledge.reindex":
        reveal_type(job.result)  # ReindexResult
    if job.status == "failed":
        reveal_type(job.error)  # Failure
    project.colour  # error: Cannot access attribute "colour"
    print(project["colour"])


async def run() -> None:
    async with AsyncPlatform() as client:
        reveal_type(await client.projects.with_raw_response.get("a"))  # RawResponse[Project]
        opened = await client.open_session(project="a", environment="b", avatar="c", external_id="d")
        reveal_type(await opened.search("a"))  # list[SearchHit]
        async for one in client.projects.list():
            reveal_type(one)  # Project
        try:
            reveal_type(await client.projects("a").avatars.list().page())  # AsyncPage[Avatar]
        except NotFoundError as error:
            reveal_type([one.path for one in error.details])  # list[str]
