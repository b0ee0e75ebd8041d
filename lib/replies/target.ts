/** What answers: a deployment, or the draft of the avatar, with the version of the avatar and the index that it has. */

import { type DeploymentItem, getDeployment } from '../avatars/deployments/store/deployments.ts';
import { getEnvironment } from '../avatars/deployments/store/environments.ts';
import type { AvatarVersion } from '../avatars/schema.ts';
import { getAvatars, getAvatarVersions } from '../avatars/store.ts';
import { ApiError, invalidField } from '../base/errors.ts';
import type { Model } from '../models/models.ts';
import { parseAssignment } from '../rollouts/assign.ts';
import type { NewReply } from './schema/reply.ts';
import type { ProjectStore, ReplyItem, StoredConversation } from './store/replies.ts';

export type Target = Pick<ReplyItem, 'environment' | 'deploymentId' | 'draft'>;

/** The avatar that answers, in the version that does. */
export type Answering = Pick<AvatarVersion, 'version' | 'name' | 'persona' | 'knowledgeTags' | 'model'>;

type Deployed = Pick<DeploymentItem, 'avatars'> & { deploymentId: string };

type Conversation = Pick<StoredConversation, 'avatarId' | 'deploymentId' | 'assignment' | 'test'>;

/**
 * @returns what answers, and the avatar in it
 * @throws ApiError validation_error if the target does not exist, nothing_served, deployment_mismatch, conversation_not_test,
 *   avatar_archived
 */
export async function findTarget(
  store: ProjectStore,
  conversation: Conversation,
  sent: NewReply['target'],
): Promise<{ target: Target; avatar: Answering }> {
  if (sent?.draft) {
    if (!conversation.test) throw new ApiError('conversation_not_test');
    const target = { environment: null, deploymentId: null, draft: true };
    return { target, avatar: await draftOf(store, conversation.avatarId) };
  }
  const deployed = await deployedBy(store, conversation, sent);
  const { deploymentId } = deployed;
  if (conversation.deploymentId !== null && conversation.deploymentId !== deploymentId) {
    throw new ApiError(
      'deployment_mismatch',
      `The conversation has the deployment ${conversation.deploymentId}, and ${deploymentId} would answer.`,
    );
  }
  const target = { environment: sent?.environment ?? null, deploymentId, draft: false };
  return { target, avatar: await avatarIn(store, deployed, conversation.avatarId) };
}

/** @throws ApiError avatar_archived, or not_found if the avatar does not exist */
export async function draftOf(store: ProjectStore, avatarId: string): Promise<Answering> {
  const [avatar] = await getAvatars(store, [avatarId]);
  if (!avatar) throw new ApiError('not_found', 'The avatar of the conversation does not exist.');
  if (avatar.status !== 'active') throw new ApiError('avatar_archived');
  return avatar;
}

/** @throws ApiError deployment_mismatch if the deployment does not serve the avatar */
export async function avatarIn(
  store: ProjectStore,
  { avatars, deploymentId }: Deployed,
  avatarId: string,
): Promise<Answering> {
  const reference = avatars.find((one) => one.avatarId === avatarId);
  const [version] = reference ? await getAvatarVersions(store, [reference]) : [];
  if (version) return version;
  throw new ApiError(
    'deployment_mismatch',
    `The deployment ${deploymentId} does not have the avatar ${avatarId} of the conversation.`,
  );
}

async function deployedBy(
  store: ProjectStore,
  conversation: Conversation,
  sent: NewReply['target'],
): Promise<Deployed> {
  if (sent?.environment !== undefined) {
    const environment = await getEnvironment(store, sent.environment);
    if (!environment) throw invalidField('target.environment', 'must be an environment of the project');
    const { serves, rollout } = environment;
    const served = rollout && hasCandidate(conversation, rollout.id) ? rollout.candidate : serves;
    if (!served) throw new ApiError('nothing_served');
    return served;
  }
  const deploymentId = sent?.deploymentId ?? conversation.deploymentId;
  if (deploymentId === null)
    throw invalidField('target', 'must be sent, because the conversation has no deployment');
  const deployment = await getDeployment(store, deploymentId);
  if (!deployment) throw invalidField('target.deploymentId', 'must be a deployment of the project');
  return { ...deployment, deploymentId };
}

/** Whether the assignment of the conversation says that the candidate of this rollout answers. */
function hasCandidate({ assignment }: Pick<Conversation, 'assignment'>, rolloutId: string): boolean {
  const assigned = assignment === undefined ? undefined : parseAssignment(assignment);
  return assigned?.rolloutId === rolloutId && assigned.variant === 'candidate';
}

/**
 * @returns the model of the avatar, as the stage lists it
 * @throws ApiError no_model, model_not_listed
 */
export function modelOf({ model }: Pick<Answering, 'model'>, listed: readonly Model[]): Model {
  if (model === null) throw new ApiError('no_model');
  const found = listed.find(({ id }) => id === model.modelId);
  if (found) return found;
  throw new ApiError(
    'model_not_listed',
    `This stage does not list the model ${model.modelId}: see GET /models.`,
  );
}
