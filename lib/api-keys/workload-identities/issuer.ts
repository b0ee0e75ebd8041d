/**
 * The issuer of a workload identity publishes a document (OpenID Connect Discovery 1.0, section 4) and its keys. A caller chooses
 * the address of an issuer, so requests go only to public addresses, follow no redirect, and have a limited size and time.
 */

import { invalidField } from '../../base/errors.ts';
import { secondMs } from '../../base/time.ts';
import { refuseUrl, type UrlRules } from '../../network/addresses.ts';
import { type GetError, get, wholeBody } from '../../network/get.ts';
import type { Network } from '../../network/network.ts';
import { publicKeysOf, readIssuerKeys } from './jwks.ts';
import type { PublicJwk, StoredIdentity } from './store/stored.ts';

export const maxIssuerLength = 255;
const maxAddressLength = 2048;
/** These limits hold for each of the two documents. */
const timeoutMs = 3 * secondMs;
const maxBytes = 64 * 1024;
/** The document with the keys may be larger, because the keys of some issuers have certificates, which are not stored. */
const maxKeysBytes = 256 * 1024;

/** @returns why this is not the address of an issuer, or undefined if it is */
export function refuseIssuer(issuer: string, rules: UrlRules): string | undefined {
  if (issuer.length > maxIssuerLength) return `must have at most ${maxIssuerLength} characters`;
  if (issuer.includes('?')) return 'must not have a query';
  const reason = refuseUrl(issuer, rules);
  // The text is stored as it is, because it is compared with the issuer of tokens, character by character.
  return reason ?? (/^https?:\/\/[^/]/i.test(issuer) ? undefined : 'must start with https://');
}

/** @returns the address and the content of the issuer's keys, or why they cannot be read, as the end of "the issuer …" */
export async function readIssuer(
  issuer: string,
  network: Network,
): Promise<{ jwksUri: string; keys: PublicJwk[] } | { refused: string }> {
  const document = await getJson(
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    network,
    maxBytes,
  );
  if ('refused' in document) return { refused: `has no document that can be read: it ${document.refused}` };
  const { issuer: documentIssuer, jwks_uri: jwksUri } = Object(document.json) as Record<string, unknown>;
  if (documentIssuer !== issuer) return { refused: 'has a document that names another issuer' };
  if (typeof jwksUri !== 'string' || jwksUri.length > maxAddressLength)
    return { refused: 'has a document without the address of its keys (jwks_uri)' };
  const reason = refuseUrl(jwksUri, network);
  if (reason) return { refused: `has a document whose jwks_uri ${reason}` };
  const keySet = await readKeys(jwksUri, network);
  return 'refused' in keySet ? { refused: `has keys that ${keySet.refused}` } : { jwksUri, ...keySet };
}

/** @returns the issuer's usable keys, or why they cannot be read, as the end of "keys that …" */
export async function readKeys(
  jwksUri: string,
  network: Network,
): Promise<{ keys: PublicJwk[] } | { refused: string }> {
  const response = await getJson(jwksUri, network, maxKeysBytes);
  return 'refused' in response
    ? { refused: `cannot be read: the address ${response.refused}` }
    : readIssuerKeys(response.json);
}

const reasons: Readonly<Record<GetError, string>> = {
  name_not_found: 'has a name that has no address',
  address_not_allowed: 'is in a private network',
  connection_failed: 'accepts no connection',
  tls_failed: 'has no certificate that is trusted',
  timeout: `does not respond within ${timeoutMs / secondMs} s`,
  invalid_response: 'sends a response that is not valid',
  too_large: 'sends a response that is too large',
  too_slow: 'responds too slowly',
};

async function getJson(
  address: string,
  network: Network,
  maxBodyBytes: number,
): Promise<{ json: unknown } | { refused: string }> {
  const limited = { ...network, timeoutMs: Math.min(network.timeoutMs ?? timeoutMs, timeoutMs) };
  const response = await get(
    new URL(address),
    { accept: 'application/json' },
    limited,
    wholeBody(maxBodyBytes),
  );
  if ('error' in response) return { refused: reasons[response.error] };
  if (response.status !== 200) return { refused: `responds with the status ${response.status}` };
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(response.body)) };
  } catch {
    return { refused: 'sends a response that is not JSON' };
  }
}

/** An identity stores the keys that the caller has sent, or those of its issuer. */
type Trust = Pick<StoredIdentity, 'jwks' | 'jwksUri' | 'issuerKeys'>;

/** @throws ApiError validation_error if this is not the address of an issuer */
export function assertIssuer(issuer: string, rules: UrlRules): void {
  const reason = refuseIssuer(issuer, rules);
  if (reason) throw invalidField('issuer', reason);
}

/**
 * @param identity `jwks` as the caller has sent it; null to read the keys of the issuer
 * @throws ApiError validation_error with the reason if the issuer has no keys that can be read
 */
export async function readTrust(
  { issuer, jwks }: { issuer: string; jwks: { keys: object[] } | null },
  network: Network,
  nowMs: number,
): Promise<Trust> {
  if (jwks) return { jwks: { keys: publicKeysOf(jwks) } };
  const issuerKeys = await readIssuer(issuer, network);
  if ('refused' in issuerKeys) throw invalidField('issuer', `the issuer ${issuerKeys.refused}`);
  const { jwksUri, keys } = issuerKeys;
  return { jwks: null, jwksUri, issuerKeys: { keys, fetchedAt: nowMs, attemptedAt: nowMs } };
}
