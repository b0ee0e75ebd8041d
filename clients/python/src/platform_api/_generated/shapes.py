# Written by `npm run generate`.

"""The names of the wire of nested request fields, by those of Python."""

from __future__ import annotations

from .._core.request import Shape

VoiceInput: Shape = {"voice_id": "voiceId"}
AvatarModelInput: Shape = {"model_id": "modelId", "max_tokens": "maxTokens"}
CitationInput: Shape = {"document_id": "documentId", "piece_id": "pieceId"}
ImportedMessage: Shape = {"client_message_id": "clientMessageId", "citations": ("citations", CitationInput)}
ImportedConversation: Shape = {"avatar_id": "avatarId", "external_user_id": "externalUserId", "deployment_id": "deploymentId", "started_at": "startedAt", "ended_at": "endedAt", "end_reason": "endReason", "external_id": "externalId", "messages": ("messages", ImportedMessage)}
MessageInput: Shape = {"client_message_id": "clientMessageId", "citations": ("citations", CitationInput)}
DeploymentSource: Shape = {"deployment_id": "deploymentId"}
EvaluationFilter: Shape = {"avatar_id": "avatarId", "external_user_id": "externalUserId", "deployment_id": "deploymentId", "started_from": "startedFrom", "started_before": "startedBefore"}
ScoreSchema: dict[str, str | tuple[str, Shape]] = {}
ScoreSchema.update({"properties": ("properties", {"*": ("*", ScoreSchema)}), "items": ("items", ScoreSchema), "max_length": "maxLength", "max_items": "maxItems"})
ObjectOutput: Shape = {"schema": ("schema", ScoreSchema)}
EvaluatorRule: dict[str, str | tuple[str, Shape]] = {}
EvaluatorRule.update({"all": ("all", EvaluatorRule), "any": ("any", EvaluatorRule), "not_": ("not", EvaluatorRule), "not": ("not", EvaluatorRule), "duration_seconds": "durationSeconds", "first_answer_seconds": "firstAnswerSeconds", "longest_gap_seconds": "longestGapSeconds", "unanswered_question": "unansweredQuestion", "repeated_answer": "repeatedAnswer"})
EvaluatorModelInput: Shape = {"model_id": "modelId"}
EvaluatorDraft: Shape = {"output": ("output", ObjectOutput), "rule": ("rule", EvaluatorRule), "model": ("model", EvaluatorModelInput)}
EvaluatorScope: Shape = {"avatar_id": "avatarId", "deployment_id": "deploymentId"}
ConversationExportFilters: Shape = {"avatar_id": "avatarId", "external_user_id": "externalUserId", "deployment_id": "deploymentId", "started_from": "startedFrom", "started_before": "startedBefore"}
DocumentExportFilters: Shape = {"updated_from": "updatedFrom"}
AuditExportFilters: Shape = {"resource_id": "resourceId", "from_": "from"}
ExpectedDocument: Shape = {"document_id": "documentId", "external_id": "externalId"}
EvaluationQuestion: Shape = {"expect": ("expect", ExpectedDocument)}
KnowledgeDocumentInput: Shape = {"external_id": "externalId", "mime_type": "mimeType"}
ProjectSettingsChange: Shape = {"conversation_timeout_minutes": "conversationTimeoutMinutes", "retention_days": "retentionDays", "search_fields": "searchFields", "max_conversation_cost_usd": "maxConversationCostUsd"}
ReplyInput: Shape = {"client_message_id": "clientMessageId"}
ReplyTarget: Shape = {"deployment_id": "deploymentId"}
RolloutStep: Shape = {"hold_minutes": "holdMinutes"}
RolloutGuardInput: Shape = {"max_harm": "maxHarm", "max_unknown": "maxUnknown"}
