/** The data of events, by kind of resource: the resource, as its GET shows it. */

import { ApiKey } from '../../api-keys/schema.ts';
import { Avatar } from '../../avatars/schema.ts';
import { Conversation } from '../../conversations/schema/conversation.ts';
import { Deployment, Environment } from '../../deployments/schema.ts';
import { Job } from '../../jobs/schema.ts';
import { KnowledgeDocument } from '../../knowledge/schema/document.ts';
import { KnowledgeSource } from '../../knowledge/sources/schema/source.ts';
import { Project } from '../../projects/schema.ts';
import type { EventFamily } from '../types.ts';
import { Webhook } from '../webhooks/schema/webhook.ts';

export const eventSchemas = {
  project: Project,
  api_key: ApiKey,
  avatar: Avatar,
  document: KnowledgeDocument,
  source: KnowledgeSource,
  job: Job,
  deployment: Deployment,
  environment: Environment,
  conversation: Conversation,
  webhook: Webhook,
} as const satisfies Record<EventFamily, object>;
