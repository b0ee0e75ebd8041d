/**
 * The tokens of a job in GitHub Actions, for this machine: the endpoint that gives a job its ID token, and the claims of the
 * tokens. Sources: "OpenID Connect reference", GitHub Docs; `@actions/core`, `getIDToken`.
 */

import { createHash, type KeyObject, randomUUID, sign, timingSafeEqual } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';

export type SigningKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject };

export const ciTokenPath = '/ci/token';

/** The variables that a job with `permissions: id-token: write` has. */
export type CiVariables = {
  /** Ends with a query, because the job appends `&audience=…`. */
  ACTIONS_ID_TOKEN_REQUEST_URL: string;
  /** The bearer of the request. */
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: string;
};

/** @param token the secret of the endpoint */
export const ciVariables = (issuer: string, token: string): CiVariables => ({
  ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}${ciTokenPath}?api-version=2.0`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
});

/** The claims that a request can choose, with those of the job that this machine pretends to be. GitHub sends ids as strings. */
const usualJob = {
  repository: 'acme/shop',
  repository_id: '1001',
  repository_owner_id: '2002',
  ref: 'refs/heads/main',
  environment: 'production',
  event_name: 'push',
};

type Job = typeof usualJob;

const isOfJob = (name: string): name is keyof Job => Object.hasOwn(usualJob, name);

/** How long a token of GitHub Actions is valid. */
const lifetimeSeconds = 300;

/**
 * @param query `audience`, and claims in place of the usual claims: `repository_id=9`, or `environment=` for none
 * @returns the claims, as GitHub's for a repository whose subjects have ids; or the name of an unknown parameter
 */
export function ciClaims(
  issuer: string,
  query: URLSearchParams,
  nowSeconds: number,
): Readonly<Record<string, unknown>> | { unknown: string } {
  const chosen = [...query].filter(([name]) => !['audience', 'api-version'].includes(name));
  const unknown = chosen.find(([name]) => !isOfJob(name));
  if (unknown) return { unknown: unknown[0] };
  const job: Job = { ...usualJob, ...Object.fromEntries(chosen) };
  const [owner = ''] = job.repository.split('/');
  const { environment, ...others } = job;
  return {
    iss: issuer,
    sub: subjectOf(job),
    aud: query.get('audience') ?? `https://github.com/${owner}`,
    ...others,
    ...(environment !== '' && { environment }),
    repository_owner: owner,
    job_workflow_ref: `${job.repository}/.github/workflows/deploy.yml@${job.ref}`,
    jti: randomUUID(),
    nbf: nowSeconds - 600,
    iat: nowSeconds,
    exp: nowSeconds + lifetimeSeconds,
  };
}

/** The default subject ("Immutable subject claims", GitHub Docs): the names with their ids, and the reason of the run. */
function subjectOf({ repository, repository_owner_id, repository_id, ref, environment, event_name }: Job) {
  const [owner = '', name = ''] = repository.split('/');
  const context =
    environment !== ''
      ? `environment:${environment.replaceAll(':', '%3A')}`
      : event_name === 'pull_request'
        ? 'pull_request'
        : `ref:${ref}`;
  return `repo:${owner}@${repository_owner_id}/${name}@${repository_id}:${context}`;
}

/**
 * Answers `GET /ci/token`.
 * @param token the bearer that a request must have
 * @param key returns the issuer's signing key
 */
export function ciTokenEndpoint(issuer: string, token: string, key: () => SigningKey): RequestListener {
  return (request, response) => {
    if (request.method !== 'GET') return answer(response, 405, { message: 'The endpoint supports GET.' });
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`))
      return answer(response, 401, { message: 'The bearer is not ACTIONS_ID_TOKEN_REQUEST_TOKEN.' });
    const { searchParams } = new URL(request.url ?? '', issuer);
    const claims = ciClaims(issuer, searchParams, Math.floor(Date.now() / 1000));
    if ('unknown' in claims)
      return answer(response, 400, {
        message: `A token has no claim "${claims.unknown}" that a request can choose. It can choose: ${Object.keys(usualJob).join(', ')}.`,
      });
    const value = signed(claims, key());
    return answer(response, 200, { count: value.length, value });
  };
}

const answer = (response: ServerResponse, status: number, body: object) =>
  void response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));

const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other));
const digest = (text: string) => createHash('sha256').update(text).digest();

function signed(claims: object, { kid, privateKey }: SigningKey): string {
  const text = [{ typ: 'JWT', alg: 'RS256', kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}
