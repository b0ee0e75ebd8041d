/** The commands `login`, `logout`, `whoami` and `profiles`. */

import type { Command } from 'commander';
import type { ApiKey, Me, Platform } from '../../../clients/typescript/src/index.ts';
import { ApiError } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';
import { findDevServer, isLoopback, safeBaseUrl } from '../config/address.ts';
import { findCredentials, profileNamed } from '../config/credentials.ts';
import { isExposed, profilesFile, readProfiles, type Secret, writeProfiles } from '../config/profiles.ts';
import { CliError, usageError } from '../errors.ts';
import { readSecret } from '../input.ts';
import { findSource, sourceName } from '../oidc/token-source.ts';

/** The credential and its permissions. */
type Identity = { me: Me; key?: ApiKey };

/** @throws the API's error if the credential is not valid */
async function identify(platform: Platform, secret: Secret): Promise<Identity> {
  try {
    return await identityOf(platform, secret);
  } catch (error) {
    // No path contains the key, so a 404 means that the address is wrong.
    if (error instanceof ApiError && error.status === 404)
      throw new CliError(
        'notFound',
        `There is no API at ${platform.baseUrl}.`,
        'Check the address. It usually ends in /api/v1.',
      );
    throw error;
  }
}

async function identityOf(platform: Platform, secret: Secret): Promise<Identity> {
  if (!('apiKey' in secret && secret.apiKey.startsWith('sk_'))) return { me: await platform.me.get() };
  const [key, me] = await Promise.all([platform.apiKeys.me(), platform.me.get()]);
  return { key, me };
}

/** @param secret only the source of its tokens is shown, and never a key */
function identityFields({ key, me }: Identity, secret: Secret): Record<string, unknown> {
  const {
    kind,
    id,
    subject,
    organisationId,
    organisationName,
    mode,
    scopes,
    projectIds,
    environments,
    expiresAt,
  } = me;
  return {
    kind: kind === 'api_key' ? 'API key' : kind.replaceAll('_', ' '),
    id,
    ...(subject && { subject }),
    ...('oidc' in secret && { tokenFrom: sourceName(secret.oidc) }),
    ...(key && { name: key.name }),
    organisationId,
    organisationName,
    mode,
    ...(key && secretOf({ key, me })),
    scopes,
    projectIds: projectIds ?? 'all',
    environments: environments ?? 'all',
    expiresAt: expiresAt ?? 'never',
  };
}

/** The key has the hint of its current secret, and the end of the key. `GET /me` has the end of the secret that is used. */
function secretOf({ key, me }: { key: ApiKey; me: Me }): Record<string, string> {
  if (me.expiresAt === key.expiresAt) return { hint: key.hint };
  return { secret: `old secret of a rotated key, ends ${me.expiresAt}` };
}

type LoginOptions = {
  profile?: string;
  baseUrl?: string;
  project?: string;
  oidc?: boolean;
  audience?: string;
  tokenFile?: string;
};

export function addLogin(program: Command, define: Define): void {
  define<LoginOptions>(program, {
    name: 'login',
    summary: 'Stores a key, or a source of tokens, in a profile, after checking it',
    details:
      'The command asks for the key without showing it, or reads it from standard input. There is no option for it, because `ps` shows options to everybody on the machine.\n\n' +
      'With --oidc, the profile has no secret: each request gets a token of the workload identity from --token-file, ' +
      'PLATFORM_ID_TOKEN_FILE, PLATFORM_ID_TOKEN, GitHub Actions or Buildkite, in this order.',
    offline: true,
    options: [
      ['--profile <name>', 'the profile to create or replace', { default: 'default' }],
      ['--base-url <url>', 'such as https://api.example.com/api/v1'],
      ['--project <id>', 'the project that this profile uses without --project'],
      ['--oidc', 'as a workload identity, with tokens of the CI or of the cluster'],
      ['--audience <urn>', 'the audience of the workload identity (default: PLATFORM_AUDIENCE)'],
      ['--token-file <path>', 'a file that always has a fresh token (default: PLATFORM_ID_TOKEN_FILE)'],
    ],
    examples: [
      'login --base-url https://api.example.com/api/v1',
      'login --profile staging --base-url https://staging.example.com/api/v1 < key.txt',
      'login --oidc --audience urn:platform:org_…:live:wid_… --base-url https://api.example.com/api/v1',
    ],
    async run(session, { profile = 'default', baseUrl: url, project, oidc, audience, tokenFile }) {
      const { shell, out } = session;
      if (!/^[\w.-]{1,64}$/.test(profile) || profile === '__proto__')
        throw usageError(
          'The name of a profile has up to 64 letters, digits, dots, hyphens and underscores.',
        );
      if (!oidc && (audience !== undefined || tokenFile !== undefined))
        throw usageError(`${audience === undefined ? '--token-file' : '--audience'} needs --oidc.`);
      const file = profilesFile(shell);
      const { current, profiles } = await readProfiles(file);
      const previous = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
      const address = url ?? shell.env.PLATFORM_BASE_URL ?? previous?.baseUrl;
      if (!address) {
        const server = await findDevServer(shell);
        throw usageError(
          'Which API? Add --base-url.',
          server && `The dev server at ${server.baseUrl} needs no login: every command finds it.`,
        );
      }
      const baseUrl = safeBaseUrl(address);
      const secret = oidc
        ? { oidc: findSource(shell, { audience, tokenFile }) }
        : { apiKey: await readSecret(shell, `API key for ${baseUrl} (not shown): `) };
      if ('apiKey' in secret && !secret.apiKey) throw usageError('No key was entered.');
      const identity = await identify(session.connect({ secret, baseUrl }), secret);
      const projectId = project ?? (previous?.baseUrl === baseUrl ? previous.projectId : undefined);
      await writeProfiles(file, {
        current: current ?? profile,
        profiles: { ...profiles, [profile]: { baseUrl, ...secret, projectId } },
      });
      out.note(`Logged in to ${baseUrl} as profile ${profile} (${file}).`);
      if (current !== undefined && current !== profile)
        out.note(`The current profile is still ${current}: platform profiles use ${profile}`);
      if (shell.env.PLATFORM_API_KEY)
        out.warn('PLATFORM_API_KEY is set, and is used instead of the current profile.');
      else if ((await findCredentials(shell, {}).catch(() => undefined))?.from.kind === 'environment')
        out.warn(
          'The variables name another identity or token, which is used instead of the current profile.',
        );
      for (const sentence of warningsOf(identity, secret, baseUrl)) out.warn(sentence);
      await out.item({ profile, baseUrl, ...identityFields(identity, secret) });
    },
  });

  define<{ profile?: string }>(program, {
    name: 'logout',
    summary: 'Removes a profile and its key from this machine',
    details:
      'The key stays valid: `platform keys revoke` ends it. A workload identity stays, too: `platform workload-identities ' +
      'delete` ends it.',
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
      const { from, baseUrl, secret, projectId } = credentials;
      const file = profilesFile(shell);
      if (from.kind === 'profile' && (await isExposed(file, shell.platform)))
        out.warn(`Others can read your keys: chmod 600 ${file}`);
      const identity = await identify(platform, secret).catch((error) => {
        const place = 'name' in from ? `profile ${from.name}` : 'file' in from ? from.file : 'environment';
        const what = 'oidc' in secret ? `tokens from ${sourceName(secret.oidc)}` : 'the key';
        out.note(`Using ${what} and the address ${baseUrl} (${place}).`);
        throw error;
      });
      const source = {
        profile: 'name' in from ? from.name : undefined,
        source: from.kind,
        baseUrl,
        projectId,
      };
      await out.item({ ...source, ...identityFields(identity, secret) });
    },
  });
}

function warningsOf({ key, me }: Identity, secret: Secret, baseUrl: string): string[] {
  if (me.kind === 'access_token' && 'apiKey' in secret)
    return ['This is an access token. It expires soon; a key lasts longer.'];
  if ('apiKey' in secret && !key)
    return ['This token expires soon. `platform login --oidc` stores where tokens come from.'];
  if (key && key.expiresAt === null && !isLoopback(new URL(baseUrl).hostname))
    return ['This is a root key. Log in with a key that has only the scopes you need: platform keys create'];
  return [];
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
      const rows = Object.entries(profiles).map(([name, profile]) => ({
        name,
        current: name === current,
        baseUrl: profile.baseUrl,
        project: profile.projectId ?? null,
        hint: 'apiKey' in profile ? `${profile.apiKey.slice(0, 8)}…${profile.apiKey.slice(-4)}` : null,
        tokenFrom: 'oidc' in profile ? sourceName(profile.oidc) : null,
        audience: ('oidc' in profile && profile.oidc.audience) || null,
      }));
      await out.rows(rows, {
        '': ({ current: isCurrent }) => (isCurrent ? '*' : ''),
        name: ({ name }) => name,
        'base url': ({ baseUrl }) => baseUrl,
        project: ({ project }) => project,
        key: ({ hint, tokenFrom }) => hint ?? `token from ${tokenFrom}`,
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
      const config = await readProfiles(file);
      profileNamed(config, name);
      await writeProfiles(file, { ...config, current: name });
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
  const { current, profiles } = await readProfiles(file);
  const previous = profileNamed({ current, profiles }, profile);
  await writeProfiles(file, { current, profiles: { ...profiles, [profile]: { ...previous, projectId } } });
}
