/** The conversations that a caller may use: those of the project, or, with the scope of a runtime, those that it has created. */

import { isWithin } from '../../avatars/deployments/store/deployments.ts';
import { type Caller, credentialIn, credentialKind } from '../../base/caller.ts';
import { holds, type Scope } from '../../base/scopes.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';

/** The scope that an endpoint of conversations declares. A caller without it has the scope of a runtime. */
export type ConversationScope = Extract<Scope, `conversations:${string}`>;

type Creation = { createdBy: string };

/**
 * A rotated key keeps its id, so it keeps its conversations. All tokens of a workload identity share the conversations of the
 * identity.
 * @returns whether the caller may use the conversation
 */
export const mayUse = (
  { id, scopes }: Pick<Caller, 'id' | 'scopes'>,
  scope: ConversationScope,
  { createdBy }: Creation,
): boolean => holds(scopes, scope) || credentialIn(createdBy) === id;

type Named = {
  conversation: { deploymentId: string | null } | undefined;
  isErased: boolean;
  createdBy: string | undefined;
};

/** Conversations follow their deployment, so imports ask this of the deployment, too. */
export { isWithin };

/**
 * The caller learns only that the externalId exists, and not whether the conversation was erased.
 * @returns whether the externalId belongs to a conversation that the caller may not change
 */
export async function isTaken(
  store: ProjectStore,
  caller: Pick<Caller, 'id' | 'scopes' | 'environments'>,
  { conversation, isErased, createdBy = '' }: Named,
): Promise<boolean> {
  if (!conversation && !isErased) return false;
  if (!mayUse(caller, 'conversations:write', { createdBy })) return true;
  return conversation !== undefined && !(await isWithin(store, caller, conversation.deploymentId));
}

/**
 * The subject of an access token may name a person, so a tombstone does not keep it.
 * @returns the creator that the tombstone of a conversation keeps
 */
export function keptCreator({ createdBy }: Creation): { createdBy?: string } {
  const id = credentialIn(createdBy);
  return credentialKind(id) === 'access_token' ? {} : { createdBy: id };
}
