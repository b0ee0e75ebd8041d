/** What commands print: results to stdout, everything else to stderr. */

import { once } from 'node:events';
import type { Shell } from '../shell.ts';
import { type Jq, startJq } from './jq.ts';
import { type Columns, fieldsTable, table } from './table.ts';
import { type Paint, paintFor, safeJson, safeLine, safeText } from './text.ts';
import { isTime, relativeTime } from './times.ts';

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

  /** From now on, results go through jq. */
  async select(filter: string): Promise<void> {
    this.#jq = await startJq(this.#shell, filter);
  }

  /** When everything is written. @throws CliError if jq has failed */
  end = async (): Promise<void> => this.#jq?.end();

  /** Waits while the reader is slower. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#jq) return this.#jq.write(data);
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
    else if (rows.length > 0) await this.write(table(rows, this.#timed(columns), this.paint, this.#width));
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

  /** With relative times. */
  #timed<Row extends object>(columns: Columns<Row>): Columns<Row> {
    if (this.#utc) return columns;
    const nowMs = this.#shell.nowMs();
    const shown = (value: unknown) =>
      typeof value === 'string' && isTime(value) ? relativeTime(value, nowMs) : value;
    const entries = Object.entries(columns).map(([name, cell]) => [name, (row: Row) => shown(cell(row))]);
    return Object.fromEntries(entries);
  }

  get #width(): number {
    return this.#shell.stdout.isTTY ? (this.#shell.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  }
}
