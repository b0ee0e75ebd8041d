/** Prints results to stdout, and everything else to stderr. */

import { once } from 'node:events';
import type { Shell } from '../shell.ts';
import { type Jq, startJq } from './jq.ts';
import { type Columns, fieldsTable, table } from './table.ts';
import { isTime, type Paint, paintFor, relativeTime, safeJson, safeLine, safeText } from './text.ts';

export class Output {
  readonly paint: Paint;
  readonly json: boolean;
  readonly #utc: boolean;
  #jq: Jq | undefined;
  readonly #shell: Shell;
  readonly #paintError: Paint;

  /** @param utc whether tables have exact times */
  constructor(shell: Shell, { json, utc }: { json: boolean; utc: boolean }) {
    this.#shell = shell;
    this.json = json;
    this.#utc = utc;
    this.paint = paintFor(shell, shell.stdout);
    this.#paintError = paintFor(shell, shell.stderr);
  }

  /** Sends all further results through jq. */
  async select(filter: string): Promise<void> {
    this.#jq = await startJq(this.#shell, filter);
  }

  /** Waits until everything is written. @throws CliError if jq has failed */
  end = async (): Promise<void> => this.#jq?.end();

  /** Waits while the reader is slower. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#jq) return this.#jq.write(data);
    const { stdout } = this.#shell;
    if (!stdout.write(data)) await once(stdout, 'drain');
  }

  line = (text: string): Promise<void> => this.write(`${text}\n`);

  /** Prints a line of JSON, with escaped control characters. */
  jsonLine = (value: unknown): Promise<void> => this.line(safeJson(value));

  /** @param indent the indentation of JSON that people read */
  jsonText = (value: unknown, indent: number | undefined): Promise<void> =>
    this.line(safeJson(value, indent));

  /** Prints a resource: as JSON, or as a table of its fields. */
  item = (value: object): Promise<void> =>
    this.json ? this.jsonLine(value) : this.write(fieldsTable(value, this.paint));

  /** Prints a complete list. */
  async rows<Row extends object>(rows: readonly Row[], columns: Columns<Row>): Promise<void> {
    if (this.json) for (const row of rows) await this.jsonLine(row);
    else if (rows.length > 0) await this.write(table(rows, this.#timed(columns), this.paint, this.#width));
    else this.note('There are none.');
  }

  /** Prints text of others unchanged, but without control characters in a terminal. */
  data = (text: string): Promise<void> => this.write(this.#shell.stdout.isTTY ? safeText(text) : text);

  /** Prints a line with text of others, for people. */
  text = (text: string): Promise<void> => this.line(safeText(text));

  /** Prints a line for people, beside the result. */
  note(text: string): void {
    this.#shell.stderr.write(`${safeText(text)}\n`);
  }

  /** Prints a problem that the user should look at. */
  warn(text: string): void {
    this.#shell.stderr.write(`${this.#paintError('yellow', 'Warning:')} ${safeLine(text)}\n`);
  }

  /** @returns the columns with relative times */
  #timed<Row extends object>(columns: Columns<Row>): Columns<Row> {
    if (this.#utc) return columns;
    const nowMs = this.#shell.nowMs();
    const relative = (value: unknown) =>
      typeof value === 'string' && isTime(value) ? relativeTime(value, nowMs) : value;
    const entries = Object.entries(columns).map(([name, cell]) => [name, (row: Row) => relative(cell(row))]);
    return Object.fromEntries(entries);
  }

  get #width(): number {
    return this.#shell.stdout.isTTY ? (this.#shell.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  }
}
