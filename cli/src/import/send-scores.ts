/** Sends the scores of imported conversations. */

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ProjectResources } from '../../../clients/typescript/src/index.ts';
import type { ScoreValue } from './score-values.ts';

export type ConversationScores = { externalId: string; scores: Readonly<Record<string, ScoreValue>> };

/** How many conversations are scored at the same time. */
const concurrency = 8;

/** @param file has a line of JSON for each conversation */
async function* linesOf(file: string): AsyncGenerator<ConversationScores> {
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  }))
    yield JSON.parse(line) as ConversationScores;
}

/**
 * Sends each score. It is written once: a score that is there already, with the same value, stays as it is.
 * @param onConversation is called for each conversation
 * @returns the number of scores that are stored, and of conversations that are not there
 */
export async function sendScores(
  project: ProjectResources,
  file: string,
  signal: AbortSignal,
  onConversation: () => void,
): Promise<{ stored: number; missing: number }> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const totals = { stored: 0, missing: 0 };
  const { conversations } = project;
  const send = async ({ externalId, scores }: ConversationScores) => {
    const { items } = await conversations.list({ externalId }, { signal: both });
    const id = items[0]?.id;
    if (id === undefined) totals.missing += 1;
    else
      for (const [name, value] of Object.entries(scores)) {
        await conversations.scores.put(id, name, { value }, { signal: both });
        totals.stored += 1;
      }
    onConversation();
  };
  const lines = linesOf(file);
  const work = async () => {
    for (let next = await lines.next(); !next.done; next = await lines.next()) await send(next.value);
  };
  // The first failure ends the other work.
  const failing = (error: unknown) => {
    stop.abort(error);
    throw error;
  };
  await Promise.all(Array.from({ length: concurrency }, () => work().catch(failing)));
  return totals;
}
