import * as z from 'zod';
import {
  type AvatarChange,
  avatarChanges,
  changedFields,
  DeploymentChanges,
} from '../../lib/avatars/deployments/changes.ts';
import { predecessorOf } from '../../lib/avatars/deployments/release-history.ts';
import { deploymentInPath, getDeployment } from '../../lib/avatars/deployments/store/deployments.ts';
import { getEnvironment } from '../../lib/avatars/deployments/store/environments.ts';
import { getAvatarVersions } from '../../lib/avatars/store.ts';
import { holds } from '../../lib/base/scopes.ts';
import type { ProjectStore } from '../../lib/documents/store/documents.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { type DocumentChange, listOfVersion, pageOfChanges } from '../../lib/indexing/document-changes.ts';
import { getExpunged } from '../../lib/indexing/store/expunged.ts';
import { id } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

const noDeployment = { id: null, avatars: [], knowledgeIndexVersion: null };

export default defineEndpoint({
  id: 'deployments.changes',
  method: 'GET',
  path: '/projects/{project_id}/deployments/{deployment_id}/changes',
  summary: 'List the changes of a deployment',
  description:
    'Returns the avatars and the documents that differ from another deployment, first the avatars. Without `since`, the ' +
    'other deployment is the deployment that the environment served before. If the environment does not serve the deployment ' +
    'and would not roll back to it, for example if it is staged, the other deployment is the current deployment. A page may have fewer items than `limit`, also no items: continue while ' +
    '`nextCursor` is not null.',
  auth: 'deploy:read',
  project: 'existing',
  loads: { deployment: deploymentInPath },
  environments: ({ loaded, query }) => [loaded.deployment.environment, query.since],
  request: {
    params: z.strictObject({ project_id: id('project'), deployment_id: id('deployment') }),
    query: z.strictObject({
      ...pageQuery,
      since: id('deployment').optional().meta({
        description: 'The deployment to compare with, of any environment of the project.',
      }),
    }),
  },
  responses: { 200: DeploymentChanges },
  errors: ['not_found'],
  access: {
    deployments: ['GetItem'],
    avatars: ['BatchGetItem'],
    knowledgeIndexes: ['GetItem', 'BatchGetItem'],
  },

  async handle({ loaded: { deployment }, query, caller, store, cursor }) {
    const environment = query.since ? undefined : await getEnvironment(store, deployment.environment);
    const since = query.since ?? predecessorOf(environment?.history ?? [], deployment.id);
    const before = since === null ? noDeployment : await getDeployment(store, since);
    if (!before) return fail('not_found', 'The deployment `since` does not exist.');

    // Ids of avatars sort before ids of documents.
    const start = cursor.position(query.cursor, /^(?:avtr|kdoc)_[0-9A-HJKMNP-TV-Z]{26}$/) ?? '';
    const limit = query.limit ?? defaultLimit;
    const allAvatars = avatarChanges(before, deployment).filter((change) => change.id > start);
    const shownAvatars = allAvatars.slice(0, limit);
    const last = shownAvatars.at(-1)?.id ?? start;

    const isSame = before.knowledgeIndexVersion === deployment.knowledgeIndexVersion;
    const [old, next] = isSame
      ? []
      : await Promise.all([before, deployment].map((one) => listOfVersion(store, one.knowledgeIndexVersion)));
    const lists = old && next ? { before: old, after: next } : undefined;
    const documents = lists && (await pageOfChanges(store, lists, last, limit - shownAvatars.length));

    const [avatars, visibleDocuments] = await Promise.all([
      withFields(store, shownAvatars),
      withoutExpunged(store, documents?.changes ?? []),
    ]);
    const mayRead = holds(caller.scopes, 'knowledge:read');
    const items = [
      ...avatars.map((change) => ({ kind: 'avatar' as const, ...change })),
      ...visibleDocuments.map(({ title, ...change }) => ({
        kind: 'document' as const,
        ...change,
        name: mayRead ? title : null,
        from: null,
        to: null,
        paths: [],
      })),
    ];
    const position = allAvatars.length > limit ? last : (documents?.next ?? null);
    const nextCursor = cursor.next(position);
    const comparison = isSame ? 'same' : documents ? 'compared' : 'unknown';
    return { status: 200, data: { items, nextCursor, since: before.id, documents: comparison } };
  },
});

/** A version contains expunged documents until a job has replaced it. */
async function withoutExpunged(store: ProjectStore, changes: readonly DocumentChange[]) {
  const expunged = new Set(
    await getExpunged(
      store,
      changes.map((one) => one.id),
    ),
  );
  return changes.filter((one) => !expunged.has(one.id));
}

/** @returns the changes with the names of the avatars, and the fields that differ */
async function withFields(store: ProjectStore, changes: readonly AvatarChange[]) {
  const versionsOf = async (side: 'from' | 'to') => {
    const ids = changes.flatMap(({ id: avatarId, [side]: version }) =>
      version === null ? [] : [{ avatarId, version }],
    );
    const versions = await getAvatarVersions(store, ids);
    return new Map(versions.map((version) => [version.avatarId, version]));
  };
  const [old, next] = await Promise.all([versionsOf('from'), versionsOf('to')]);
  return changes.map((change) => {
    const before = old.get(change.id);
    const after = next.get(change.id);
    const differing = before && after ? changedFields(before, after) : { fields: [], paths: [] };
    return { ...change, name: (after ?? before)?.name ?? null, ...differing };
  });
}
