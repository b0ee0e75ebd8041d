/** The data of events is the resource, as its GET shows it. lib/webhooks/in-events.ts has the data of webhooks. */

import { ApiKey } from '../../api-keys/schema.ts';
import { WorkloadIdentity } from '../../api-keys/workload-identities/schema.ts';
import { Deployment, Environment } from '../../avatars/deployments/schema.ts';
import { Avatar } from '../../avatars/schema.ts';
import { ScoredConversation } from '../../conversations/schema/score.ts';
import { KnowledgeDocument } from '../../documents/schema/document.ts';
import { Evaluator } from '../../evaluations/schema/evaluator.ts';
import { Job } from '../../jobs/schema.ts';
import { Project } from '../../projects/schema.ts';
import { KnowledgeSource } from '../../sources/schema/source.ts';
import type { EventFamily } from '../types.ts';

export const resourceSchemas = {
  project: Project,
  api_key: ApiKey,
  workload_identity: WorkloadIdentity,
  avatar: Avatar,
  document: KnowledgeDocument,
  source: KnowledgeSource,
  job: Job,
  deployment: Deployment,
  environment: Environment,
  conversation: ScoredConversation,
  evaluator: Evaluator,
} as const satisfies Record<Exclude<EventFamily, 'webhook'>, object>;
