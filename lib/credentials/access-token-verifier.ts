/**
 * Checks access tokens, with the keys that their issuer publishes: the only place that talks to it. Loaded with the first
 * token, so that API keys do not wait for it. In a bundle this is a file of its own, with copies of its own of every class:
 * it answers with values, as nobody else could tell its errors apart.
 */

import {
  JwkInvalidKtyError,
  JwkInvalidUseError,
  JwksValidationError,
  JwkValidationError,
  JwtExpiredError,
  JwtInvalidAudienceError,
  JwtInvalidIssuerError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  JwtParseError,
  JwtWithoutValidKidError,
  KidNotFoundInJwksError,
  WaitPeriodNotYetEndedJwkError,
} from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { decomposeUnverifiedJwt, validateJwtFields } from 'aws-jwt-verify/jwt';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { secondMs } from '../time.ts';
import { type Claims, isAccessToken } from './access-token.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** `refused` says why, to the caller; `unreachable` is what went wrong with the issuer, for the log. */
export type Verdict = { claims: Claims } | { refused: string } | { unreachable: Error };

export type Verify = (token: string, nowMs: number) => Promise<Verdict>;

/** A key that the issuer withdraws is refused so long after at the latest. */
const maxKeysAgeMs = 300 * secondMs;

const fetchTimeoutMs = 3 * secondMs;
const maxKeysBytes = 256 * 1024;

const expired = 'This access token has expired';
const notYetValid = 'This access token is not valid yet';
const unknownKey = 'The key that signed this access token is not published by its issuer';
const otherAlgorithm = 'This access token is signed with the wrong algorithm';
const malformed = 'Malformed access token';
const noAccessToken =
  'This is not an access token: it needs typ at+jwt in its header, or the claim token_use with the ' +
  'value access';

/** The library's classes of errors, in our words: theirs quote the token. */
const refusals = new Map<unknown, string>([
  [JwtParseError, malformed],
  [JwtExpiredError, expired],
  [JwtNotBeforeError, notYetValid],
  [JwtInvalidIssuerError, 'This access token is from another issuer'],
  [JwtInvalidAudienceError, 'This access token is for another audience'],
  [JwtInvalidSignatureAlgorithmError, otherAlgorithm],
  [JwtInvalidSignatureError, 'The signature of this access token is invalid'],
  [JwtWithoutValidKidError, 'This access token has no key id (kid)'],
  [KidNotFoundInJwksError, unknownKey],
  // Somebody has just asked for a key that there is not, and so soon the library does not fetch again.
  [WaitPeriodNotYetEndedJwkError, unknownKey],
  [JwkInvalidUseError, unknownKey],
  [JwkInvalidKtyError, unknownKey],
]);

class IssuerFault extends Error {
  override readonly name = 'IssuerFault';
}

export function createVerifier({ issuer, audience, jwksUri, algorithm, tokenType }: OidcSettings): Verify {
  const keys = new SimpleJwksCache({ fetcher: { fetch: fetchKeys } });
  const verifier = JwtVerifier.create({ issuer, audience, jwksUri }, { jwksCache: keys });
  let fetchedAtMs = Number.NEGATIVE_INFINITY;

  /** The library fetches again for a `kid` that it does not know, and keeps one that it knows for good. */
  async function refreshKeys(nowMs: number): Promise<void> {
    if (nowMs - fetchedAtMs < maxKeysAgeMs) return;
    // Requests at the same time share the cache's one fetch. Handing its outcome to the verifier lets go of the keys that
    // this has prepared: an issuer may give a new key an old name.
    verifier.cacheJwks(await keys.getJwks(jwksUri));
    fetchedAtMs = nowMs;
  }

  /** What shows without a key: a stranger's token must not make us ask the issuer. */
  function refuseUnseen(token: string, nowMs: number): string | undefined {
    const { header, payload } = decomposeUnverifiedJwt(token);
    // RFC 7515 section 4.1.11: what is critical and not understood is refused. We understand no extension.
    if (header.crit !== undefined) return malformed;
    if (header.alg !== algorithm) return otherAlgorithm;
    const { exp, nbf } = payload;
    // By the clock of the request, and strictly: at `exp` a token has expired (RFC 7519 section 4.1.4).
    if (exp !== undefined && exp * secondMs <= nowMs) return expired;
    if (nbf !== undefined && nbf * secondMs > nowMs) return notYetValid;
    validateJwtFields(payload, { issuer, audience });
    return isAccessToken(header, payload, tokenType) ? undefined : noAccessToken;
  }

  return async (token, nowMs) => {
    try {
      const refused = refuseUnseen(token, nowMs);
      if (refused !== undefined) return { refused };
      await refreshKeys(nowMs);
      return { claims: await verifier.verify(token) };
    } catch (error) {
      const refused = refusals.get((error as Error).constructor);
      if (refused !== undefined) return { refused };
      if (
        error instanceof IssuerFault ||
        error instanceof JwksValidationError ||
        error instanceof JwkValidationError
      ) {
        return { unreachable: error };
      }
      throw error;
    }
  };
}

/** @throws IssuerFault when the keys do not come, whole, in time and from where they should */
async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  try {
    const answer = await fetch(uri, {
      redirect: 'error',
      signal: AbortSignal.timeout(fetchTimeoutMs),
      // A function is frozen between requests; a connection that is kept would be found dead.
      headers: { Accept: 'application/json', Connection: 'close' },
    });
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body ?? []) {
      size += chunk.length;
      if (size > maxKeysBytes) throw new Error(`more than ${maxKeysBytes} bytes`);
      chunks.push(chunk);
    }
    return new Uint8Array(Buffer.concat(chunks)).buffer;
  } catch (cause) {
    throw new IssuerFault(`the keys at ${uri} could not be fetched`, { cause });
  }
}
