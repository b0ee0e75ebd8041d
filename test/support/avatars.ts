/** What tests of avatars and deployments start from. */

import { type CallOptions, type Json, openApi, type TestApi } from '../../samples/api.ts';
import { avatarBody, deploymentBody } from '../../samples/samples.ts';

export type ProjectApi = Awaited<ReturnType<typeof openProject>>;

/** Opens the API for a new organisation with a project; paths are below that one. */
export async function openProject(api?: TestApi) {
  const opened = api ?? (await openApi());
  const projectId = await opened.createProject();
  return {
    ...opened,
    projectId,
    send: (method: string, path: string, body?: Json, options: CallOptions = {}) =>
      opened.call(method, `/projects/${projectId}${path}`, { ...(body && { body }), ...options }),
    /** @returns a new avatar */
    createAvatar: async (body: Json = {}) => {
      const response = await opened.call('POST', `/projects/${projectId}/avatars`, {
        body: { ...avatarBody, ...body },
      });
      if (response.status !== 201) throw new Error(response.text);
      return response.data as Json & { id: string; version: number; createdAt: string };
    },
  };
}

export const idsOf = ({ items }: Json) => (items as { id: string }[]).map(({ id }) => id);

/** @returns a new deployment, as it was answered */
export async function deploy({ send }: Pick<ProjectApi, 'send'>, body: Json = {}) {
  const response = await send('POST', '/deployments', { ...deploymentBody, ...body });
  if (response.status !== 201) throw new Error(response.text);
  return response.data as Json & {
    id: string;
    phase: string;
    configHash: string;
    heldBack: boolean;
    warnings: unknown[];
  };
}

/** @returns where an environment's pointer is */
export const pointerOf = async ({ send }: Pick<ProjectApi, 'send'>, environment = 'production') => {
  const { current, previous, pinned } = (await send('GET', `/environments/${environment}`)).data;
  return { current, previous, pinned };
};
