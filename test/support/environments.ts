/** Deleted environments, and the work that follows. */

import { type Json, storedOf } from '../../samples/api.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import environmentRemover from '../../workers/environment-remover.ts';
import { type Knowledge, openKnowledge } from './knowledge.ts';
import { deliver } from './workers.ts';

type Api = Pick<Knowledge, 'call' | 'project' | 'organisationId' | 'runtime'>;

/** @returns the change that starts the worker */
export async function deletionOf(api: Omit<Api, 'call'>, name: string) {
  const [projectId = ''] = api.project.split('/').slice(2);
  const tombstone = (await storedOf(api, 'deployments')).find(
    ({ tenant, id }) => id === name && `${tenant}`.endsWith(`${projectId}#gone`),
  );
  if (!tombstone) throw new Error(`${name} has no tombstone`);
  return changeRecord(undefined, tombstone);
}

/** Runs the worker that follows the deletion of the environment. */
export async function afterDeletion(api: Omit<Api, 'call'>, name: string): Promise<void> {
  await deliver(api, environmentRemover, [await deletionOf(api, name)]);
}

export async function removeEnvironment(api: Api, name: string): Promise<void> {
  const { status, text } = await api.call('DELETE', `${api.project}/environments/${name}`);
  if (status !== 200) throw new Error(text);
  await afterDeletion(api, name);
}

/** A project with a deployment `tested`, whose index is not published any more. Its environment is `preview`. */
export async function openPreview(adjust?: Parameters<typeof openKnowledge>[0]) {
  const api = await openKnowledge(adjust);
  const post = async (path: string, body: Json) =>
    (await api.call('POST', `${api.project}${path}`, { body })).data;
  await api.create({ title: 'Drum', content: 'a drum' });
  await api.reindex();
  const tested = await post('/deployments', { environment: 'preview' });
  await api.create({ title: 'Flute', content: 'a flute' });
  await api.reindex();
  const search = (query: string) => api.call('GET', `${api.project}/knowledge/search?${query}`);
  /** The stored index versions, by id. */
  const versions = async () =>
    new Map(
      (await storedOf(api, 'knowledgeIndexes'))
        .filter(({ tenant }) => `${tenant}`.endsWith('#versions'))
        .map((item) => [item.id, item]),
    );
  return { ...api, post, tested, search, versions };
}

/** The environment of the deployment is deleted, and its index is kept for seven more days. */
export async function openRetiring() {
  const api = await openPreview();
  await removeEnvironment(api, 'preview');
  return api;
}
