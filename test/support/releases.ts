/** Rollouts that run, through the API and the workers: what tests of promises start from. */

import { minuteMs } from '../../lib/base/time.ts';
import { unitHash, type Variant, variantOf } from '../../lib/rollouts/assign.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import rolloutMover from '../../workers/rollout-mover.ts';
import { deploy, openProject } from './avatars.ts';
import { handleAll } from './suspensions.ts';

export const rolloutPath = '/environments/production/rollout';

/** Ten percent for an hour, then a half, until somebody advances it. */
export const twoSteps = [
  { percent: 10, holdMinutes: 60 },
  { percent: 50, pause: true },
];

export type Release = Awaited<ReturnType<typeof openRelease>>;

/** A project whose environment serves a deployment, with a staged candidate that has an avatar of its own. */
export async function openRelease(adjust?: Parameters<typeof openApi>[0]) {
  const api = await openProject(await openApi(adjust));
  await api.createAvatar({ name: 'Ada' });
  const current = await deploy(api);
  const eve = await api.createAvatar({ name: 'Eve' });
  const candidate = await deploy(api, { promote: false });
  const below = (path: string) => `/projects/${api.projectId}${path}`;
  const rollout = async () => (await api.send('GET', rolloutPath)).data;
  const config = async (unit: string, environment = 'production') =>
    (await api.send('GET', `/environments/${environment}/config?unit=${unit}`)).data;
  return {
    ...api,
    below,
    current,
    candidate,
    eve: eve.id,
    rollout,
    config,
    /** @param key Default: the root key @returns the rollout */
    async start(body: Json = { steps: twoSteps }, key = api.rootKey) {
      const sent = { deploymentId: candidate.id, ...body };
      const { status, text, data } = await api.send('POST', rolloutPath, sent, { key });
      if (status !== 201) throw new Error(text);
      return data as Json & { id: string };
    },
    /** Lets the mover see the rollouts, as if they had just changed. */
    move: () => handleAll(api, rolloutMover, 'deployments', ({ id }) => id.startsWith('rol_')),
    /** @returns the status and the percent, and why */
    state: async () => {
      const { status, percent, reason } = await rollout();
      return { status, percent, reason };
    },
    /** A conversation of the unit, which ends. @returns its id */
    async converse(unit: string, more: Json = {}): Promise<string> {
      const { rollout } = await config(unit);
      const { assignment } = (rollout ?? {}) as Json;
      const path = await api.createConversation(
        { ...(assignment ? { assignment } : {}), ...more },
        api.projectId,
      );
      const { status, text } = await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
      if (status !== 200) throw new Error(text);
      return path.split('/').at(-1) ?? '';
    },
    /** Lets the worker count the conversations and their scores. */
    count: () => countAll(api),
    /** Longer than the first step is held. */
    hold: () => api.advance(61 * minuteMs),
  };
}

const countAll = (api: TestApi) =>
  handleAll(api, conversationCounter, 'conversations', ({ id }) => id.startsWith('conv_'));

/** @returns what is stored of the rollout, for when no request can read it */
export async function storedRollout(api: TestApi, id: string): Promise<Json> {
  const items = await storedOf(api, 'deployments');
  const item = items.find((one) => one.id === id && `${one.tenant}`.endsWith('#rollouts'));
  if (!item) throw new Error(`${id} does not exist`);
  return item;
}

/** @returns the first units with this variant */
export function unitsWith(variant: Variant, count: number, { id, percent }: { id: string; percent: number }) {
  const units: string[] = [];
  for (let number = 0; units.length < count; number += 1)
    if (variantOf(unitHash(id, `user-${number}`), percent) === variant) units.push(`user-${number}`);
  return units;
}
