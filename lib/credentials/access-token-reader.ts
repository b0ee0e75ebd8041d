/**
 * The reader verifies access tokens with the published keys of their issuers, and takes their holder from their claims. It is
 * loaded with the first token. In a bundle it is a separate file with its own copies of all classes, so it returns values
 * instead of errors. Only this file calls the issuers of access tokens.
 */

import { JwksValidationError, JwkValidationError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { decomposeUnverifiedJwt, validateJwtFields } from 'aws-jwt-verify/jwt';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { secondMs } from '../base/time.ts';
import { type Claims, isAccessToken, readHolder, type TokenHolder, UnusableToken } from './access-token.ts';
import { messageOf, messagesFor, refuseHeader, refuseTimes } from './jwt-checks.ts';
import { mayName, type OidcIssuer, oidcIssuers } from './oidc-issuers.ts';

export type ReadToken = (token: string, nowMs: number) => Promise<{ holder: TokenHolder } | Fault>;

/**
 * @param env `OIDC_ISSUERS`
 * @throws Error that names a mistake in the variable
 */
export function createReader(env: Readonly<Record<string, string | undefined>>): ReadToken {
  const issuers = oidcIssuers(env);
  const verify = createVerifier(issuers);

  return async (token, nowMs) => {
    const verdict = await verify(token, nowMs);
    if (!('claims' in verdict)) return verdict;
    const { claims, issuer } = verdict;
    try {
      const holder = readHolder(claims, issuer);
      if (mayName(issuers, issuer, holder.organisationId)) return { holder };
      return { refused: 'The issuer of this access token may not name this organisation' };
    } catch (error) {
      if (error instanceof UnusableToken) return { refused: error.message };
      throw error;
    }
  };
}

/** `refused` is the reason for the caller; `unreachable` is the issuer's fault, for the log. */
export type Fault = { refused: string } | { unreachable: Error };

type Verdict = { claims: Claims; issuer: OidcIssuer } | Fault;

type Verify = (token: string, nowMs: number) => Promise<Verdict>;

/** A withdrawn key is refused after this time at the latest. */
const maxKeysAgeMs = 300 * secondMs;

const fetchTimeoutMs = 3 * secondMs;
const maxKeysBytes = 256 * 1024;

const messages = messagesFor('access token');
const noAccessToken =
  'This is not an access token: it needs typ at+jwt in its header, or the claim token_use with the ' +
  'value access';

class IssuerFault extends Error {
  override readonly name = 'IssuerFault';
}

/** `iss` selects the settings and the keys, so the keys of an issuer cannot sign tokens of another issuer. */
export function createVerifier(issuers: readonly OidcIssuer[]): Verify {
  const verifiers = new Map(issuers.map((issuer) => [issuer.issuer, verifierOf(issuer)]));

  return async (token, nowMs) => {
    try {
      const { payload } = decomposeUnverifiedJwt(token);
      const verify = typeof payload.iss === 'string' ? verifiers.get(payload.iss) : undefined;
      return verify ? await verify(token, nowMs) : { refused: messages.otherIssuer };
    } catch (error) {
      const reason = messageOf(error, messages);
      if (reason !== undefined) return { refused: reason };
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

/** @returns the verifier of one issuer, which throws the library's errors */
function verifierOf(settings: OidcIssuer): Verify {
  const { issuer, audience, jwksUri, algorithm, tokenType } = settings;
  const keys = new SimpleJwksCache({ fetcher: { fetch: fetchKeys } });
  const verifier = JwtVerifier.create({ issuer, audience, jwksUri }, { jwksCache: keys });
  let fetchedAtMs = Number.NEGATIVE_INFINITY;

  /** The library fetches again for an unknown `kid`, and keeps a known key for ever. */
  async function refreshKeys(nowMs: number): Promise<void> {
    if (nowMs - fetchedAtMs < maxKeysAgeMs) return;
    // Concurrent requests share one fetch. Passing its result to the verifier drops the prepared keys, because an
    // issuer may reuse the name of a key.
    verifier.cacheJwks(await keys.getJwks(jwksUri));
    fetchedAtMs = nowMs;
  }

  /** These checks need no key, so a stranger's token does not cause a request to the issuer. */
  function refuseUnseen(token: string, nowMs: number): string | undefined {
    const { header, payload } = decomposeUnverifiedJwt(token);
    const reason = refuseHeader(header, [algorithm], messages) ?? refuseTimes(payload, nowMs, 0, messages);
    if (reason !== undefined) return reason;
    validateJwtFields(payload, { issuer, audience });
    return isAccessToken(header, payload, tokenType) ? undefined : noAccessToken;
  }

  return async (token, nowMs) => {
    const reason = refuseUnseen(token, nowMs);
    if (reason !== undefined) return { refused: reason };
    await refreshKeys(nowMs);
    return { claims: await verifier.verify(token), issuer: settings };
  };
}

/** @throws IssuerFault if the keys do not arrive completely, in time and from the configured address */
async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(uri, {
      redirect: 'error',
      signal: AbortSignal.timeout(fetchTimeoutMs),
      // A function is frozen between requests, so an open connection would be dead.
      headers: { Accept: 'application/json', Connection: 'close' },
    });
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxKeysBytes) throw new Error(`more than ${maxKeysBytes} bytes`);
      chunks.push(chunk);
    }
    return new Uint8Array(Buffer.concat(chunks)).buffer;
  } catch (cause) {
    throw new IssuerFault(`the keys at ${uri} could not be fetched`, { cause });
  }
}
