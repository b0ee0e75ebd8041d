/** The source of the tokens of a workload identity. A profile stores the source, and never a token. */

import { resolve } from 'node:path';
import { CliError, usageError } from '../errors.ts';
import type { Shell } from '../shell.ts';

export type TokenSource =
  /** The runner issues a token for each request. */
  | { from: 'github-actions' | 'buildkite'; audience: string }
  /** A system such as Kubernetes keeps the token in the file fresh. The path of the file is absolute. */
  | { from: 'file'; file: string; audience?: string | undefined }
  /** The token is in `PLATFORM_ID_TOKEN`, as GitLab sets it. */
  | { from: 'variable'; audience?: string | undefined };

type Wishes = { audience?: string | undefined; tokenFile?: string | undefined };

const permission =
  'Give the job the permission: `permissions: { id-token: write, contents: read }`. GitHub gives it to no pull request of a fork.';

/**
 * The order is: `--token-file`, `PLATFORM_ID_TOKEN_FILE`, `PLATFORM_ID_TOKEN`, GitHub Actions, Buildkite. The order for the
 * audience is: `--audience`, `PLATFORM_AUDIENCE`.
 * @throws CliError that says which piece is missing
 */
export function findSource(
  { env, cwd }: Pick<Shell, 'env' | 'cwd'>,
  { audience: audienceOption, tokenFile }: Wishes = {},
): TokenSource {
  const text = (audienceOption ?? env.PLATFORM_AUDIENCE)?.trim();
  const audience = text ? checkedAudience(text) : undefined;
  const file = tokenFile ?? (env.PLATFORM_ID_TOKEN_FILE?.trim() || undefined);
  if (file === '') throw usageError('--token-file needs the path of a file.');
  if (file !== undefined) return { from: 'file', file: resolve(cwd, file), ...(audience && { audience }) };
  if (env.PLATFORM_ID_TOKEN) return { from: 'variable', ...(audience && { audience }) };
  const from = runnerOf(env);
  if (!audience)
    throw usageError(
      `Which workload identity? ${runnerNames[from]} issues a token for an audience.`,
      'Add --audience, or set PLATFORM_AUDIENCE. `platform workload-identities list` shows the audience of each identity.',
    );
  return { from, audience };
}

const runnerNames = { 'github-actions': 'GitHub Actions', buildkite: 'Buildkite' } as const;

/** @throws CliError if nothing here issues tokens */
function runnerOf(env: Shell['env']): keyof typeof runnerNames {
  if (env.ACTIONS_ID_TOKEN_REQUEST_URL && env.ACTIONS_ID_TOKEN_REQUEST_TOKEN) return 'github-actions';
  if (env.BUILDKITE === 'true') return 'buildkite';
  const missing = (message: string, next: string) => new CliError('refused', message, next);
  if (env.ACTIONS_ID_TOKEN_REQUEST_URL || env.ACTIONS_ID_TOKEN_REQUEST_TOKEN)
    throw missing(
      `${env.ACTIONS_ID_TOKEN_REQUEST_URL ? 'ACTIONS_ID_TOKEN_REQUEST_TOKEN' : 'ACTIONS_ID_TOKEN_REQUEST_URL'} is not set, so ` +
        'there is no token.',
      'GitHub Actions sets both variables. A container or a script must pass both on.',
    );
  if (env.GITHUB_ACTIONS === 'true') throw missing('This job may not get a token of GitHub.', permission);
  if (env.GITLAB_CI === 'true')
    throw missing(
      'This job has no token: PLATFORM_ID_TOKEN is not set.',
      'Add `id_tokens: { PLATFORM_ID_TOKEN: { aud: AUDIENCE } }` to the job.',
    );
  if (env.KUBERNETES_SERVICE_HOST)
    throw missing(
      'This container has no token for the API: PLATFORM_ID_TOKEN_FILE is not set.',
      'Mount a projected service account token with the audience, and add --token-file PATH.',
    );
  throw missing(
    'There is no source of tokens here.',
    'Add --token-file PATH, or set PLATFORM_ID_TOKEN. GitHub Actions and Buildkite are found without an option.',
  );
}

/** @throws CliError unless it can be the audience of a workload identity */
function checkedAudience(text: string): string {
  if (/^urn:platform:[\w-]+:(?:live|test):wid_\w+$/.test(text) && text.length <= 255) return text;
  throw usageError(
    `This is not the audience of a workload identity: ${JSON.stringify(text.slice(0, 255))}`,
    'It looks like urn:platform:org_…:live:wid_…. `platform workload-identities list` shows the audience of each identity.',
  );
}

/** @returns the name of the source for people: `GitHub Actions` */
export function sourceName(source: TokenSource): string {
  if (source.from === 'file') return source.file;
  return source.from === 'variable' ? 'PLATFORM_ID_TOKEN' : runnerNames[source.from];
}

/** @returns whether a stored value is a source that this version knows */
export function isSource(value: unknown): value is TokenSource {
  if (typeof value !== 'object' || value === null) return false;
  const { from, audience, file } = value as Partial<Record<'from' | 'audience' | 'file', unknown>>;
  if (audience !== undefined && typeof audience !== 'string') return false;
  if (from === 'file') return typeof file === 'string';
  return (
    from === 'variable' || ((from === 'github-actions' || from === 'buildkite') && audience !== undefined)
  );
}
