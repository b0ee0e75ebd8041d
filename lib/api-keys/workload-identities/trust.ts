/** An identity stores the keys that the caller has sent, or those of its issuer. */

import { invalidField } from '../../base/errors.ts';
import type { UrlRules } from '../../network/addresses.ts';
import type { Network } from '../../network/network.ts';
import { readIssuer, refuseIssuer } from './issuer.ts';
import { publicKeysOf } from './jwks.ts';
import type { StoredIdentity } from './store/stored.ts';

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
