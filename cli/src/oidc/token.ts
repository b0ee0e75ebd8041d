/** A token of a workload identity, for one request. No error shows a token. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ProxyError } from '../../../clients/typescript/src/index.ts';
import { ownFetch } from '../../../clients/typescript/src/node.ts';
import { isLoopback } from '../config/address.ts';
import { CliError } from '../errors.ts';
import type { Shell } from '../shell.ts';
import { sourceName, type TokenSource } from './token-source.ts';

/** Tokens of runners have 1 to 3 KB. */
const maxBytes = 16 * 1024;
const timeoutMs = 10_000;
const pausesMs = [500, 1000, 2000];

const refusal = (message: string, next?: string) => new CliError('refused', message, next);

/**
 * Gets a token. Tokens live for minutes, so each request of the API has a token of its own.
 * @throws CliError if there is none, or if it is for another audience
 */
export async function tokenFrom(shell: Shell, source: TokenSource): Promise<string> {
  const token = (await read(shell, source)).trim();
  checkAudience(token, source);
  return token;
}

function read(shell: Shell, source: TokenSource): Promise<string> | string {
  switch (source.from) {
    case 'github-actions':
      return fromGitHub(shell, source.audience);
    case 'buildkite':
      return fromBuildkite(shell, source.audience);
    case 'file':
      return fromFile(source.file);
    case 'variable':
      return fromVariable(shell);
  }
}

function fromVariable({ env }: Shell): string {
  if (env.PLATFORM_ID_TOKEN) return env.PLATFORM_ID_TOKEN;
  throw refusal(
    'There is no token: PLATFORM_ID_TOKEN is not set.',
    'GitLab sets this variable with `id_tokens: { PLATFORM_ID_TOKEN: { aud: AUDIENCE } }` in the job.',
  );
}

async function fromFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw refusal(
      `The token cannot be read: ${error.message}`,
      'Correct --token-file or PLATFORM_ID_TOKEN_FILE.',
    );
  });
}

/** https://docs.github.com/actions/reference/security/oidc#methods-for-requesting-the-oidc-token */
async function fromGitHub(shell: Shell, audience: string): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = shell.env;
  if (!address || !secret)
    throw refusal(
      'There is no token: ACTIONS_ID_TOKEN_REQUEST_URL and ACTIONS_ID_TOKEN_REQUEST_TOKEN are not set.',
      'GitHub Actions sets both in jobs with `permissions: { id-token: write }`.',
    );
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // The request token is a secret: nobody may read it on the way.
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))))
    throw refusal('ACTIONS_ID_TOKEN_REQUEST_URL must be an address with https://.');
  url.searchParams.set('audience', audience);
  for (let number = 0; ; number += 1) {
    const reply = await ask(url, secret);
    if ('token' in reply) return reply.token;
    const pauseMs = pausesMs[number];
    const problem = `GitHub Actions issues no token: ${reply.problem}.`;
    if (!reply.isTemporary) throw refusal(problem, 'Check the permissions of the job: `id-token: write`.');
    if (pauseMs === undefined) throw new CliError('temporary', problem, 'Run the same command again.');
    await shell.sleep(pauseMs, AbortSignal.timeout(timeoutMs));
  }
}

type Reply = { token: string } | { problem: string; isTemporary: boolean };

async function ask(url: URL, secret: string): Promise<Reply> {
  const limit = { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' as const };
  try {
    const headers = { Authorization: `Bearer ${secret}`, Accept: 'application/json' };
    const response = await ownFetch(url, { headers, ...limit });
    const { status } = response;
    const isTemporary = status === 429 || status >= 500;
    if (status !== 200) {
      await response.body?.cancel();
      return { problem: `${url.origin} answered with status ${status}`, isTemporary };
    }
    const token = valueIn(await boundedText(response));
    return token === undefined
      ? { problem: `the answer of ${url.origin} has no token`, isTemporary: false }
      : { token };
  } catch (error) {
    if (error instanceof ProxyError) throw error;
    // The message of `fetch` could contain the header with the secret.
    const { name, cause } = error as Error;
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    const problem =
      name === 'TimeoutError' ? `${url.origin} did not answer in time` : `${url.origin} cannot be reached`;
    return { problem: `${problem}${code}`, isTemporary: true };
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > 2 * maxBytes) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function valueIn(text: string): string | undefined {
  try {
    const { value } = JSON.parse(text) as { value?: unknown };
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** https://buildkite.com/docs/agent/v3/cli-oidc */
async function fromBuildkite({ env, cwd }: Shell, audience: string): Promise<string> {
  const words = ['oidc', 'request-token', '--audience', audience];
  const options = { env: { ...env }, cwd, timeout: 3 * timeoutMs, maxBuffer: 4 * maxBytes };
  try {
    return (await promisify(execFile)('buildkite-agent', words, options)).stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT')
      throw refusal(
        'Buildkite issues no token: buildkite-agent is not installed here.',
        'Run the command on the agent, or mount buildkite-agent into the container (`mount-buildkite-agent: true`).',
      );
    const reason = stderr?.trim().split('\n').at(-1)?.slice(0, 200);
    throw refusal(`Buildkite issues no token: buildkite-agent has failed${reason ? `: ${reason}` : ''}.`);
  }
}

/** The API checks the whole token. A token for another audience is not sent at all. */
function checkAudience(token: string, source: TokenSource): void {
  const from = sourceName(source);
  if (token === '') throw refusal(`The token from ${from} is empty.`);
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? [];
  const claims = payload === undefined || token.length > maxBytes ? undefined : claimsIn(payload);
  if (!claims) throw refusal(`The token from ${from} is not a JWT.`);
  const audiences = [claims.aud].flat().map(String);
  const { audience } = source;
  const [first = ''] = audiences;
  const isRight = audience === undefined ? first.startsWith('urn:platform:') : first === audience;
  if (audiences.length === 1 && isRight) return;
  const names = audiences.map((one) => one.slice(0, 255)).slice(0, 3);
  throw refusal(
    `The token from ${from} is for ${claims.aud === undefined ? 'no audience' : names.join(', ')}, not for ` +
      `${audience ?? 'a workload identity (urn:platform:…)'} alone.`,
    'The issuer must set the audience of the workload identity as `aud`. `platform workload-identities list` shows it.',
  );
}

function claimsIn(payload: string): { aud?: unknown } | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof claims === 'object' && claims !== null ? claims : undefined;
  } catch {
    return undefined;
  }
}
