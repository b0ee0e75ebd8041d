/** login, logout, whoami and profiles. */

import type { Command } from 'commander';
import type { ApiKey, Me, Platform } from '../../../clients/typescript/src/index.ts';
import { ApiError } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';
import { isLoopback, safeBaseUrl } from '../config/address.ts';
import { profileNamed } from '../config/credentials.ts';
import { findDevServer } from '../config/dev-server.ts';
import { isExposed, profilesFile, readProfiles, writeProfiles } from '../config/profiles.ts';
import { CliError, usageError } from '../errors.ts';
import { readSecret } from '../input.ts';

/** What the credential may do. */
type Identity = { kind: 'API key'; key: ApiKey; me: Me } | { kind: 'access token'; me: Me };

/** @throws the API's error if the credential is not valid */
async function identify(platform: Platform, credential: string): Promise<Identity> {
  try {
    return await identityOf(platform, credential);
  } catch (error) {
    // The key is not part of the path: it is the address that does not exist.
    if (error instanceof ApiError && error.status === 404)
      throw new CliError(
        'notFound',
        `There is no API at ${platform.baseUrl}.`,
        'Check the address. It usually ends in /api/v1.',
      );
    throw error;
  }
}

async function identityOf(platform: Platform, credential: string): Promise<Identity> {
  if (!credential.startsWith('sk_')) return { kind: 'access token', me: await platform.me.get() };
  const [key, me] = await Promise.all([platform.apiKeys.me(), platform.me.get()]);
  return { kind: 'API key', key, me };
}

function shownIdentity(identity: Identity): Record<string, unknown> {
  const { kind, me } = identity;
  const { id, organisationId, organisationName, mode, scopes, projectIds, expiresAt } = me;
  return {
    kind,
    id,
    ...(identity.kind === 'API key' && { name: identity.key.name }),
    organisationId,
    organisationName,
    mode,
    ...(identity.kind === 'API key' && secretOf(identity)),
    scopes,
    projectIds: projectIds ?? 'all',
    expiresAt: expiresAt ?? 'never',
  };
}

/** The key has the hint of its current secret, and the end of the key. `GET /me` has the end of the secret that is used. */
function secretOf({ key, me }: { key: ApiKey; me: Me }): Record<string, string> {
  if (me.expiresAt === key.expiresAt) return { hint: key.hint };
  return { secret: `old secret of a rotated key, ends ${me.expiresAt}` };
}

export function addLogin(program: Command, define: Define): void {
  define<{ profile?: string; baseUrl?: string; project?: string }>(program, {
    name: 'login',
    summary: 'Stores a key in a profile, after checking it',
    details:
      'Asks for the key without showing it, or reads it from standard input. There is no option for it, because `ps` shows options to everybody on the machine.',
    offline: true,
    options: [
      ['--profile <name>', 'the profile to create or replace', { default: 'default' }],
      ['--base-url <url>', 'such as https://api.example.com/api/v1'],
      ['--project <id>', 'the project that this profile uses without --project'],
    ],
    examples: [
      'login --base-url https://api.example.com/api/v1',
      'login --profile staging --base-url https://staging.example.com/api/v1 < key.txt',
    ],
    async run(session, { profile = 'default', baseUrl: url, project }) {
      const { shell, out } = session;
      if (!/^[\w.-]{1,64}$/.test(profile) || profile === '__proto__')
        throw usageError(
          'The name of a profile has up to 64 letters, digits, dots, hyphens and underscores.',
        );
      const file = profilesFile(shell);
      const known = await readProfiles(file);
      const before = Object.hasOwn(known.profiles, profile) ? known.profiles[profile] : undefined;
      const address = url ?? shell.env.PLATFORM_BASE_URL ?? before?.baseUrl;
      if (!address) {
        const server = await findDevServer(shell);
        throw usageError(
          'Which API? Add --base-url.',
          server && `The dev server at ${server.baseUrl} needs no login: every command finds it.`,
        );
      }
      const baseUrl = safeBaseUrl(address);
      const apiKey = await readSecret(shell, `API key for ${baseUrl} (not shown): `);
      if (!apiKey) throw usageError('No key was entered.');
      const identity = await identify(session.connect({ apiKey, baseUrl }), apiKey);
      const projectId = project ?? (before?.baseUrl === baseUrl ? before.projectId : undefined);
      const profiles = { ...known.profiles, [profile]: { baseUrl, apiKey, projectId } };
      await writeProfiles(file, { current: known.current ?? profile, profiles });
      out.note(`Logged in to ${baseUrl} as profile ${profile} (${file}).`);
      if (known.current !== undefined && known.current !== profile)
        out.note(`The current profile is still ${known.current}: platform profiles use ${profile}`);
      if (shell.env.PLATFORM_API_KEY)
        out.warn('PLATFORM_API_KEY is set, and is used instead of the current profile.');
      if (identity.kind === 'access token')
        out.warn('This is an access token. It expires soon; a key lasts longer.');
      if (
        !isLoopback(new URL(baseUrl).hostname) &&
        identity.kind === 'API key' &&
        identity.key.expiresAt === null
      )
        out.warn(
          'This is a root key. Log in with a key that has only the scopes you need: platform keys create',
        );
      await out.item({ profile, baseUrl, ...shownIdentity(identity) });
    },
  });

  define<{ profile?: string }>(program, {
    name: 'logout',
    summary: 'Removes a profile and its key from this machine',
    details: 'The key stays valid: `platform keys revoke` ends it.',
    offline: true,
    options: [['--profile <name>', 'the profile to remove (default: the current profile)']],
    examples: ['logout', 'logout --profile staging'],
    async run({ shell, out }, { profile }) {
      const file = profilesFile(shell);
      const { current, profiles } = await readProfiles(file);
      const name = profile ?? current;
      if (name === undefined) throw usageError('There is no profile.');
      profileNamed({ current, profiles }, name);
      const { [name]: _, ...others } = profiles;
      await writeProfiles(file, { current: current === name ? undefined : current, profiles: others });
      out.note(`The profile ${name} is removed.`);
    },
  });

  define(program, {
    name: 'whoami',
    summary: 'Shows the current key, its address and its permissions',
    examples: ['whoami', 'whoami --profile staging --json'],
    async run(session) {
      const { shell, out, credentials, platform } = session;
      const { from, baseUrl, apiKey, projectId } = credentials;
      const file = profilesFile(shell);
      if (from.kind === 'profile' && (await isExposed(file, shell.platform)))
        out.warn(`Others can read your keys: chmod 600 ${file}`);
      const identity = await identify(platform, apiKey).catch((error) => {
        const place = 'name' in from ? `profile ${from.name}` : 'file' in from ? from.file : 'environment';
        out.note(`Using the key and the address ${baseUrl} (${place}).`);
        throw error;
      });
      const source = {
        profile: 'name' in from ? from.name : undefined,
        source: from.kind,
        baseUrl,
        projectId,
      };
      await out.item({ ...source, ...shownIdentity(identity) });
    },
  });
}

export function addProfiles(program: Command, define: Define): void {
  const parent = program
    .command('profiles')
    .summary('Profiles of this machine')
    .description('Profiles of this machine.');

  define(parent, {
    name: 'list',
    summary: 'Lists the profiles, without their keys',
    offline: true,
    examples: ['profiles list'],
    async run({ shell, out }) {
      const { current, profiles } = await readProfiles(profilesFile(shell));
      const rows = Object.entries(profiles).map(([name, { baseUrl, projectId, apiKey }]) => ({
        name,
        current: name === current,
        baseUrl,
        project: projectId ?? null,
        hint: `${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`,
      }));
      await out.rows(rows, {
        '': ({ current: isCurrent }) => (isCurrent ? '*' : ''),
        name: ({ name }) => name,
        'base url': ({ baseUrl }) => baseUrl,
        project: ({ project }) => project,
        key: ({ hint }) => hint,
      });
    },
  });

  define(parent, {
    name: 'use <name>',
    summary: 'Chooses the profile that is used without --profile',
    offline: true,
    examples: ['profiles use staging'],
    async run({ shell, out }, _options, name) {
      const file = profilesFile(shell);
      const known = await readProfiles(file);
      profileNamed(known, name);
      await writeProfiles(file, { ...known, current: name });
      out.note(`The current profile is ${name}.`);
    },
  });
}

/** Stores the project that a profile uses. */
export async function useProject(
  shell: Parameters<typeof profilesFile>[0],
  profile: string,
  projectId: string,
): Promise<void> {
  const file = profilesFile(shell);
  const known = await readProfiles(file);
  const before = profileNamed(known, profile);
  await writeProfiles(file, {
    ...known,
    profiles: { ...known.profiles, [profile]: { ...before, projectId } },
  });
}
