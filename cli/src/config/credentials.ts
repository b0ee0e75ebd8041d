/** Which key is used, and where it is sent. A key and its address always come from the same place. */

import { CliError, usageError } from '../errors.ts';
import type { Shell } from '../shell.ts';
import { safeBaseUrl } from './address.ts';
import { findDevServer } from './dev-server.ts';
import { type Profiles, profilesFile, readProfiles } from './profiles.ts';

export type Credentials = {
  apiKey: string;
  baseUrl: string;
  projectId: string | undefined;
  /** Where they come from. */
  from: { kind: 'profile'; name: string } | { kind: 'environment' } | { kind: 'dev-server'; file: string };
};

export type Wishes = { profile?: string | undefined; project?: string | undefined };

/**
 * `--profile`, then `PLATFORM_API_KEY` with `PLATFORM_BASE_URL`, then the current profile, then a running dev server. The project
 * is `--project`, then `PLATFORM_PROJECT`, then that of the profile.
 * @throws CliError if there is no key, or if only one of the two variables is set
 */
export async function findCredentials(shell: Shell, { profile, project }: Wishes): Promise<Credentials> {
  const { env } = shell;
  const projectId = project ?? (env.PLATFORM_PROJECT || undefined);
  if (profile === undefined) {
    const [apiKey, baseUrl] = [env.PLATFORM_API_KEY?.trim(), env.PLATFORM_BASE_URL?.trim()];
    if (apiKey && baseUrl)
      return { apiKey, baseUrl: safeBaseUrl(baseUrl), projectId, from: { kind: 'environment' } };
    if (apiKey || baseUrl)
      throw usageError(
        `${apiKey ? 'PLATFORM_API_KEY' : 'PLATFORM_BASE_URL'} is set, but ` +
          `${apiKey ? 'PLATFORM_BASE_URL' : 'PLATFORM_API_KEY'} is not. A key is only sent to the address it belongs to.`,
        'Set both variables or neither, or choose a profile with --profile.',
      );
  }
  const known = await readProfiles(profilesFile(shell));
  const name = profile ?? known.current;
  if (name !== undefined) {
    const { apiKey, baseUrl, projectId: own } = profileNamed(known, name);
    return {
      apiKey,
      baseUrl: safeBaseUrl(baseUrl),
      projectId: projectId ?? own,
      from: { kind: 'profile', name },
    };
  }
  const server = await findDevServer(shell);
  if (!server)
    throw new CliError(
      'refused',
      'There is no key.',
      'Run `platform login`, or set PLATFORM_API_KEY and PLATFORM_BASE_URL.',
    );
  const { apiKey, baseUrl, file } = server;
  return { apiKey, baseUrl, projectId, from: { kind: 'dev-server', file } };
}

/** @throws CliError if there is none of this name */
export function profileNamed({ profiles }: Profiles, name: string) {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  const names = Object.keys(profiles).join(', ') || 'none';
  throw usageError(
    `There is no profile ${name}. There are: ${names}.`,
    `Create it: platform login --profile ${name}`,
  );
}
