/**
 * The journal of a session: a small file with the turns that the service has not taken. A process that was killed continues with it.
 *
 * The first line says what the session is. Each further line is a turn. A turn is on the disk before it is sent, and all turns are
 * removed when the service has taken them. A turn that is sent again has the same ids, so it is stored once.
 */

import type { FileHandle } from 'node:fs/promises';
import type { ConversationPutRequest, MessageInput } from '../generated/types.ts';
import { SessionError } from './errors.ts';
import type { Files } from './folder.ts';
import { lock } from './lock.ts';
import type { Turn } from './outbox.ts';

export type JournalHead = {
  version: 1;
  baseUrl: string;
  project: string;
  environment: string;
  externalId: string;
  /** What starts the conversation. */
  start: ConversationPutRequest;
  /** Null until the service has responded. */
  conversationId: string | null;
  deploymentId: string | null;
  /** Not null if the session has ended, and the service does not know it. */
  endReason: string | null;
};

type KeptTurn = Pick<Turn, 'first' | 'messages'>;

export const journalSuffix = '.journal';

/** The file has no name of a caller. */
export const journalName = (
  files: Files,
  { baseUrl, project, externalId }: Pick<JournalHead, 'baseUrl' | 'project' | 'externalId'>,
): string => `${files.hash(baseUrl, project, externalId)}${journalSuffix}`;

export class Journal {
  readonly #files: Files;
  readonly #name: string;
  readonly #unlock: () => Promise<void>;
  #isReleased = false;
  #handle: FileHandle | undefined;
  #last: Promise<void> = Promise.resolve();
  /** The turns that are in the file. */
  #written = new Set<Turn>();
  /** The bytes of the first line. */
  #headBytes = 0;
  /** The bytes of all complete lines. */
  #bytes = 0;
  head: JournalHead | undefined;
  /** The turns that were found. */
  readonly kept: KeptTurn[] = [];

  private constructor(files: Files, name: string, unlock: () => Promise<void>) {
    this.#files = files;
    this.#name = name;
    this.#unlock = unlock;
  }

  /** @throws SessionError journal_locked, journal_failed */
  static async open(files: Files, name: string): Promise<Journal> {
    const unlock = await writing(name, () => lock(files, name.replace(/\.journal$/, '.lock')));
    const journal = new Journal(files, name, unlock);
    try {
      await writing(name, () => journal.#read());
    } catch (error) {
      await unlock();
      throw error;
    }
    return journal;
  }

  async #read(): Promise<void> {
    const text = await this.#files.read(this.#name);
    if (text === undefined) return;
    // The last line may be incomplete: the process was killed while it wrote. Nobody was told that its turn is safe.
    const [head, ...turns] = text.split('\n').slice(0, -1);
    if (head === undefined) return;
    try {
      const parsed = JSON.parse(head) as JournalHead;
      if (parsed.version !== 1) throw new Error('another version');
      this.head = parsed;
      for (const line of turns) {
        const { first, messages } = JSON.parse(line) as { first: number | null; messages: MessageInput[] };
        this.kept.push({ first: first ?? undefined, messages });
      }
    } catch {
      throw new SessionError(
        'journal_failed',
        `The journal ${this.#files.pathOf(this.#name)} is damaged. Look into it, and remove it.`,
      );
    }
  }

  /**
   * Replaces the file by the turns that are left when its time has come.
   * @throws SessionError journal_failed, and the file is as before
   */
  keep(head: JournalHead, turns: () => readonly Turn[]): Promise<void> {
    return this.#inOrder(async () => {
      if (this.#isReleased) return;
      const left = [...turns()];
      if (left.length === 0 && head === this.head && this.#handle) return this.#clear(this.#handle);
      const first = `${JSON.stringify(head)}\n`;
      const text = first + left.map(lineOf).join('');
      await this.#files.write(this.#name, text);
      await this.#close();
      this.head = head;
      this.#written = new Set(left);
      this.#headBytes = Buffer.byteLength(first);
      this.#bytes = Buffer.byteLength(text);
      this.#handle = await this.#files.fs.open(this.#files.pathOf(this.#name), 'r+');
    });
  }

  /** The service has taken all turns. If the machine crashes now, they are sent again, and stored once. */
  async #clear(handle: FileHandle): Promise<void> {
    await handle.truncate(this.#headBytes);
    this.#written.clear();
    this.#bytes = this.#headBytes;
  }

  /** When it returns, the turn is on the disk. @throws SessionError journal_failed, and the file is as before */
  add(turn: Turn): Promise<void> {
    return this.#inOrder(async () => {
      const handle = this.#handle;
      if (this.#written.has(turn)) return;
      if (!handle) throw new Error('it is not open');
      const line = Buffer.from(lineOf(turn));
      try {
        let written = 0;
        while (written < line.length) {
          const left = line.length - written;
          const { bytesWritten } = await handle.write(line, written, left, this.#bytes + written);
          written += bytesWritten;
        }
        await handle.datasync();
        this.#bytes += line.length;
        this.#written.add(turn);
      } catch (error) {
        await handle.truncate(this.#bytes).catch(() => {});
        throw error;
      }
    });
  }

  /** Nothing is left of it. When it was released, it may be another session's. */
  remove(): Promise<void> {
    return this.#inOrder(async () => {
      if (this.#isReleased) return;
      await this.#close();
      await this.#files.remove(this.#name);
    });
  }

  /** Another process can open it. */
  release(): Promise<void> {
    return this.#inOrder(async () => {
      if (this.#isReleased) return;
      this.#isReleased = true;
      await this.#close();
      await this.#unlock();
    });
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** One change after the other: a turn may be added while others are removed. */
  #inOrder(act: () => Promise<unknown>): Promise<void> {
    const done = this.#last.then(() => writing(this.#name, act)).then(() => {});
    this.#last = done.catch(() => {});
    return done;
  }
}

const lineOf = ({ first, messages }: KeptTurn) => `${JSON.stringify({ first: first ?? null, messages })}\n`;

async function writing<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SessionError) throw error;
    const { code = '', message = '' } = error as { code?: string; message?: string };
    const why = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : message;
    throw new SessionError('journal_failed', `The journal ${name} cannot be written: ${why} (${code}).`);
  }
}
