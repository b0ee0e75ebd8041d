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
import { inOrder } from './in-order.ts';
import type { Progress } from './progress-file.ts';

export type ExportSettings = {
  project: ProjectResources;
  format: Format;
  filters: Omit<ConversationsListQuery, 'startedFrom' | 'startedBefore' | 'order' | 'limit' | 'cursor'>;
  startedFrom: string | undefined;
  concurrency: number;
  signal: AbortSignal;
  /** @param total undefined while it is not known */
  onProgress: (progress: Progress, total: number | undefined) => void;
};

type Listed = {
  conversation: Conversation;
  /** Of its page. */
  cursor: string | undefined;
  /** What its page has that was exported before this run. */
  before: readonly string[];
};

/** `messages` is undefined if the conversation was erased after it was listed. */
export type Fetched = Listed & { messages: Message[] | undefined };

type Count = { listed: number; isAll: boolean };

/** @returns all that is not exported yet, and counts it when the caller goes on to the next one */
export async function* transcripts(
  progress: Progress,
  settings: ExportSettings,
): AsyncGenerator<Fetched, void, undefined> {
  const count: Count = { listed: progress.conversations + progress.erased, isAll: false };
  const listed = list(progress, settings, count);
  for await (const fetched of inOrder(listed, settings.concurrency, (one) => fetchMessages(one, settings))) {
    yield fetched;
    settings.onProgress(progress, count.isAll ? count.listed : undefined);
    settings.signal.throwIfAborted();
  }
}

async function* list(
  { cursor: start, done, startedBefore }: Progress,
  { project, filters, startedFrom, signal }: ExportSettings,
  count: Count,
): AsyncGenerator<Listed, void, undefined> {
  const known = new Set(done);
  const query = { ...filters, startedFrom, startedBefore, order: 'oldest', limit: 100 } as const;
  let cursor = start;
  for await (const page of project.conversations.list({ ...query, cursor }, { signal }).pages()) {
    const before = page.items.map(({ id }) => id).filter((id) => known.has(id));
    const items = page.items.filter(({ id }) => !known.has(id));
    count.listed += items.length;
    count.isAll = !page.hasNextPage();
    for (const conversation of items) yield { conversation, cursor, before };
    cursor = page.nextCursor ?? undefined;
  }
}

async function fetchMessages(
  listed: Listed,
  { project, signal }: Pick<ExportSettings, 'project' | 'signal'>,
): Promise<Fetched> {
  const { id, messageCount } = listed.conversation;
  const messages: Message[] = [];
  try {
    for await (const message of project.conversations.messages(id, { signal })) messages.push(message);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // If the project is gone, or the key does not see it any more, this rejects: then nothing was erased.
    await project.conversations.list({ limit: 1 }, { signal });
    return { ...listed, messages: undefined };
  }
  // The API numbers them without gaps.
  if (messages.length < messageCount || messages.some(({ seq }, index) => seq !== index + 1))
    throw new CliError(
      'temporary',
      `The transcript of ${id} is not complete.`,
      'Run the same command again.',
    );
  return { ...listed, messages };
}

/** Adds a conversation that is in the file now. */
export function count(progress: Progress, { conversation, cursor, before, messages }: Fetched): void {
  if (messages) {
    progress.conversations += 1;
    progress.messages += messages.length;
    progress.active += conversation.status === 'active' ? 1 : 0;
  } else progress.erased += 1;
  // A list that continues at a page needs the names of that page only.
  progress.done = [...(cursor === progress.cursor ? progress.done : before), conversation.id];
  progress.cursor = cursor;
}
