/** A project with two environments, and a key that is bound to one of them. */

import { allScopes } from '../../lib/base/scopes.ts';
import type { Json, TestApi } from '../../samples/api.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

/** Deploys to `staging` and `production`. The key has all scopes, in `staging`. */
export async function bindToStaging(
  api: Pick<TestApi, 'call' | 'createKey' | 'createConversation'>,
  projectId: string,
) {
  const project = `/projects/${projectId}`;
  const deploy = async (environment: string) => {
    const { status, text, data } = await api.call('POST', `${project}/deployments`, {
      body: { environment },
    });
    if (status !== 201) throw new Error(text);
    return `${data.id}`;
  };
  const [staging, production] = [await deploy('staging'), await deploy('production')];
  const keyFor = async (environments: readonly string[]) =>
    (await api.createKey({ scopes: allScopes, environments })).secret;
  const key = await keyFor(['staging']);
  /** @param by undefined for a key without environments */
  const callAs = (by?: string) => (method: string, path: string, body?: Json) =>
    api.call(method, `${project}${path}`, { ...(by && { key: by }), ...(body && { body }) });
  /** @returns the id of a conversation of the deployment */
  const converse = async (deploymentId: string | null, more: Json = {}) => {
    const path = await api.createConversation({ avatarId, deploymentId, ...more }, projectId);
    return path.split('/').at(-1) ?? '';
  };
  return { project, staging, production, key, keyFor, callAs, call: callAs(key), converse };
}
