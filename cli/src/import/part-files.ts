/** The converted conversations, in files that the API accepts. */

import { join } from 'node:path';
import { LineFile } from './line-file.ts';

/** A file has at most 100 MB and 1 000 000 lines. Compressed text is never much larger than the text. */
const maxPartBytes = 64 * 1024 * 1024;

export type Part = {
  path: string;
  /** Where each line comes from: a line of the export. */
  sources: number[];
};

export class PartFiles {
  readonly parts: Part[] = [];
  readonly #folder: string;
  readonly #maxBytes: number;
  #open: { file: LineFile; part: Part } | undefined;

  constructor(folder: string, maxBytes = maxPartBytes) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** @param source the line of the export at which the record begins */
  async add(text: string, source: number): Promise<void> {
    if (this.#open && this.#open.file.bytes + Buffer.byteLength(text) >= this.#maxBytes) await this.end();
    this.#open ??= this.#next();
    this.#open.part.sources.push(source);
    await this.#open.file.add(text);
  }

  async end(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.file.end();
  }

  #next() {
    const path = join(this.#folder, `part-${this.parts.length}.jsonl.gz`);
    const part: Part = { path, sources: [] };
    this.parts.push(part);
    return { file: new LineFile(path, { compressed: true }), part };
  }
}
