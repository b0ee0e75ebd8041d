/**
 * Comma-separated values (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180) for spreadsheets: rows, and conversations with scores.
 */

import { stringify } from 'csv-stringify/sync';
import type { ExportedConversation, ProjectResources } from '../../../clients/typescript/src/index.ts';

/** The characters that may start a formula: `=`, `+`, `-` and `@`, also in full width, and every control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: spreadsheets skip some of them
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20\u0000-\u001f\u007f-\u009f]/;

/**
 * @param escapesFormulas whether a text that a spreadsheet may calculate gets a `'` in front of it: users type messages, and
 * `=HYPERLINK(…)` can send data elsewhere (https://owasp.org/www-community/attacks/CSV_Injection). Numbers stay numbers.
 * @returns the rows, with line ends
 */
export const csvRows = (rows: readonly (readonly unknown[])[], escapesFormulas: boolean): string =>
  stringify(
    rows.map((row) => [...row]),
    {
      cast: {
        boolean: String,
        string: (text) => (escapesFormulas && formula.test(text) ? `'${text}` : text),
      },
      record_delimiter: 'windows',
      // With a delimiter of our own, the library would not quote cells with only CR or LF.
      quote_record_delimiter: true,
    },
  );

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

/**
 * Turns the lines of an export into rows: a row for each conversation, with its scores.
 *
 * @param escapesFormulas as in `csvRows`
 */
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
