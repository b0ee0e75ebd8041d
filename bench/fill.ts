/** Fills tables directly, without the API. */

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { currentGeneration } from '../lib/conversations/store/generations.ts';
import { addEntries, indexedValues } from '../lib/conversations/store/list-index.ts';
import { addPostings, type IndexedMessage } from '../lib/conversations/store/postings.ts';
import { writeEach } from '../lib/dynamodb/batch.ts';
import { openSession } from '../lib/dynamodb/session.ts';
import { bindStore, type ProjectStore } from '../lib/dynamodb/store.ts';
import type { Write } from '../lib/dynamodb/write.ts';
import type { Runtime } from '../lib/http/runtime.ts';
import { defaultSettings } from '../lib/projects/store.ts';

const inParallel = 8;

type Fill = {
  tenant: string;
  /** The projects' numbers: `from` inclusive, `to` exclusive. */
  from: number;
  to: number;
  status?: 'active' | 'archived';
  progress?: (done: number) => void;
};

/** Stores old projects, oldest first. */
export async function fillProjects(
  { client, tableNames }: Pick<Runtime, 'client' | 'tableNames'>,
  { tenant, from, to, status = 'active', progress = () => {} }: Fill,
): Promise<void> {
  const putRequest = (number: number) => ({
    PutRequest: {
      Item: {
        tenant,
        id: `proj_00${String(number).padStart(24, '0')}`,
        externalId: null,
        name: `Project ${number}`,
        description: null,
        metadata: {},
        settings: defaultSettings,
        status,
        createdAt: '1970-01-01T00:00:00.000Z',
        updatedAt: '1970-01-01T00:00:00.000Z',
        createdBy: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      },
    },
  });
  for (let start = from; start < to; start += 25 * inParallel) {
    progress(start);
    const numbers = Array.from(
      { length: Math.min(25 * inParallel, to - start) },
      (_, index) => start + index,
    );
    const batches = Array.from({ length: Math.ceil(numbers.length / 25) }, (_, index) =>
      numbers.slice(index * 25, index * 25 + 25).map(putRequest),
    );
    await Promise.all(
      batches.map((batch) =>
        client.send(new BatchWriteCommand({ RequestItems: { [tableNames.projects as string]: batch } })),
      ),
    );
  }
}

type FillMessages = {
  tenant: string;
  project: string;
  /** The messages' numbers: `from` inclusive, `to` exclusive. Both are multiples of 100. */
  from: number;
  to: number;
  textOf: (number: number) => string;
};

/** Stores messages and their postings. Each conversation has a hundred messages and its own user. */
export async function fillMessages(
  { client, tableNames }: Pick<Runtime, 'client' | 'tableNames'>,
  { tenant, project, from, to, textOf }: FillMessages,
): Promise<void> {
  const session = openSession(client, tableNames, {
    conversations: ['BatchWriteItem'],
    messages: ['BatchWriteItem'],
    conversationSearch: ['BatchWriteItem'],
  });
  const store = bindStore(session, tenant).inProject(project);
  const at = '2026-03-01T00:00:00.000Z';
  const condition = { kind: 'any' } as const;
  for (let first = from; first < to; first += 100) {
    const user = first / 100;
    const id = `conv_01${String(user).padStart(24, '0')}`;
    const fixed = { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', externalUserId: `u${user}`, channel: null };
    const conversation = { id, ...fixed, deploymentId: null, tags: [], status: 'ended', timesOutAt: at };
    const messages = Array.from({ length: 100 }, (_, index) => ({
      seq: index + 1,
      text: textOf(first + index),
    }));
    await writeEach(
      session,
      [
        store.put('conversations', conversation, { partition: [project], condition }),
        ...addEntries(store, conversation, indexedValues(conversation)),
        ...messages.map(({ seq, text }) =>
          store.put(
            'messages',
            {
              id: String(seq).padStart(10, '0'),
              messageId: 'msg_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
              seq,
              text,
              at,
              role: 'user',
            },
            { partition: [project, id], condition },
          ),
        ),
        ...(await putPostings(
          store,
          messages.map((message) => ({ conversationId: id, ...message })),
        )),
      ],
      { sleep: async () => {} },
    );
  }
}

/** @param messages all messages of a conversation @returns its postings as whole items, which can be written in batches */
export const putPostings = async (
  store: ProjectStore,
  messages: readonly IndexedMessage[],
): Promise<Write<never>[]> =>
  (await addPostings(store, currentGeneration(undefined), messages)).map((write) =>
    write.action === 'UpdateItem'
      ? { ...write, action: 'PutItem', attributes: { ...write.attributes, ...write.addToSet } }
      : write,
  );
