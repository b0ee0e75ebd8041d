/**
 * The item of a workload identity: whose tokens it accepts, and what they may do. It also holds the keys that check the tokens,
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
  /** When they were read, in epoch milliseconds. */
  fetchedAt: number;
  /** When a function last began to read them, in epoch milliseconds. `fetchedAt` is earlier if it failed, or is not done. */
  attemptedAt: number;
};

/** The claims that a token must have, besides issuer and subject. */
export type ExpectedClaims = { readonly [name: string]: string | number | boolean };

export type StoredIdentity = Stored<
  Credential & {
    issuer: string;
    /** Exact, or with `*`: see subject.ts. */
    subject: string;
    claims: ExpectedClaims;
    /** `revokedAt`, shown as `deletedAt`, and `expiresAt` also end it. */
    status: 'active' | 'suspended';
    /** The keys that the caller sent. Null if the service reads those of the issuer. */
    jwks: { keys: PublicJwk[] } | null;
    /** The address of the issuer's keys, from its document. Without it, `jwks` has the keys. */
    jwksUri?: string;
    /** Without it, `jwks` has the keys. */
    issuerKeys?: IssuerKeys;
    updatedAt: string;
  }
>;

/** An identity that is not stored yet, or is written as a whole. */
export type UnstoredIdentity = Unstored<StoredIdentity>;
