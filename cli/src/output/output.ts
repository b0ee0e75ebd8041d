/** What commands print: results to stdout, everything else to stderr. */

import { once } from 'node:events';
import type { Shell } from '../shell.ts';
import { fieldsTable, table } from './table.ts';
import { type Paint, paintFor, safeJson, safeLine, safeText } from './text.ts';

/** The heading of a column, and what is below it. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

export class Output {
  readonly paint: Paint;
  readonly json: boolean;
  readonly #shell: Shell;
  readonly #paintError: Paint;

  constructor(shell: Shell, json: boolean) {
    this.#shell = shell;
    this.json = json;
    this.paint = paintFor(shell, shell.stdout);
    this.#paintError = paintFor(shell, shell.stderr);
  }

  /** Waits while the reader is slower. */
  async write(data: string | Uint8Array): Promise<void> {
    const { stdout } = this.#shell;
    if (!stdout.write(data)) await once(stdout, 'drain');
  }

  line = (text: string): Promise<void> => this.write(`${text}\n`);

  /** One line of JSON: control characters are escaped. */
  jsonLine = (value: unknown): Promise<void> => this.line(safeJson(value));

  /** @param indent of JSON that people read */
  jsonText = (value: unknown, indent: number | undefined): Promise<void> =>
    this.line(safeJson(value, indent));

  /** One resource: JSON, or its fields. */
  item = (value: object): Promise<void> =>
    this.json ? this.jsonLine(value) : this.write(fieldsTable(value, this.paint));

  /** A list that is complete. */
  async rows<Row extends object>(rows: readonly Row[], columns: Columns<Row>): Promise<void> {
    if (this.json) for (const row of rows) await this.jsonLine(row);
    else if (rows.length > 0) await this.write(table(rows, columns, this.paint, this.#width));
    else this.note('There are none.');
  }

  /** What others have written, unchanged; without controls in a terminal. */
  data = (text: string): Promise<void> => this.write(this.#shell.stdout.isTTY ? safeText(text) : text);

  /** Text of others, for people. */
  text = (text: string): Promise<void> => this.line(safeText(text));

  /** For people, beside the result. */
  note(text: string): void {
    this.#shell.stderr.write(`${safeText(text)}\n`);
  }

  /** Something the user should look at. */
  warn(text: string): void {
    this.#shell.stderr.write(`${this.#paintError('yellow', 'Warning:')} ${safeLine(text)}\n`);
  }

  get #width(): number {
    return this.#shell.stdout.isTTY ? (this.#shell.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  }
}
