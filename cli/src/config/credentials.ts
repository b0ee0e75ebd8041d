/** Finds the key of a command, and the address of its service. A key and its address always come from the same place. */

import { isDeepStrictEqual } from 'node:util';
import { CliError, usageError } from '../errors.ts';
import { findSource, type TokenSource } from '../oidc/token-source.ts';
import type { Shell } from '../shell.ts';
import { findDevServer, safeBaseUrl } from './address.ts';
import { type Profiles, profilesFile, readProfiles, type Secret } from './profiles.ts';

export type Credentials = {
  secret: Secret;
  baseUrl: string;
  projectId: string | undefined;
  /** The place that the key and its address come from. */
  from: { kind: 'profile'; name: string } | { kind: 'environment' } | { kind: 'dev-server'; file: string };
};

export type Wishes = { profile?: string | undefined; project?: string | undefined };

/**
 * The order of the places is: `--profile`, the environment, the current profile, a running dev server. The order for the project
 * is: `--project`, `PLATFORM_PROJECT`, the project of the profile.
 * @throws CliError if there is no key, or if only a part of the environment is set
 */
export async function findCredentials(shell: Shell, { profile, project }: Wishes): Promise<Credentials> {
  const projectId = project ?? (shell.env.PLATFORM_PROJECT || undefined);
  const environment = profile === undefined ? await fromEnvironment(shell) : undefined;
  if (environment) return { ...environment, projectId, from: { kind: 'environment' } };
  const config = await readProfiles(profilesFile(shell));
  const name = profile ?? config.current;
  if (name !== undefined) {
    const { baseUrl, projectId: projectOfProfile, ...secret } = profileNamed(config, name);
    return {
      secret,
      baseUrl: safeBaseUrl(baseUrl),
      projectId: projectId ?? projectOfProfile,
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
  return { secret: { apiKey }, baseUrl, projectId, from: { kind: 'dev-server', file } };
}

/**
 * Reads `PLATFORM_BASE_URL` with `PLATFORM_API_KEY`, or with a variable that names a workload identity or its token.
 * @returns undefined if no variable is set, or if the variables say the same as the current profile, as after `login --oidc`.
 * Then the profile decides, also about the project
 * @throws CliError if the address or the key is missing
 */
async function fromEnvironment(shell: Shell): Promise<Pick<Credentials, 'secret' | 'baseUrl'> | undefined> {
  const [apiKey, url] = [shell.env.PLATFORM_API_KEY?.trim(), shell.env.PLATFORM_BASE_URL?.trim()];
  if (!apiKey && !url) return undefined;
  if (!url)
    throw usageError(
      'PLATFORM_API_KEY is set, but PLATFORM_BASE_URL is not. A key is only sent to the address it belongs to.',
      'Set both variables or neither, or choose a profile with --profile.',
    );
  const baseUrl = safeBaseUrl(url);
  if (apiKey) return { secret: { apiKey }, baseUrl };
  const source = sourceInEnvironment(shell);
  const { current, profiles } = await readProfiles(profilesFile(shell));
  const profile = current !== undefined && Object.hasOwn(profiles, current) ? profiles[current] : undefined;
  if (profile && 'oidc' in profile && safeBaseUrl(profile.baseUrl) === baseUrl) {
    if (!source || isDeepStrictEqual(source, profile.oidc)) return undefined;
  }
  if (source) return { secret: { oidc: source }, baseUrl };
  throw usageError(
    'PLATFORM_BASE_URL is set, but PLATFORM_API_KEY is not. A key is only sent to the address it belongs to.',
    'Set both variables or neither, or choose a profile with --profile. In CI, PLATFORM_AUDIENCE can replace the key.',
  );
}

/** @returns the source that the variables name; undefined if none of them is set */
const sourceInEnvironment = (shell: Shell): TokenSource | undefined =>
  shell.env.PLATFORM_ID_TOKEN_FILE || shell.env.PLATFORM_ID_TOKEN || shell.env.PLATFORM_AUDIENCE
    ? findSource(shell)
    : undefined;

/** @throws CliError if no profile has this name */
export function profileNamed({ profiles }: Profiles, name: string) {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  const names = Object.keys(profiles).join(', ') || 'none';
  throw usageError(
    `There is no profile ${name}. There are: ${names}.`,
    `Create it: platform login --profile ${name}`,
  );
}
