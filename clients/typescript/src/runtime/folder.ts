/** Files of the kit: in Node, Bun and Deno. Only their owner can read them, and they are complete or as they were before. */

import type * as Crypto from 'node:crypto';
import type * as Fs from 'node:fs/promises';
import type * as Os from 'node:os';

/** Other runtimes do not have these modules, and bundlers must not look for them: only a folder needs them. */
const load = async <Module>(name: string): Promise<Module> => import(name);

export type Files = Awaited<ReturnType<typeof openFolder>>;

const ownerOnly = 0o600;

/**
 * @param folder is created if it does not exist
 * @throws the error of the system
 */
export async function openFolder(folder: string) {
  const fs = await load<typeof Fs>('node:fs/promises');
  const { createHash, randomUUID } = await load<typeof Crypto>('node:crypto');
  const { hostname } = await load<typeof Os>('node:os');
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (name: string) => `${folder}/${name}`;

  /** @returns undefined if there is no such file */
  const unlessMissing = <Result>(act: Promise<Result>) =>
    act.catch((error: { code?: string }) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });

  /** The name of a new file survives a crash of the machine only if its folder is synchronised, which not every system can. */
  async function syncFolder(): Promise<void> {
    try {
      const handle = await fs.open(folder, 'r');
      await handle.sync().finally(() => handle.close());
    } catch {}
  }

  return {
    fs,
    pathOf,
    host: hostname(),
    randomName: (): string => randomUUID(),
    hash: (...parts: readonly string[]): string =>
      createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32),
    names: () => fs.readdir(folder),
    read: (name: string) => unlessMissing(fs.readFile(pathOf(name), 'utf8')),
    changedMs: async (name: string) => (await unlessMissing(fs.stat(pathOf(name))))?.mtimeMs,
    touch: (name: string) => unlessMissing(fs.utimes(pathOf(name), new Date(), new Date())),
    remove: (name: string) => unlessMissing(fs.unlink(pathOf(name))),

    /** Replaces a file at once. */
    async write(name: string, text: string): Promise<void> {
      const draft = pathOf(`${name}.${randomUUID()}.new`);
      try {
        const handle = await fs.open(draft, 'wx', ownerOnly);
        try {
          await handle.writeFile(text);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await fs.rename(draft, pathOf(name));
      } catch (error) {
        await fs.unlink(draft).catch(() => {});
        throw error;
      }
      await syncFolder();
    },
  };
}
