/** Reads conversations with their messages: several at the same time, in the order of the list. */

import {
  type Conversation,
  type ConversationsListQuery,
  type Message,
  NotFoundError,
  type ProjectResources,
} from '../../../clients/typescript/src/index.ts';
import { CliError } from '../errors.ts';
import type { Format } from './format.ts';
import type { Progress } from './progress-file.ts';

export type ExportSettings = {
  project: ProjectResources;
  format: Format;
  filters: Omit<ConversationsListQuery, 'startedFrom' | 'startedBefore' | 'order' | 'limit' | 'cursor'>;
  startedFrom: string | undefined;
  concurrency: number;
  signal: AbortSignal;
  /** @param total the number of all conversations; undefined while it is not known */
  onProgress: (progress: Progress, total: number | undefined) => void;
};

type Listed = {
  conversation: Conversation;
  /** The cursor of its page. */
  cursor: string | undefined;
  /** The ids in its page that were exported before this run. */
  before: readonly string[];
};

/** `messages` is undefined if the conversation was erased after it was listed. */
export type Fetched = Listed & { messages: Message[] | undefined };

type Count = { listed: number; isAll: boolean };

/** @returns all conversations that are not exported yet. Each is counted when the caller goes on to the next */
export async function* transcripts(
  progress: Progress,
  settings: ExportSettings,
): AsyncGenerator<Fetched, void, undefined> {
  const count: Count = { listed: progress.conversations + progress.erased, isAll: false };
  const entries = list(progress, settings, count);
  const read = (entry: Listed) => fetchMessages(entry, settings);
  for await (const transcript of inOrder(entries, settings.concurrency, read)) {
    yield transcript;
    settings.onProgress(progress, count.isAll ? count.listed : undefined);
    settings.signal.throwIfAborted();
  }
}

async function* list(
  { cursor: start, done, startedBefore }: Progress,
  { project, filters, startedFrom, signal }: ExportSettings,
  count: Count,
): AsyncGenerator<Listed, void, undefined> {
  const exportedIds = new Set(done);
  const query = { ...filters, startedFrom, startedBefore, order: 'oldest', limit: 100 } as const;
  let cursor = start;
  for await (const page of project.conversations.list({ ...query, cursor }, { signal }).pages()) {
    const before = page.items.map(({ id }) => id).filter((id) => exportedIds.has(id));
    const items = page.items.filter(({ id }) => !exportedIds.has(id));
    count.listed += items.length;
    count.isAll = !page.hasNextPage();
    for (const conversation of items) yield { conversation, cursor, before };
    cursor = page.nextCursor ?? undefined;
  }
}

async function fetchMessages(
  entry: Listed,
  { project, signal }: Pick<ExportSettings, 'project' | 'signal'>,
): Promise<Fetched> {
  const { id, messageCount } = entry.conversation;
  const messages: Message[] = [];
  try {
    for await (const message of project.conversations.messages(id, { signal })) messages.push(message);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // If the project is gone, or if the key does not see it any more, this request fails: nothing was erased then.
    await project.conversations.list({ limit: 1 }, { signal });
    return { ...entry, messages: undefined };
  }
  // The API numbers the messages without gaps.
  if (messages.length < messageCount || messages.some(({ seq }, index) => seq !== index + 1))
    throw new CliError(
      'temporary',
      `The transcript of ${id} is not complete.`,
      'Run the same command again.',
    );
  return { ...entry, messages };
}

/** Adds a conversation that is in the file now. */
export function count(progress: Progress, { conversation, cursor, before, messages }: Fetched): void {
  if (messages) {
    progress.conversations += 1;
    progress.messages += messages.length;
    progress.active += conversation.status === 'active' ? 1 : 0;
  } else progress.erased += 1;
  // A list that continues at a page only needs the ids of that page.
  progress.done = [...(cursor === progress.cursor ? progress.done : before), conversation.id];
  progress.cursor = cursor;
}

/**
 * Parallel work whose results keep their order.
 *
 * @param act handles an item; at most `concurrency` calls run at the same time
 * @returns the results in the order of the items. After a failure or an early end, no further items are read
 */
async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  act: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const queue: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = act(item);
      // The result is awaited later. Until then, a rejection must not end the process.
      result.catch(() => {});
      queue.push(result);
      if (queue.length >= concurrency) yield await (queue.shift() as Promise<Result>);
    }
    for (let next = queue.shift(); next; next = queue.shift()) yield await next;
  } finally {
    await Promise.allSettled(queue);
  }
}
