/** Jobs of every type, which their workers do without queues. */

import type { JobType } from '../../lib/jobs/types.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';
import { ruleBody } from '../../samples/samples.ts';
import { workers } from '../../workers/index.ts';
import { requestImport, textOf } from './imports.ts';
import { htmlPage, openSite } from './site.ts';
import { handleAll } from './suspensions.ts';

const line = {
  externalId: 'imported',
  avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  startedAt: '2026-03-01T09:30:00Z',
  messages: [{ role: 'user', text: 'hello', at: '2026-03-01T09:31:00Z', clientMessageId: 'm' }],
};

type Requests = Readonly<Record<JobType, (api: TestApi, project: string, key?: string) => Promise<string>>>;

/** @returns for each type, a function that requests a job and returns its id; and a function that closes the site of sources */
export async function openJobs(): Promise<{ requests: Requests; close: () => Promise<void> }> {
  const site = await openSite(new Map([['/', htmlPage('Home', 'Welcome.')]]));

  const send = async (method: string, api: TestApi, path: string, body?: Json, key?: string) => {
    const { data, text, status } = await api.call(method, path, {
      ...(body && { body }),
      ...(key && { key }),
    });
    if (status >= 300) throw new Error(text);
    return data;
  };
  const post = async (api: TestApi, path: string, body: Json | undefined, key: string | undefined) =>
    `${(await send('POST', api, path, body, key)).id}`;
  const remove = async (api: TestApi, path: string, key: string | undefined) =>
    `${(await send('DELETE', api, path, undefined, key)).id}`;
  /** @returns its path */
  const createSource = async (api: TestApi, project: string): Promise<string> => {
    const path = `/projects/${project}/knowledge/sources`;
    return `${path}/${await post(api, path, { type: 'url', url: site.url }, undefined)}`;
  };
  const exported =
    (what: string) =>
    (api: TestApi, project: string, key?: string): Promise<string> =>
      post(api, `/projects/${project}/exports`, { what }, key);

  const requests: Requests = {
    'knowledge.reindex': (api, project, key) =>
      post(api, `/projects/${project}/knowledge/reindex`, undefined, key),
    async 'knowledge.expunge'(api, project, key) {
      const { items } = await send('GET', api, `/projects/${project}/knowledge/documents`);
      const [document] = items as Json[];
      return remove(api, `/projects/${project}/knowledge/documents/${document?.id}?expunge=true`, key);
    },
    'knowledge.refresh': async (api, project, key) =>
      post(api, `${await createSource(api, project)}/refresh`, {}, key),
    'knowledge.remove-source': async (api, project, key) =>
      remove(api, await createSource(api, project), key),
    'conversations.erase': (api, project, key) =>
      post(api, `/projects/${project}/conversations/erase`, { externalUserId: 'anna' }, key),
    'conversations.reindex': (api, project, key) =>
      post(api, `/projects/${project}/conversations/reindex`, undefined, key),
    async 'conversations.evaluate'(api, project, key) {
      await post(api, `/projects/${project}/evaluators`, ruleBody, undefined);
      return post(api, `/projects/${project}/evaluation-runs`, {}, key);
    },
    'conversations.export': exported('conversations'),
    'conversations.import': (api, project, key) => requestImport(api, project, textOf([line]), key),
    'knowledge.export': exported('documents'),
    'audit.export': exported('audit'),
  };
  return { requests, close: () => site.close() };
}

/** @returns the id of a new project that has something for a job of each type to do */
export async function openProject(api: TestApi): Promise<string> {
  const project = await api.createProject();
  await api.createConversation({ externalUserId: 'anna' }, project);
  const body = { title: 'Returns', content: 'within 30 days' };
  await api.call('POST', `/projects/${project}/knowledge/documents`, { body });
  return project;
}

const jobWorkers = workers.filter(({ sources }) => sources.includes('jobs'));

/** Gives the job to all workers, as when it is new. */
export async function work(api: TestApi, job: string, runtime = api.runtime): Promise<void> {
  for (const worker of jobWorkers) await handleAll(api, worker, 'jobs', ({ id }) => id === job, runtime);
}

export const storedJob = async (api: TestApi, job: string) =>
  (await storedOf(api, 'jobs')).find(({ id, type }) => id === job && type !== undefined) ?? {};

export const shownJob = async (api: TestApi, project: string, job: string) =>
  (await api.call('GET', `/projects/${project}/jobs/${job}`)).data;
