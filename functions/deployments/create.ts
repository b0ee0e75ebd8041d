import * as z from 'zod';
import {
  CreatedDeployment,
  type Deployment,
  type DeploymentWarning,
  maxAvatars,
  newGit,
  type PromotedSource,
  promotedSource,
  reason,
} from '../../lib/avatars/deployments/schema.ts';
import { tooLarge } from '../../lib/avatars/deployments/size.ts';
import { getFrozenAvatars } from '../../lib/avatars/deployments/store/config.ts';
import {
  configHashOf,
  createDeployment,
  type DeploymentItem,
  getDeployment,
} from '../../lib/avatars/deployments/store/deployments.ts';
import {
  generationOf,
  getEnvironment,
  newEnvironment,
  promote,
  putEnvironment,
  requireEnvironment,
  type StoredEnvironment,
} from '../../lib/avatars/deployments/store/environments.ts';
import { strictWarnings, warningsOf } from '../../lib/avatars/deployments/warnings.ts';
import {
  avatarChangesOfProject,
  getActiveAvatars,
  getAvatarChanges,
  listActiveAvatarIds,
  noteChangeSince,
} from '../../lib/avatars/store.ts';
import { type ErrorDetail, invalidField } from '../../lib/base/errors.ts';
import { holds } from '../../lib/base/scopes.ts';
import { timestamp } from '../../lib/base/time.ts';
import { readIndexing } from '../../lib/documents/not-indexed.ts';
import type { ProjectStore } from '../../lib/documents/store/documents.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { holdIndex } from '../../lib/indexing/hold.ts';
import { getPublishedIndexVersion, pinIndexVersion } from '../../lib/indexing/store/versions.ts';
import { type StoredProject, searchFieldsOf } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

/** What a deployment freezes, the environment that gets it, and the warnings. */
type Content = Pick<
  Deployment,
  'avatars' | 'knowledgeIndexVersion' | 'configHash' | 'git' | 'promotedFrom'
> & { environment: Awaited<ReturnType<typeof getEnvironment>>; warnings: DeploymentWarning[] };

export default defineEndpoint({
  id: 'deployments.create',
  method: 'POST',
  path: '/projects/{project_id}/deployments',
  summary: 'Deploy a project',
  description:
    'Freezes the active avatars (at most 100) and the published knowledge index at one moment. Then the ' +
    'deployment is promoted: its environment serves it. With `"promote": false`, or while a rollback pins the ' +
    'environment or a rollout runs in it (`heldBack`), the deployment stays staged.\n\nWith `"ifChanged": true`, nothing is deployed if ' +
    'the current deployment has the same `configHash`. The response is then 200 with that deployment. `warnings` ' +
    'counts documents that are `pending`, `failed` or read in part and not `ignored`, with the reasons of the first five, and ' +
    'avatars whose `knowledgeTags` no document has. A warning also says if there is nothing to deploy. With `"strict": true`, a ' +
    'warning is an error, and nothing is deployed: the details of the error name the documents. Documents that were read in ' +
    'part are an error only with `"strictNotes": true`.\n\nWith `from`, the deployment has the ' +
    'frozen avatars and the index of a deployment of another environment, in place of the project: the same ' +
    '`configHash`, and the same `git`. So you deploy what you have tested, whatever has changed since. There are no ' +
    'warnings.\n\nUse one `Idempotency-Key` per run, not per commit: within 24 hours, the same key returns the ' +
    'same deployment, even if avatars or knowledge have changed.',
  auth: 'deploy:write',
  project: 'active',
  // `changes` is read before the avatars: if an avatar changes while they are read, the write is refused.
  loads: { changes: optional(avatarChangesOfProject) },
  environments: ({ body }) => [body.environment, body.from?.environment, body.from?.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z
      .strictObject({
        environment: environmentName,
        from: promotedSource.optional(),
        git: newGit
          .nullable()
          .optional()
          .meta({ description: 'The commit to deploy. Null for no commit. Not with `from`.' }),
        reason: reason.nullable().optional(),
        promote: z
          .boolean()
          .optional()
          .meta({ description: 'Whether the environment serves it at once. Default: true.' }),
        ifChanged: z.boolean().optional().meta({
          description:
            'Whether to deploy only if something differs from the current deployment. Default: false.',
        }),
        strict: z
          .boolean()
          .optional()
          .meta({
            description:
              'Whether to refuse a deployment that has warnings other than `documents_read_in_part`: 409. Not with `from`. ' +
              'Default: false.',
          }),
        strictNotes: z.boolean().optional().meta({
          description:
            'Whether to refuse a deployment that has the warning `documents_read_in_part`: 409. Not with `from`. Default: false.',
        }),
      })
      .check(({ value: { environment, from, git, strict, strictNotes }, issues }) => {
        if (from === undefined) return;
        const refuse = (path: string[], message: string) =>
          issues.push({ code: 'custom', message, path, input: environment });
        if (from.environment === environment) refuse(['from', 'environment'], otherEnvironment);
        if (git !== undefined) refuse(['git'], 'must be left out with `from`, which has a commit');
        if (strict) refuse(['strict'], 'must be left out with `from`, which causes no warnings');
        if (strictNotes) refuse(['strictNotes'], 'must be left out with `from`, which causes no warnings');
      }),
  },
  causes: [
    'deployment.created',
    'deployment.promoted',
    'deployment.updated',
    'environment.created',
    'environment.updated',
  ],
  responses: { 200: CreatedDeployment, 201: CreatedDeployment },
  errors: [
    'not_found',
    'index_retired',
    'too_many_avatars',
    'deployment_has_warnings',
    'deployment_too_large',
  ],
  access: {
    avatars: ['GetItem', 'Query', 'BatchGetItem', 'PutItem'],
    deployments: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    knowledge: ['Query'],
    knowledgeIndexes: ['GetItem', 'UpdateItem'],
  },

  async handle({ loaded: { changes }, body, caller, project, store, nowMs, newId }) {
    const showsTitles = holds(caller.scopes, 'knowledge:read');
    const content = await (body.from
      ? readPromoted(store, body.environment, body.from)
      : readProject(store, body.environment, { project, git: body.git ?? null, showsTitles }));
    if ('error' in content) return content;
    const { environment, warnings, ...frozen } = content;
    const { configHash, knowledgeIndexVersion: indexVersion } = frozen;
    const refused = strictWarnings(warnings, body);
    if (refused.length > 0) {
      const message = refused.map((warning) => warning.message).join(' ');
      return fail('deployment_has_warnings', message, refused.flatMap(detailsOf));
    }
    if (body.ifChanged && environment?.serves?.configHash === configHash) {
      const [current, changesSince] = await Promise.all([
        getDeployment(store, environment.serves.deploymentId),
        getAvatarChanges(store),
      ]);
      // If an avatar has changed meanwhile, the write below fails, and the request is retried.
      if (current && changesSince?.changedIn === changes?.changedIn) {
        return { status: 200, data: { ...current, heldBack: false, heldBackReason: null, warnings } };
      }
    }

    const isRequested = body.promote ?? true;
    const heldBackReason = isRequested ? whatHoldsBack(environment) : null;
    const isPromoted = isRequested && heldBackReason === null;
    const createdAt = timestamp(nowMs);
    const id = newId('deployment');
    const deployment: DeploymentItem = {
      id,
      ...generationOf(environment ?? { generation: id }),
      environment: body.environment,
      reason: body.reason ?? null,
      phase: isPromoted ? 'current' : 'staged',
      ...frozen,
      createdAt,
      createdBy: caller.principal,
      promotedAt: isPromoted ? createdAt : null,
    };
    const writes = [createDeployment(store, deployment), noteChangeSince(store, changes)];
    if (indexVersion !== null) writes.push(pinIndexVersion(store, indexVersion));
    if (isPromoted) {
      writes.push(...promote(store, environment, deployment, createdAt).writes);
    } else if (environment) {
      writes.push(requireEnvironment(store, environment));
    } else {
      writes.push(putEnvironment(store, environment, newEnvironment(body.environment, id, createdAt)));
    }
    const heldBack = heldBackReason !== null;
    return { status: 201, data: { ...deployment, heldBack, heldBackReason, warnings }, writes };
  },
});

const otherEnvironment = 'must be another environment';

/** A rollout ends before the environment serves something else, also if a rollback had pinned the environment. */
const whatHoldsBack = (environment: StoredEnvironment | undefined) => {
  if (environment?.rollout) return 'rollout' as const;
  return environment && environment.rollback !== null ? ('rollback' as const) : null;
};

/** @returns the environment, the active avatars and the published index, or why they cannot be deployed */
async function readProject(
  store: ProjectStore,
  name: string,
  { project, git, showsTitles }: { project: StoredProject; git: Deployment['git']; showsTitles: boolean },
) {
  const [environment, indexVersion, documents, avatarIds] = await Promise.all([
    getEnvironment(store, name),
    getPublishedIndexVersion(store),
    readIndexing(store, searchFieldsOf(project)),
    listActiveAvatarIds(store, maxAvatars),
  ]);
  if (!avatarIds) return fail('too_many_avatars');
  const avatars = await getActiveAvatars(store, avatarIds);
  const excess = tooLarge(avatars);
  if (excess) return fail('deployment_too_large', excess.message, excess.details);
  return {
    environment,
    avatars: avatars.map(({ id: avatarId, version }) => ({ avatarId, version })),
    knowledgeIndexVersion: indexVersion,
    configHash: configHashOf(avatars, indexVersion),
    git,
    promotedFrom: null,
    warnings: warningsOf({ documents, avatars, indexVersion, showsTitles }),
  } satisfies Content;
}

/**
 * @returns the environment, and what the other environment has frozen, or why there is nothing
 * @throws ApiError validation_error for a deployment of the same environment
 */
async function readPromoted(store: ProjectStore, name: string, from: PromotedSource) {
  const [environment, { deployment, missing }] = await Promise.all([
    getEnvironment(store, name),
    readSource(store, from),
  ]);
  if (!deployment) return fail('not_found', `${missing} in \`from\` does not exist.`);
  if (deployment.environment === name) throw invalidField('from.deploymentId', otherEnvironment);
  const { avatars, knowledgeIndexVersion, configHash, git } = deployment;
  // An expunge first replaces the version, and then points deployments to the new one.
  const held = await holdIndex(store, deployment);
  if (!held) return fail('index_retired');
  const { version } = held;
  return {
    environment,
    avatars,
    knowledgeIndexVersion: version,
    configHash:
      version === knowledgeIndexVersion
        ? configHash
        : configHashOf(await getFrozenAvatars(store, avatars), version),
    git,
    promotedFrom: deployment.id,
    warnings: [],
  } satisfies Content;
}

/** @returns the deployment, or else what is missing */
async function readSource(store: ProjectStore, { deploymentId, environment }: PromotedSource) {
  if (deploymentId !== undefined)
    return { deployment: await getDeployment(store, deploymentId), missing: 'The deployment' };
  const source = environment === undefined ? undefined : await getEnvironment(store, environment);
  const deployment = source?.serves && (await getDeployment(store, source.serves.deploymentId));
  return { deployment, missing: source ? 'A current deployment of the environment' : 'The environment' };
}

/** @returns a detail for each document of a warning, with its id as the path */
const detailsOf = ({ documents }: DeploymentWarning): ErrorDetail[] =>
  documents.map(({ documentId, title, code, message }) => ({
    path: documentId,
    message: `${title === null ? '' : `${title}: `}${message} (${code})`,
  }));
