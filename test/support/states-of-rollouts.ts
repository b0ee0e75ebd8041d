/** Requests to rollouts in states that the samples do not have: an endpoint reads and writes other items then. */

import type { Json, TestApi } from '../../samples/api.ts';
import { ruleBody, sampleOf } from '../../samples/samples.ts';
import { publishIndex } from './knowledge.ts';

type Api = Pick<TestApi, 'call' | 'createKey'> & TestApi;
export type FurtherRequest = { path: string; body?: Json; key?: string };

/** @returns the path of a rollout that runs */
export async function runningRollout(api: Api): Promise<string> {
  const { path } = await sampleOf('rollouts.abort', api);
  return path.replace(/\/abort$/, '');
}

async function endedRollout(api: Api): Promise<string> {
  const path = await runningRollout(api);
  await api.call('POST', `${path}/abort`, { body: {} });
  return path;
}

/** @returns a deployment of a deleted environment whose name has come back: its index has no other holder */
export async function deployedBefore(
  api: Pick<TestApi, 'call' | 'organisationId' | 'runtime'>,
  project: string,
) {
  await publishIndex(api, project.split('/')[2] ?? '', 'v1');
  const deploy = async () =>
    (await api.call('POST', `${project}/deployments`, { body: { environment: 'production' } })).data.id;
  const id = await deploy();
  await api.call('DELETE', `${project}/environments/production`);
  await deploy();
  return `${id}`;
}

const projectOf = (path: string): string => path.slice(0, path.indexOf('/environments/'));

const ofEnded = (action: string, body: Json) => async (api: Api) => [
  { path: (await endedRollout(api)) + action, body },
];

/** By endpoint. Each prepares its states, and returns its requests. */
export const furtherRequests: Readonly<Record<string, (api: Api) => Promise<FurtherRequest[]>>> = {
  'deployments.promote': async (api) => {
    const path = await runningRollout(api);
    const { deploymentId } = (await api.call('GET', path)).data;
    return [{ path: `${projectOf(path)}/deployments/${deploymentId}/promote` }];
  },
  'deployments.rollback': async (api) => {
    const path = await runningRollout(api);
    return [{ path: `${projectOf(path)}/rollback`, body: { environment: 'production', reason: 'Harm.' } }];
  },
  'rollouts.get': async (api) => [{ path: await endedRollout(api) }],
  'rollouts.start': async (api) => {
    const project = `/projects/${await api.createProject()}`;
    await api.call('POST', `${project}/evaluators`, { body: ruleBody });
    const deploymentId = await deployedBefore(api, project);
    const guards = [{ score: ruleBody.name, better: 'higher', maxHarm: 0.05 }];
    return [
      { path: `${project}/environments/production/rollout`, body: { deploymentId, percent: 1, guards } },
    ];
  },
  'rollouts.update': async (api) => {
    const path = await runningRollout(api);
    await api.call('PATCH', path, { body: { paused: true } });
    const { secret: key } = await api.createKey({ scopes: ['deploy:write'] });
    return [
      { path, body: { paused: false }, key },
      { path: await endedRollout(api), body: { percent: 99 } },
    ];
  },
  'rollouts.advance': async (api) => {
    const path = await runningRollout(api);
    await api.call('POST', `${path}/advance`, { body: {} });
    return [{ path: `${path}/advance`, body: {} }, ...(await ofEnded('/advance', {})(api))];
  },
  'rollouts.complete': ofEnded('/complete', {}),
  'rollouts.abort': ofEnded('/abort', {}),
};
