/** Documents whose texts are stored in parts. */

import { describeContent, newDocument } from '../../lib/documents/documents.ts';
import { createDocument } from '../../lib/documents/store/documents.ts';
import { putTextParts } from '../../lib/documents/store/text-parts.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { Knowledge } from './knowledge.ts';

/** Stores a document as a worker does that has a long text. @returns its id */
export async function storeLongText(api: Knowledge, content: string, title = 'Long'): Promise<string> {
  const { client, tableNames, newId } = api.runtime;
  const session = openSession(client, tableNames, { knowledge: ['PutItem'] });
  const store = bindStore(session, `${api.organisationId}#live`).inProject(api.projectId);
  const nowMs = api.runtime.nowMs();
  const author = () => ({
    changedBy: 'worker:test',
    changedThrough: 'worker:test',
    changedIn: newId('call', nowMs),
    nowMs,
  });
  const made = newDocument(
    { title, source: null, externalId: null, mimeType: 'text/plain', tags: [], metadata: {}, content },
    { caller: { principal: 'test' }, nowMs, newId: (kind) => newId(kind, nowMs) },
  );
  const textId = newId('job', nowMs);
  for (const write of putTextParts(store, made.document.id, textId, content)) {
    await commit(session, [write], author());
  }
  await commit(
    session,
    createDocument(store, made.document, { content: { ...describeContent(content, 'text/plain'), textId } }),
    author(),
  );
  return made.document.id;
}

/** @returns pages of sentences, of about this many bytes; each page ends with a form feed. Each sentence has the page's number */
export function pagesOfText(pages: number, bytesPerPage: number): string {
  const page = (number: number) => {
    const sentence = `Sentence of page${number} about returns and deliveries. `;
    return sentence.repeat(Math.ceil(bytesPerPage / sentence.length));
  };
  return Array.from({ length: pages }, (_, index) => `${page(index + 1)}\n\f\n`).join('');
}
