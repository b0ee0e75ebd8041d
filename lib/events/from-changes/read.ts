/** Reads the resources of events, and shows each as its GET does. */

import { showApiKey } from '../../api-keys/key.ts';
import { ApiKey } from '../../api-keys/schema.ts';
import { apiKeys } from '../../api-keys/store.ts';
import { showIdentity } from '../../api-keys/workload-identities/identity.ts';
import { WorkloadIdentity } from '../../api-keys/workload-identities/schema.ts';
import { identities } from '../../api-keys/workload-identities/store.ts';
import { Deployment, Environment } from '../../avatars/deployments/schema.ts';
import { deployments } from '../../avatars/deployments/store/deployments.ts';
import { environments, showEnvironment } from '../../avatars/deployments/store/environments.ts';
import { Avatar } from '../../avatars/schema.ts';
import { getAvatars } from '../../avatars/store.ts';
import { ScoredConversation } from '../../conversations/schema/score.ts';
import { getManyUnerased } from '../../conversations/store/conversations.ts';
import { getSummaries, withScores } from '../../conversations/store/scores.ts';
import { conversationAt, retentionCutoffMs, showConversation } from '../../conversations/store/state.ts';
import { KnowledgeDocument } from '../../documents/schema/document.ts';
import { documents } from '../../documents/store/documents.ts';
import { shownDocument } from '../../documents/store/search-fields.ts';
import { Evaluator } from '../../evaluations/schema/evaluator.ts';
import { evaluators } from '../../evaluations/store/evaluators.ts';
import { jobAt } from '../../jobs/job.ts';
import { Job } from '../../jobs/schema.ts';
import { jobs } from '../../jobs/store.ts';
import { purges } from '../../projects/purges/store.ts';
import { Project } from '../../projects/schema.ts';
import { deletedProjects, projects, type StoredProject, searchFieldsOf } from '../../projects/store.ts';
import { RolloutSummary } from '../../rollouts/schema.ts';
import { showRollout } from '../../rollouts/show.ts';
import { rollouts } from '../../rollouts/store.ts';
import { KnowledgeSource, showSource } from '../../sources/schema/source.ts';
import { sources } from '../../sources/store/sources.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { type EventFamily, familyOf } from '../types.ts';
import type { Draft } from './store/changes.ts';

/** The schemas of the resources. lib/webhooks/in-events.ts has that of webhooks. */
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
  rollout: RolloutSummary,
  conversation: ScoredConversation,
  evaluator: Evaluator,
} as const satisfies Record<Exclude<EventFamily, 'webhook'>, object>;

/** A resource as its GET shows it. `ttl` is the time of its expiry, in epoch seconds. */
export type Shown = { data: Record<string, unknown>; ttl: number | undefined };

/** The input of the readers besides the ids. */
type Context = {
  store: WorkerInput['store'];
  project: StoredProject | undefined;
  organisation: WorkerInput['organisation'];
  nowMs: number;
};
type ShownItem = { id: string; shown: unknown; ttl?: number | undefined };

const below = ({ store, project }: Context) => store.inProject(project?.id ?? '');

/** A reader returns the resources that exist, in any order. */
type Reader = (ids: readonly string[], at: Context) => Promise<ShownItem[]>;

/** The part of lib/webhooks. It is above this folder, so the worker passes it. */
export type WebhooksInEvents = {
  schema: { parse(shown: unknown): Record<string, unknown> };
  read: Reader;
};

const readers: Readonly<Record<Exclude<EventFamily, 'webhook'>, Reader>> = {
  project: async (ids, { project }) =>
    project && ids.includes(project.id) ? [{ id: project.id, shown: project }] : [],
  api_key: async (ids, { store, nowMs }) =>
    (await apiKeys.at(store).getMany(ids)).map((key) => ({ id: key.id, shown: showApiKey(key, nowMs) })),
  workload_identity: async (ids, { store, nowMs }) =>
    (await identities.at(store).getMany(ids)).map((identity) => ({
      id: identity.id,
      shown: showIdentity(identity, nowMs),
    })),
  avatar: async (ids, at) => shownAsStored(await getAvatars(below(at), ids)),
  document: async (ids, at) => {
    const searchFields = searchFieldsOf(at.project);
    const items = await documents.at(below(at)).getMany(ids);
    return shownAsStored(items.map((document) => shownDocument(document, searchFields)));
  },
  source: async (ids, at) => shownAsStored((await sources.at(below(at)).getMany(ids)).map(showSource)),
  job: async (ids, at) =>
    shownAsStored(
      (await jobs.at(below(at)).getMany(ids)).map((job) => ({
        ...jobAt(job, at.nowMs, at.organisation),
        ttl: undefined,
      })),
    ),
  deployment: async (ids, at) => shownAsStored(await deployments.at(below(at)).getMany(ids)),
  environment: async (ids, at) =>
    (await environments.at(below(at)).getMany(ids)).map((environment) => ({
      id: environment.id,
      shown: showEnvironment(environment),
    })),
  rollout: async (ids, at) =>
    shownAsStored(
      (await rollouts.at(below(at)).getMany(ids)).map((item) => showRollout(item, at.organisation)),
    ),
  async conversation(ids, at) {
    const cutoffMs = (at.project && retentionCutoffMs(at.project, at.nowMs)) ?? 0;
    const [conversations, summaries] = await Promise.all([
      getManyUnerased(below(at), ids),
      getSummaries(below(at), ids),
    ]);
    return conversations
      .filter(({ startedAt }) => Date.parse(startedAt) > cutoffMs)
      .map((conversation) => ({
        id: conversation.id,
        shown: showConversation(
          withScores(conversationAt(conversation, at.nowMs), summaries.get(conversation.id)),
        ),
        ttl: conversation.ttl,
      }));
  },
  evaluator: async (ids, at) => shownAsStored(await evaluators.at(below(at)).getMany(ids)),
};

const shownAsStored = (items: readonly { id: string }[]): ShownItem[] =>
  items.map((item) => ({ id: item.id, shown: item }));

const maxAttempts = 5;

/** @returns the project, also while it can be restored; undefined if it is purged, or if its purge has begun */
export async function findProject(store: Context['store'], id: string): Promise<StoredProject | undefined> {
  // The project may move between the reads.
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const [[existing], [deleted], [purge]] = await Promise.all([
      projects.at(store).getMany([id]),
      deletedProjects.at(store).getMany([id]),
      purges.at(store).getMany([id]),
    ]);
    if (purge) return undefined;
    if (existing ?? deleted) return existing ?? deleted;
  }
  return undefined;
}

export const subjectOf = ({ type, resourceId }: Pick<Draft, 'type' | 'resourceId'>): string =>
  `${familyOf(type)}/${resourceId}`;

/** @returns the resources that exist, by `subjectOf` */
export async function readResources(
  drafts: readonly Draft[],
  context: Context,
  webhooks: WebhooksInEvents,
): Promise<Map<string, Shown>> {
  const resources = new Map<string, Shown>();
  for (const [family, familyDrafts] of Map.groupBy(drafts, ({ type }) => familyOf(type))) {
    const ids = [...new Set(familyDrafts.map(({ resourceId }) => resourceId))];
    const { schema, read } =
      family === 'webhook' ? webhooks : { schema: resourceSchemas[family], read: readers[family] };
    for (const { id, shown, ttl } of await read(ids, context)) {
      // Attributes that only the table has, such as the hash of a secret, are left out.
      resources.set(`${family}/${id}`, { data: schema.parse(shown), ttl });
    }
  }
  return resources;
}
