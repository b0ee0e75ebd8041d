/** A project for knowledge documents, and access to its index. */

import { hash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { getDocument, markDocument, type StoredDocument } from '../../lib/documents/store/documents.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { pinIndexVersion } from '../../lib/indexing/store/versions.ts';
import { type ApiResponse, type Json, openApi, type TestApi } from '../../samples/api.ts';

export type Knowledge = Awaited<ReturnType<typeof openKnowledge>>;

export async function openKnowledge(adjust?: (runtime: Runtime) => Partial<Runtime>) {
  const api = await openApi(adjust);
  const projectId = await api.createProject();
  const path = `/projects/${projectId}/knowledge/documents`;

  const project = `/projects/${projectId}`;
  /** Requests an index and builds it. @returns the job when it has ended */
  const reindex = async (): Promise<Json> => {
    const { data } = await api.call('POST', `${project}/knowledge/reindex`);
    await api.workOff(projectId, data.id as string);
    return (await api.call('GET', `${project}/jobs/${data.id}`)).data;
  };
  const create = async (body: Json = {}): Promise<Json> => {
    const response = await api.call('POST', path, { body: { title: 't', content: 'c', ...body } });
    if (response.status !== 201) throw new Error(response.text);
    return response.data;
  };
  const put = (externalId: string, body: Json = {}): Promise<ApiResponse> =>
    api.call('PUT', `${path}/by-external-id/${encodeURIComponent(externalId)}`, {
      body: { title: 't', content: 'c', ...body },
    });
  const batch = (
    documents: readonly Json[],
    options: { idempotencyKey?: string } = {},
  ): Promise<ApiResponse> => api.call('POST', `${path}/batch`, { body: { documents }, ...options });

  /** The indexer's input. */
  const session = openSession(api.runtime.client, api.runtime.tableNames, {
    knowledge: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'],
    knowledgeIndexes: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'],
  });
  const store = bindStore(session, `${api.organisationId}#live`).inProject(projectId);
  const stored = (id: unknown) => getDocument(store, id as string);
  const authorOf = (changedBy: string) => ({
    changedBy,
    changedThrough: changedBy,
    changedIn: api.runtime.newId('call', Date.now()),
    nowMs: Date.now(),
  });
  /** @returns whether the mark was taken */
  const mark = async (document: StoredDocument, status: 'indexed' | 'failed' = 'indexed') => {
    const error = status === 'failed' ? { code: 'unreadable', message: 'It has no text.' } : null;
    const indexVersion = status === 'indexed' ? 'v1' : null;
    const write = markDocument(store, document, { status, indexVersion, error });
    return (await commit(session, [write], authorOf('indexer'))) === undefined;
  };
  /** Marks the document as it is now. */
  const index = async (id: unknown, status?: 'indexed' | 'failed') => {
    const document = await stored(id);
    if (!document || !(await mark(document, status))) throw new Error(`${id} could not be marked`);
  };
  /** @returns what a build has stored */
  const partsOf = async (build: string) => {
    const query = {
      partition: [projectId, 'build', build],
      from: ' ',
      to: '~',
      after: undefined,
      limit: 100,
    };
    return (await store.page('knowledgeIndexes', query)).items;
  };
  /** @returns whether the version could be held, as a deployment does */
  const hold = async (version: string) => {
    const write = pinIndexVersion(store, version);
    return (await commit(session, [write], authorOf('deployment'))) === undefined;
  };
  const contentOf = async (id: unknown) => (await api.call('GET', `${path}/${id}/content`)).data.content;
  const listed = async (query = '') =>
    (await api.call('GET', `${path}?limit=100${query && `&${query}`}`)).data.items as Json[];

  return {
    ...api,
    project,
    partsOf,
    hold,
    reindex,
    projectId,
    path,
    create,
    put,
    batch,
    store,
    stored,
    mark,
    index,
    contentOf,
    listed,
  };
}

/** A document with more pieces than a re-index computes without steps. */
export const longDocument = (title: string, sections = 80, word = 'piece') => ({
  title,
  mimeType: 'text/markdown',
  content: Array.from({ length: sections }, (_, at) => `## Section ${at}\n\nThe ${word} number ${at}.`).join(
    '\n\n',
  ),
});

/** Pseudo-random text in base 64, the same for the same seed: the worst case for compression. */
export function noise(length: number, seed = 1): string {
  let text = '';
  while (text.length < length) text += hash('sha512', `${seed} ${text.length}`, 'base64url');
  return text.slice(0, length);
}

/** Publishes an index version without building it, for tests that need only its name. */
export async function publishIndex(
  { organisationId, runtime }: Pick<TestApi, 'organisationId' | 'runtime'>,
  projectId: string,
  version: string,
): Promise<void> {
  const tenant = `${organisationId}#live#${projectId}`;
  const items = [
    { tenant: `${tenant}#versions`, id: version },
    { tenant, id: 'published', version },
  ];
  for (const Item of items) {
    await runtime.client.send(new PutCommand({ TableName: runtime.tableNames.knowledgeIndexes, Item }));
  }
}
