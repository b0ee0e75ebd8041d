/**
 * The reader checks the claims of tokens of workload identities, and verifies their signatures with the keys of their issuers.
 * It is loaded with the first token. In a bundle it is a separate file with its own copies of all classes, so it returns values
 * instead of errors, and gets DynamoDB from outside.
 */

import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import type { JwtHeader, JwtPayload } from 'aws-jwt-verify/jwt-model';
import { verifyJwtSync } from 'aws-jwt-verify/jwt-verifier';
import { type Audience, parseAudience } from '../api-keys/workload-identities/audience.ts';
import { readKeys } from '../api-keys/workload-identities/issuer.ts';
import { keyFor } from '../api-keys/workload-identities/jwks.ts';
import {
  attemptEveryMs,
  attemptMs,
  claimAttempt,
  keepKeys,
  keysPlan,
} from '../api-keys/workload-identities/store/key-cache.ts';
import type { PublicJwk, StoredIdentity } from '../api-keys/workload-identities/store/stored.ts';
import { isSubject, matchesSubject } from '../api-keys/workload-identities/subject.ts';
import { hourMs, minuteMs, secondMs } from '../base/time.ts';
import type { UpdateParameters } from '../dynamodb/session.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import { messageOf, messagesFor, refuseHeader, refuseTimes } from './jwt-checks.ts';
import { audiencesIn } from './jwt-form.ts';
import { algorithms } from './oidc-issuers.ts';

/** A token is accepted for this time after its issue, even if it is valid for longer: then the run that got it has ended. */
const maxAgeMs = hourMs;
const maxAheadMs = minuteMs;
/** The waits sum to `attemptMs`, in which an attempt of another function ends. */
const waitsMs = [100, 200, 300, 400, 600, 800, 800, 800];

const messages = messagesFor('token');
const unknownIdentity = 'Unknown workload identity';

/** A token whose header is acceptable. Its claims are not verified. */
export type ReadToken = {
  token: string;
  audience: Audience;
  kid: string;
  algorithm: string;
  claims: JwtPayload & { sub: string; exp: number; iat: number };
};

type Refused = { refused: string };

/** `unreachable` is the issuer's fault, for the log. */
export type Verdict =
  | Refused
  | { unreachable: Error; retryAfterSeconds: number }
  | { identity: StoredIdentity; subject: string; expiresAtMs: number };

/** The item of the identity, for one request. */
export type IdentityItem = {
  /** @returns the identity as it is now */
  read(): Promise<StoredIdentity | undefined>;
  /** Tokens of an identity that has ended or is suspended may not cause a request to its issuer. */
  mayReadKeys(identity: StoredIdentity): boolean;
  /** Sends an update of the item at once. @returns whether its condition holds */
  update(parameters: UpdateParameters): Promise<boolean>;
};

export type Outside = Pick<BaseRuntime, 'network' | 'elapsedMs' | 'sleep'>;

export type TokenReader = ReturnType<typeof createReader>;

export function createReader({ network, elapsedMs, sleep }: Outside) {
  return {
    /** Checks what needs no item. */
    read(token: string): ReadToken | Refused {
      try {
        const { header, payload } = decomposeUnverifiedJwt(token);
        return readParts(token, header, payload);
      } catch (error) {
        const reason = messageOf(error, messages);
        if (reason === undefined) throw error;
        return { refused: reason };
      }
    },

    /**
     * Verifies a token. No key is read before the issuer, the subject, the claims and the times match. If another function
     * reads the keys, this one waits. Then everything is checked again with the item that has them.
     * @param storedIdentity the identity that its audience names
     */
    async verify(
      token: ReadToken,
      storedIdentity: StoredIdentity | undefined,
      item: IdentityItem,
      nowMs: number,
    ): Promise<Verdict> {
      const begunMs = elapsedMs();
      const currentMs = () => Math.floor(nowMs + elapsedMs() - begunMs);
      let identity = storedIdentity;
      for (const waitMs of [...waitsMs, undefined]) {
        if (!identity) return { refused: unknownIdentity };
        const reason = refuseClaims(token, identity) ?? refuseAge(token, nowMs);
        if (reason !== undefined) return { refused: reason };
        const step = await keyStep(token, identity, item, currentMs());
        if (step !== 'wait') return 'key' in step ? verifyWith(step.key, token, identity) : step;
        if (waitMs === undefined) break;
        await sleep(waitMs);
        identity = await item.read();
      }
      return unreachable('another function has been reading the keys for too long', attemptMs);
    },
  };

  /** @returns the key that the token names, the end of the request, or that another function is reading the keys */
  async function keyStep(
    { kid, algorithm }: ReadToken,
    identity: StoredIdentity,
    item: IdentityItem,
    nowMs: number,
  ): Promise<{ key: PublicJwk } | 'wait' | Exclude<Verdict, { identity: unknown }>> {
    const { jwks, issuerKeys, jwksUri } = identity;
    const keys = jwks?.keys ?? issuerKeys?.keys ?? [];
    const key = keyFor(keys, kid, algorithm);
    if (!issuerKeys || jwksUri === undefined || !item.mayReadKeys(identity))
      return key ? { key } : { refused: messages.unknownKey };
    const plan = keysPlan(issuerKeys, key !== undefined, nowMs);
    if (plan.kind === 'unknown') return { refused: messages.unknownKey };
    if (plan.kind === 'unavailable')
      return unreachable(`${identity.issuer} did not respond`, plan.retryAfterMs);
    if (plan.kind === 'wait') return 'wait';
    if (plan.kind === 'use') return key ? { key } : { refused: messages.unknownKey };

    if (!(await item.update(claimAttempt(identity, nowMs)))) return 'wait';
    const keySet = await readKeys(jwksUri, network);
    if ('refused' in keySet) {
      if (plan.otherwise === 'use' && key) return { key };
      return unreachable(`${identity.issuer} has keys that ${keySet.refused}`, attemptEveryMs);
    }
    await item.update(keepKeys(identity, keySet.keys, nowMs));
    const publishedKey = keyFor(keySet.keys, kid, algorithm);
    return publishedKey ? { key: publishedKey } : { refused: messages.unknownKey };
  }
}

const unreachable = (why: string, retryAfterMs: number) => ({
  unreachable: new Error(why),
  retryAfterSeconds: Math.ceil(retryAfterMs / secondMs),
});

/** These members of a header bring a key along (RFC 7515 section 4.1). Only the keys of the issuer count. */
const keyMembers = ['jwk', 'jku', 'x5u', 'x5c'];

function readParts(token: string, header: JwtHeader, payload: JwtPayload): ReadToken | Refused {
  const reason = refuseHeader(header, algorithms, messages);
  if (reason !== undefined) return { refused: reason };
  const keyMember = keyMembers.find((name) => Object.hasOwn(header, name));
  if (keyMember !== undefined) return { refused: `This token must not bring its own key (${keyMember})` };
  const { kid, alg } = header;
  if (kid === undefined || kid === '') return { refused: messages.noKeyId };
  const audiences = audiencesIn(token);
  // A receiver of a token with several audiences could use it here.
  if (audiences.length !== 1)
    return { refused: 'This token must have the audience of the workload identity only' };
  const audience = parseAudience(`${audiences[0]}`);
  if (!audience) return { refused: 'The audience (aud) of this token names no workload identity' };
  const { sub, exp, iat } = payload;
  if (sub === undefined || !isSubject(sub))
    return { refused: 'This token needs the claim sub: 1 to 255 printable ASCII characters' };
  if (exp === undefined) return { refused: 'This token needs the claim exp' };
  if (iat === undefined) return { refused: 'This token needs the claim iat' };
  return { token, audience, kid, algorithm: `${alg}`, claims: { ...payload, sub, exp, iat } };
}

/** @returns why the identity does not accept the claims, without the values that it expects */
function refuseClaims({ claims }: ReadToken, { issuer, subject, claims: expected }: StoredIdentity) {
  if (claims.iss !== issuer) return messages.otherIssuer;
  if (!matchesSubject(subject, claims.sub))
    return 'The workload identity does not accept the subject (sub) of this token';
  const claimValues: Readonly<Record<string, unknown>> = claims;
  const wrongClaim = Object.keys(expected).find(
    (name) => !(Object.hasOwn(claimValues, name) && claimValues[name] === expected[name]),
  );
  return (
    wrongClaim &&
    `The claim ${wrongClaim} of this token does not have the value that the workload identity requires`
  );
}

function refuseAge({ claims }: ReadToken, nowMs: number): string | undefined {
  const issuedMs = claims.iat * secondMs;
  if (issuedMs > nowMs + maxAheadMs) return messages.notYetValid;
  if (nowMs - issuedMs > maxAgeMs) return 'This token was issued more than an hour ago';
  return refuseTimes(claims, nowMs, maxAheadMs, messages);
}

function verifyWith(key: PublicJwk, { token, claims }: ReadToken, identity: StoredIdentity): Verdict {
  try {
    // The times have been checked, by the clock of the request. The audience has led to the identity.
    const options = { issuer: identity.issuer, audience: null, graceSeconds: Number.POSITIVE_INFINITY };
    verifyJwtSync(token, key, options);
  } catch (error) {
    const reason = messageOf(error, messages);
    if (reason === undefined) throw error;
    return { refused: reason };
  }
  const endMs = Math.min(claims.exp * secondMs, claims.iat * secondMs + maxAgeMs);
  return { identity, subject: claims.sub, expiresAtMs: Math.floor(endMs) };
}
