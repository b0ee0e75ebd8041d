/**
 * The item of a workload identity: whose tokens it accepts, and what they may do. It also has the keys that check the tokens,
 * because a request reads the item anyway.
 */

import type { Stored, Unstored } from '../../../dynamodb/collection.ts';
import type { Credential } from '../../store/credentials.ts';

/** Public members of a JSON Web Key (RFC 7517, RFC 7518 section 6, RFC 8037 section 2). `kid` is required here. */
export type PublicJwk = {
  kty: string;
  kid: string;
  use?: string;
  alg?: string;
  n?: string;
  e?: string;
  crv?: string;
  x?: string;
  y?: string;
};

/** The keys of an issuer that the service reads. */
export type IssuerKeys = {
  keys: PublicJwk[];
  /** The time at which they were read, in epoch milliseconds. */
  fetchedAt: number;
  /** The time of the last attempt, in epoch milliseconds. `fetchedAt` is earlier if it failed, or is not done. */
  attemptedAt: number;
};

/** The claims that a token must have, besides issuer and subject. */
export type ExpectedClaims = { readonly [name: string]: string | number | boolean };

export type StoredIdentity = Stored<
  Credential & {
    issuer: string;
    /** The exact subject, or a pattern with `*` (subject.ts). */
    subject: string;
    claims: ExpectedClaims;
    /** `revokedAt`, which callers see as `deletedAt`, and `expiresAt` end the identity too. */
    status: 'active' | 'suspended';
    /** The keys that the caller sent. Null if the service reads the keys of the issuer. */
    jwks: { keys: PublicJwk[] } | null;
    /** The address of the issuer's keys, from its document. An identity with `jwks` has no address. */
    jwksUri?: string;
    /** An identity with `jwks` has no keys of an issuer. */
    issuerKeys?: IssuerKeys;
    updatedAt: string;
  }
>;

export type UnstoredIdentity = Unstored<StoredIdentity>;
