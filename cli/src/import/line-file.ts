/** A file of lines that only the user can read. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { PassThrough, type Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export class LineFile {
  readonly path: string;
  /** The size of its text, without compression. */
  bytes = 0;
  readonly #input: Transform;
  readonly #written: Promise<void>;

  constructor(path: string, { compressed }: { compressed: boolean }) {
    this.path = path;
    this.#input = compressed ? createGzip() : new PassThrough();
    const target = this.#input.pipe(createWriteStream(path, { mode: 0o600 }));
    this.#written = finished(target);
    this.#written.catch(() => {});
  }

  /** Waits while the disk is slower. @throws Error if it cannot be written */
  async add(text: string): Promise<void> {
    const line = Buffer.from(`${text}\n`);
    this.bytes += line.length;
    if (!this.#input.write(line)) await Promise.race([once(this.#input, 'drain'), this.#written]);
  }

  /** Waits until everything is in the file. @throws Error if it cannot be written */
  async end(): Promise<void> {
    this.#input.end();
    await this.#written;
  }
}
