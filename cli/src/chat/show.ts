/** What people see below an answer: its sources, its passages and its cost. Pure. */

import type { Citation, ListedReply, Reply, ReplyPassage } from '../../../clients/typescript/src/index.ts';
import { counted, safeLine } from '../output/text.ts';

const place = (title: string, page: number | null) =>
  page === null ? safeLine(title) : `${safeLine(title)}, p. ${page}`;

/** @returns a line for each document, or page of a document, that the answer cites: `[1] Returns, p. 12` */
export function sourceLines(citations: readonly Citation[]): string[] {
  const places = citations.map(({ title, documentId, page }) => place(title ?? documentId, page));
  return [...new Set(places)].map((text, at) => `[${at + 1}] ${text}`);
}

/** @returns a line for each passage that the model got, those that the answer cites first */
export function passageLines(passages: readonly ReplyPassage[]): string[] {
  const lines = (cited: boolean) =>
    passages
      .filter((passage) => passage.cited === cited)
      .map(({ title, page, score }) => `  ${place(title, page)}  (score ${score})`);
  const [used, unused] = [lines(true), lines(false)];
  return [
    ...(used.length > 0 ? ['Used:', ...used] : []),
    ...(unused.length > 0 ? ['Not used:', ...unused] : []),
  ];
}

/** @returns why the model got no passage */
export const withoutPassages = ({ mode }: Pick<ListedReply, 'mode'>): string =>
  mode === null
    ? 'No documents were searched: the project has no index, or the avatar has no knowledge tag.'
    : 'No passage was found.';

const usd = (value: number) => `$${Number(value.toFixed(6))}`;

export type Cost = { replies: number; costUsd: number; lastUsd: number | null };

/** @param replies all replies of a conversation, newest first */
export function costOf(replies: readonly ListedReply[]): Cost {
  return {
    replies: replies.length,
    costUsd: Number(replies.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0).toFixed(6)),
    lastUsd: replies[0]?.costUsd ?? null,
  };
}

export function costLines(cost: Cost, last: Pick<Reply, 'model' | 'inputTokens' | 'outputTokens'>): string[] {
  const tokens =
    last.inputTokens === null || last.outputTokens === null
      ? []
      : [`${last.inputTokens} tokens in, ${last.outputTokens} out`];
  const details = [...(last.model === null ? [] : [safeLine(last.model)]), ...tokens].join(', ');
  return [
    `The last reply: ${cost.lastUsd === null ? 'unknown' : usd(cost.lastUsd)}${details && ` (${details})`}`,
    `The conversation: ${usd(cost.costUsd)} (${counted(cost.replies, 'reply', 'replies')})`,
  ];
}
