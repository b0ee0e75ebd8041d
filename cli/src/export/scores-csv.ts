/** Turns the lines of an export into rows of CSV: a row for each conversation, with its scores. */

import type { ExportedConversation, ProjectResources } from '../../../clients/typescript/src/index.ts';
import { csvRows } from './csv.ts';

const fields = [
  ...(['id', 'externalId', 'avatarId', 'deploymentId', 'externalUserId', 'channel', 'tags'] as const),
  ...(['status', 'startedAt', 'endedAt', 'endReason', 'durationSeconds', 'messageCount'] as const),
];

/**
 * @returns the names of all evaluators whose values an export has, sorted. The columns must be known before the first row, and
 * evaluators are never deleted: after the end of the job, no line has another name.
 */
export async function scoreNames({ evaluators }: ProjectResources, signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, output } of evaluators.list({ limit: 100 }, { signal }))
    if (output.type !== 'text' && output.type !== 'object') names.push(name);
  return names.sort();
}

export type RowFormat = {
  /** The first row. */
  head: string;
  /** Turns a line of the export into a row. The row is empty for the further messages of a conversation. */
  row: (line: string) => string;
};

/** @param escapesFormulas as in `csvRows` */
export function scoresCsv(names: readonly string[], escapesFormulas: boolean): RowFormat {
  const rowOf = (cells: unknown[]) => csvRows([cells], escapesFormulas);
  return {
    head: rowOf([...fields, ...names.map((name) => `score.${name}`)]),
    row(line) {
      // The API has written the lines.
      const conversation = JSON.parse(line) as ExportedConversation;
      const { scores = [], startedAt } = conversation;
      if (startedAt === undefined) return '';
      const values = new Map(scores.map(({ name, value }) => [name, value]));
      const cells = { ...conversation, tags: conversation.tags?.join(' ') };
      return rowOf([...fields.map((name) => cells[name]), ...names.map((name) => values.get(name))]);
    },
  };
}
