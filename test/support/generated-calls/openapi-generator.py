import datetime
import os

import openapi_client as platform
from openapi_client import models

configuration = platform.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
client = platform.ApiClient(configuration)
projects = platform.ProjectsApi(client)
conversations = platform.ConversationsApi(client)

sent = models.ProjectCreateRequest(name="nightly")
project = projects.projects_create(sent, idempotency_key="openapi-generator-python").data
again = projects.projects_create(sent, idempotency_key="openapi-generator-python").data
assert again.id == project.id and again.status == models.ProjectStatus.ProjectStatusActive
listed = projects.projects_list(limit=1).data
try:
    projects.projects_get("proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E")
    raise AssertionError("found")
except platform.exceptions.NotFoundException as error:
    refused = error.data

knowledge = platform.KnowledgeApi(client)
knowledge.knowledge_documents_create(project.id, models.KnowledgeDocumentCreateRequest(title="Returns", content="Within 30 days."))
documents = knowledge.knowledge_documents_list(project.id, updated_from=project.created_at).data

avatar_body = models.AvatarCreateRequest(name="Ada", persona=models.PersonaInput(prompt="Be kind."))
avatar = platform.AvatarsApi(client).avatars_create(project.id, avatar_body).data
hour_ago = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
started = models.ConversationCreateRequest(avatarId=avatar.id, startedAt=hour_ago)
conversation = conversations.conversations_create(project.id, started).data
message = models.MessageInput(role=models.MessageRole.MessageRoleUser, text="Thanks!")
conversations.conversations_append(project.id, conversation.id, models.ConversationAppendRequest(messages=[message]))
for name, output, value in [
    ("solved", models.BooleanOutput(type="boolean"), True),
    ("stars", models.NumberOutput(type="number", min=1, max=5), 4.5),
    ("mood", models.CategoryOutput(type="category", values=["good", "bad"]), "good"),
    ("summary", models.TextOutput(type="text"), "The user thanks."),
]:
    body = models.EvaluatorCreateRequest(name=name, kind=models.EvaluatorKind.EvaluatorKindExternal, output=models.ScoreOutput(output))
    platform.EvaluatorsApi(client).evaluators_create(project.id, body)
    conversations.conversations_scores_put(project.id, conversation.id, name, models.ConversationScorePutRequest(value=value))
scored = conversations.conversations_get(project.id, conversation.id).data.scores
values = {score.name: score.value.actual_instance if score.value else None for score in scored}
print(
    f"{project.name}, {len(listed.items)} project, {refused.error.code}, {len(documents.items)} document, "
    f"{str(values['solved']).lower()}, {values['stars']}, {values['mood']}, {str(values['summary'] is None).lower()}"
)
