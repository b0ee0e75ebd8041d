/** Projects with every kind of item, and what purges leave of them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dayMs } from '../../lib/base/time.ts';
import { tableNames } from '../../lib/dynamodb/tables.ts';
import { assign, showAssignment } from '../../lib/rollouts/assign.ts';
import { type Json, jobNotice, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';
import { avatarBody, deploymentBody, ratingBody, ruleBody } from '../../samples/samples.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import { finishRun } from './evaluations.ts';
import { extract } from './extractions.ts';
import { upload } from './imports.ts';
import { longDocument } from './knowledge.ts';
import { pagesOfText } from './long-texts.ts';

type Sizes = {
  documents: number;
  conversations: number;
  /** Only the workers process jobs, through the streams. */
  byStreams?: boolean;
};

/** @returns the id of a project with every kind of item that requests create; the workers create others from these */
export async function fill(api: TestApi, sizes: Sizes): Promise<string> {
  const project = await api.createProject();
  const path = `/projects/${project}`;
  const post = async (below: string, body?: Json, idempotencyKey = below): Promise<Json> => {
    const response = await api.call('POST', `${path}${below}`, {
      ...(body && { body }),
      idempotencyKey,
    });
    if (response.status >= 300) throw new Error(response.text);
    return response.data;
  };
  const kept = await post('/avatars', { ...avatarBody, externalId: 'ada' });
  await api.call('PATCH', `${path}/avatars/${kept.id}`, { body: { name: 'Grace' } });
  const { data: removed } = await api.call('POST', `${path}/avatars`, { body: avatarBody });
  await api.call('DELETE', `${path}/avatars/${removed.id}`);
  for (let n = 0; n < sizes.documents; n += 1) {
    const externalId = `page-${n}`;
    await api.call('POST', `${path}/knowledge/documents`, {
      body: { title: externalId, externalId, content: `about ${externalId}` },
      idempotencyKey: externalId,
    });
  }
  // A file whose text has several parts. Another file is not read yet.
  for (const externalId of ['read.txt', 'unread.txt']) {
    const uploadId = await upload(api, project, Buffer.from(pagesOfText(45, 5000)), 'knowledge');
    const { id } = await post(
      '/knowledge/documents',
      { title: externalId, externalId, uploadId },
      externalId,
    );
    if (externalId === 'read.txt') {
      await extract({ ...api, projectId: project }, id);
      // A worker that follows the streams may have taken the file first.
      const read = () => api.call('GET', `${path}/knowledge/documents/${id}`);
      while ((await read()).data.extraction === 'pending') await sleep(20);
    }
    if (sizes.byStreams) break;
  }
  // Through the streams, its steps are done.
  if (sizes.byStreams) await api.call('POST', `${path}/knowledge/documents`, { body: longDocument('Long') });
  // Its site does not exist.
  const source = await post('/knowledge/sources', { type: 'url', url: 'https://docs.acme.example/' });
  const refresh = await post(`/knowledge/sources/${source.id}/refresh`, {});
  if (!sizes.byStreams) await api.workOff(project, refresh.id as string);
  const job = await post('/knowledge/reindex');
  if (!sizes.byStreams) await api.workOff(project, job.id as string);
  await post('/deployments', deploymentBody);
  const { id: deploymentId } = await post('/deployments', { ...deploymentBody, promote: false }, 'candidate');
  const steps = [{ percent: 50, holdMinutes: 60 }];
  const rollout = await post('/environments/production/rollout', { deploymentId, steps });
  await post('/deployments', { environment: 'preview', promote: false }, 'environment');
  await api.call('DELETE', `${path}/environments/preview`);
  const { data: documents } = await api.call('GET', `${path}/knowledge/documents?limit=1`);
  const [document] = documents.items as Json[];
  const expunged = await api.call('DELETE', `${path}/knowledge/documents/${document?.id}?expunge=true`);
  // One that its job removes, and one that still waits for its job.
  if (!sizes.byStreams) await api.workOff(project, expunged.data.id as string);
  // Its steps wait.
  if (!sizes.byStreams) {
    await api.call('POST', `${path}/knowledge/documents`, { body: longDocument('Long') });
    const { data: waiting } = await api.call('POST', `${path}/knowledge/reindex`);
    const notice = jobNotice(`${api.organisationId}#live`, project, String(waiting.id));
    await deliverNotices(api.runtime, knowledgeIndexer, [notice]);
  }
  if (sizes.documents > 1) {
    const { data } = await api.call('GET', `${path}/knowledge/documents?limit=1`);
    const [next] = data.items as Json[];
    await api.call('DELETE', `${path}/knowledge/documents/${next?.id}?expunge=true`);
  }
  for (const body of [ratingBody, ruleBody]) await post('/evaluators', body, body.name);
  await api.call('PATCH', path, { body: { settings: { retentionDays: 30 } } });
  for (let n = 0; n < sizes.conversations; n += 1) {
    const conversation = await api.createConversation(
      { externalId: `call-${n}`, externalUserId: `user-${n}`, channel: 'web', tags: ['refund'] },
      project,
    );
    const message = { role: 'user', text: 'Where is my order?', clientMessageId: 'm' };
    const messages = [{ ...message, metadata: { project } }];
    await api.call('POST', `${conversation}/messages`, { body: { messages }, idempotencyKey: conversation });
    await api.call('PUT', `${conversation}/scores/csat`, { body: { value: (n % 5) + 1 } });
    await api.call('PUT', `${conversation}/scores/short`, { body: { value: true, source: 'human' } });
    if (n % 3 === 1) await api.call('DELETE', conversation);
  }
  const running = { id: `${rollout.id}`, percent: 50, span: 1 };
  const assignment = showAssignment(assign(running, 'user-0'));
  await api.createConversation({ assignment }, project);
  await post('/exports', { what: 'conversations' });
  const preview = await post('/evaluation-runs', { preview: true, evaluators: ['short'] }, 'preview');
  if (!sizes.byStreams) await finishRun(api, project, `${preview.id}`);
  await post('/evaluation-runs', { evaluators: ['short'] }, 'run');
  await post('/conversations/erase', { externalUserId: 'user-0' });
  return project;
}

/** @returns all stored items that name the project, by table */
export async function namingProject(api: TestApi, project: string): Promise<Record<string, Json[]>> {
  const all = await Promise.all(
    // The audit log keeps what was done, also to a project that is gone.
    tableNames
      .filter((table) => table !== 'audit')
      .map(async (table) => {
        const stored = await storedOf(api, table);
        // It says that the project is gone.
        const items = stored.filter(({ type }) => type !== 'project.purged');
        return [table, items.filter((item) => JSON.stringify(item).includes(project))] as const;
      }),
  );
  return Object.fromEntries(all.filter(([, items]) => items.length > 0));
}

const deletedKey = ({ organisationId }: TestApi, project: string) => ({
  tenant: `${organisationId}#live#deleted`,
  id: project,
});

/** Lets the time pass in which the project can be restored. @returns the record that triggers its purge now */
export async function expire(api: TestApi, project: string) {
  api.advance(7 * dayMs + 1000);
  const { client, tableNames: names } = api.runtime;
  const { Item } = await client.send(
    new GetCommand({ TableName: names.projects, Key: deletedKey(api, project) }),
  );
  return changeRecord(undefined, Item);
}

/** Removes the deleted project's item, and nothing else. */
export const loseDeleted = (api: TestApi, project: string) =>
  api.runtime.client.send(
    new DeleteCommand({ TableName: api.runtime.tableNames.projects, Key: deletedKey(api, project) }),
  );

const purgeKey = ({ organisationId }: TestApi, project: string) => ({
  tenant: `${organisationId}#live#purges`,
  id: project,
});

/** @returns the stored record of a purge: of this project, or the only one */
export const storedPurge = async (api: TestApi, project?: string): Promise<Json | undefined> =>
  (await storedOf(api, 'projects')).find(
    ({ id, tenant }) => `${tenant}`.endsWith('#purges') && (project === undefined || id === project),
  );

/** @returns the stream record of a started purge */
export const purgeBegun = async (api: TestApi, project?: string) =>
  changeRecord(undefined, await storedPurge(api, project));

/** @returns the stream record that continues a purge */
export async function goingOn(api: TestApi, project: string) {
  const { client, tableNames: names } = api.runtime;
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName: names.projects,
      Key: purgeKey(api, project),
      UpdateExpression: 'ADD #run :one',
      ExpressionAttributeNames: { '#run': 'run' },
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'ALL_NEW',
    }),
  );
  const after = Attributes as Json;
  return changeRecord({ ...after, run: (after.run as number) - 1 }, after);
}
