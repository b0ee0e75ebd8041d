/** These checks of a JWT are the same for access tokens and for tokens of workload identities. */

import {
  JwkInvalidKtyError,
  JwkInvalidUseError,
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
import { secondMs } from '../base/time.ts';

/** @param token what the message calls the token, such as `access token` */
export const messagesFor = (token: string) => ({
  expired: `This ${token} has expired`,
  notYetValid: `This ${token} is not valid yet`,
  unknownKey: `The key that signed this ${token} is not published by its issuer`,
  otherAlgorithm: `This ${token} is signed with the wrong algorithm`,
  otherIssuer: `This ${token} is from another issuer`,
  otherAudience: `This ${token} is for another audience`,
  wrongSignature: `The signature of this ${token} is invalid`,
  noKeyId: `This ${token} has no key id (kid)`,
  malformed: `Malformed ${token}`,
});

export type Messages = ReturnType<typeof messagesFor>;

/** The messages of the service for the library's errors. Its own messages quote the token. */
const names = new Map<unknown, keyof Messages>([
  [JwtParseError, 'malformed'],
  [JwtExpiredError, 'expired'],
  [JwtNotBeforeError, 'notYetValid'],
  [JwtInvalidIssuerError, 'otherIssuer'],
  [JwtInvalidAudienceError, 'otherAudience'],
  [JwtInvalidSignatureAlgorithmError, 'otherAlgorithm'],
  [JwtInvalidSignatureError, 'wrongSignature'],
  [JwtWithoutValidKidError, 'noKeyId'],
  [KidNotFoundInJwksError, 'unknownKey'],
  // An unknown key was requested a moment ago, so the library does not fetch again yet.
  [WaitPeriodNotYetEndedJwkError, 'unknownKey'],
  [JwkInvalidUseError, 'unknownKey'],
  [JwkInvalidKtyError, 'unknownKey'],
]);

/** @returns the message for an error of the library; undefined for any other error */
export function messageOf(error: unknown, messages: Messages): string | undefined {
  const name = names.get((error as Error).constructor);
  return name && messages[name];
}

type Header = { alg?: unknown; crit?: unknown };

/** @returns why the header is refused, or undefined if it is not */
export function refuseHeader(
  { alg, crit }: Header,
  algorithms: readonly string[],
  messages: Messages,
): string | undefined {
  // RFC 7515 section 4.1.11: a critical extension that is not supported is refused. The service supports no extension.
  if (crit !== undefined) return messages.malformed;
  return algorithms.includes(String(alg)) ? undefined : messages.otherAlgorithm;
}

/**
 * The times are compared with the clock of the request, strictly: at `exp`, a token has expired (RFC 7519 section 4.1.4).
 * @param aheadMs how far the clock of the issuer may be ahead
 * @returns why the token is refused at this time, or undefined if it is not
 */
export function refuseTimes(
  { exp, nbf }: { exp?: number | undefined; nbf?: number | undefined },
  nowMs: number,
  aheadMs: number,
  messages: Messages,
): string | undefined {
  if (exp !== undefined && exp * secondMs <= nowMs) return messages.expired;
  return nbf !== undefined && nbf * secondMs > nowMs + aheadMs ? messages.notYetValid : undefined;
}
