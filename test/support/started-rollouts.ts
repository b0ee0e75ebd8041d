/** A project with a deployment that everybody gets, and another one that a rollout brings. */

import { type CallOptions, type Json, openApi, type TestApi } from '../../samples/api.ts';
import { deploy, openProject } from './avatars.ts';

export type Rollouts = Awaited<ReturnType<typeof openRollouts>>;

export const rolloutPath = '/environments/production/rollout';

export const twoSteps = [
  { percent: 10, holdMinutes: 60 },
  { percent: 50, pause: true },
];

/** Evaluators whose scores are sent, by name. */
export const guardScores: Readonly<Record<string, Json>> = {
  solved: { type: 'boolean' },
  csat: { type: 'number', min: 1, max: 5 },
  mood: { type: 'category', values: ['good', 'bad'] },
  summary: { type: 'text' },
};

export const guardOf = (changes: Json = {}): Json => ({
  score: 'solved',
  better: 'higher',
  maxHarm: 0.05,
  ...changes,
});

export async function openRollouts(opened?: TestApi) {
  const api = await openProject(opened ?? (await openApi()));
  const { id } = await api.createAvatar({ name: 'Ada' });
  const current = await deploy(api);
  await api.send('PATCH', `/avatars/${id}`, { name: 'Eve' });
  const candidate = await deploy(api, { promote: false });

  const start = (body: Json = {}, options: CallOptions = {}) =>
    api.send(
      'POST',
      rolloutPath,
      { deploymentId: candidate.id, ...(body.steps === undefined && { percent: 10 }), ...body },
      options,
    );
  return {
    ...api,
    avatarId: id,
    current,
    candidate,
    /** @returns the response */
    start,
    /** @returns the rollout */
    started: async (body: Json = {}): Promise<Json> => {
      const { status, text, data } = await start(body);
      if (status !== 201) throw new Error(text);
      return data;
    },
    move: (action: 'advance' | 'complete' | 'abort', body: Json = {}, options: CallOptions = {}) =>
      api.send('POST', `${rolloutPath}/${action}`, body, options),
    update: (body: Json, options: CallOptions = {}) => api.send('PATCH', rolloutPath, body, options),
    /** The rollout with its comparison. */
    read: async () => (await api.send('GET', rolloutPath)).data,
    environment: async () => (await api.send('GET', '/environments/production')).data,
    config: async () => (await api.send('GET', '/environments/production/config')).data,
    phaseOf: async (deployment: Json) => (await api.send('GET', `/deployments/${deployment.id}`)).data.phase,
    /** @returns the evaluator of one of `guardScores` */
    createEvaluator: async (name: string): Promise<Json> => {
      const body = { name, kind: 'external', output: guardScores[name] };
      const { status, text, data } = await api.send('POST', '/evaluators', body);
      if (status !== 201) throw new Error(text);
      return data;
    },
  };
}

export const ifMatch = (version: unknown): CallOptions => ({ headers: { 'If-Match': `"${version}"` } });
