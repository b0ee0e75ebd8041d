/**
 * The reader verifies access tokens, and takes their holder from their claims. It is loaded with the first token. In a bundle
 * it is a separate file with its own copies of all classes, so it returns values instead of errors.
 */

import { readHolder, type TokenHolder, UnusableToken } from './access-token.ts';
import { createVerifier, type Fault } from './access-token-verifier.ts';
import { mayName, oidcIssuers } from './oidc-issuers.ts';

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
