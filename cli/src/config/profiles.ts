/** The profiles say which key, or which source of tokens, belongs to which address. Only the owner can read their file. */

import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { utf8Text } from '../../../clients/typescript/src/node.ts';
import { CliError } from '../errors.ts';
import { isSource, type TokenSource } from '../oidc/token-source.ts';
import type { Shell } from '../shell.ts';

/** A key or an access token, or the source from which each request gets a token of a workload identity. */
export type Secret = { apiKey: string } | { oidc: TokenSource };

export type Profile = Secret & {
  baseUrl: string;
  /** The project of commands without --project. */
  projectId?: string | undefined;
};

export type Profiles = {
  /** The name of the profile that is used without --profile. */
  current: string | undefined;
  profiles: Record<string, Profile>;
};

/** `$XDG_CONFIG_HOME/platform`, `%APPDATA%\platform`, or `~/.config/platform`. */
export function profilesFile({ env, platform }: Pick<Shell, 'env' | 'platform'>): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  const appData = platform === 'win32' ? env.APPDATA : undefined;
  return join(env.XDG_CONFIG_HOME || appData || join(home, '.config'), 'platform', 'profiles.json');
}

/** @throws CliError if the file cannot be read, or does not have profiles */
export async function readProfiles(file: string): Promise<Profiles> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new CliError('failed', `The profiles cannot be read: ${error.message}`);
  });
  if (bytes === undefined) return { current: undefined, profiles: {} };
  try {
    // A lenient decoder would replace other bytes, and the next login would store the result.
    const content: unknown = JSON.parse(utf8Text(bytes) ?? '');
    if (!isProfiles(content)) throw new Error('it does not have the form of profiles');
    return content;
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON in UTF-8' : (error as Error).message;
    throw new CliError(
      'failed',
      `${file} cannot be used: ${reason}.`,
      'Correct it, or delete it and log in again.',
    );
  }
}

function isProfiles(value: unknown): value is Profiles {
  if (!isObject(value) || !isObject(value.profiles)) return false;
  const isComplete = (profile: unknown) =>
    isObject(profile) &&
    typeof profile.baseUrl === 'string' &&
    (typeof profile.apiKey === 'string' || isSource(profile.oidc));
  return (
    (value.current === undefined || typeof value.current === 'string') &&
    Object.values(value.profiles).every(isComplete)
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Replaces the file at once: a crash leaves the old file or the new file. A link stays a link, because the file that it leads to
 * is replaced.
 */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The mode above only applies to new folders.
  await chmod(folder, 0o700);
  const target = await realpath(file).catch(() => file);
  const draft = `${target}.${process.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/** @returns whether others on this machine can read the keys */
export async function isExposed(file: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform === 'win32') return false;
  return ((await stat(file).catch(() => undefined))?.mode ?? 0) % 0o100 !== 0;
}
