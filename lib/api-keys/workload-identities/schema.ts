import * as z from 'zod';
import { rateLimit } from '../../limits/schema/usage.ts';
import { id, refusedBy, sentTime, shownCredential, shownTime } from '../../schema/common.ts';
import { text } from '../../schema/text.ts';
import {
  allowedCidrs,
  apiKeyName,
  apiKeyProjectIds,
  apiKeyScopes,
  boundEnvironments,
  ChildrenRevocation,
  started,
} from '../schema.ts';
import { maxIssuerLength } from './issuer.ts';
import { maxMemberLengths, maxSentKeys, refuseJwks } from './jwks.ts';
import { maxSubjectLength, refuseSubject } from './subject.ts';

const example = {
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'repo:acme/site:ref:refs/heads/main',
  claims: { repository_id: '74', environment: 'production' },
};

/** The rules of an issuer depend on the environment, so the handler checks them. */
export const identityIssuer = z
  .string()
  .min(1, 'must not be empty')
  .max(maxIssuerLength, `must be at most ${maxIssuerLength} characters`)
  .meta({
    format: 'uri',
    description:
      'The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`, the service does not need to ' +
      'reach it.',
    example: example.issuer,
  });

export const identitySubject = z
  .string()
  .max(maxSubjectLength, `must be at most ${maxSubjectLength} characters`)
  .check(refusedBy(refuseSubject))
  .meta({
    description:
      'The `sub` of the tokens: 1 to 255 printable ASCII characters. Case matters. `:` and `/` separate segments. `*` stands for ' +
      'one or more characters inside a segment, other than `:`, `/` and `%`. A segment has at most one `*`, and the first two ' +
      'segments have none.',
    pattern: '^[\\x20-\\x7e]{1,255}$',
    example: example.subject,
  });

export const maxClaims = 10;
/** The service checks these claims itself. */
const reserved = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat'];

export const identityClaims = z
  .record(
    z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 printable ASCII characters'),
    z.union([text(255), z.number(), z.boolean()], 'must be text, a number, or true or false'),
  )
  .refine((claims) => Object.keys(claims).length <= maxClaims, `must have at most ${maxClaims} claims`)
  .refine(
    (claims) => !reserved.some((name) => Object.hasOwn(claims, name)),
    `must not have ${reserved.join(', ')}: the service checks these claims itself`,
  )
  .meta({
    id: 'IdentityClaims',
    description:
      'Claims that a token must have, with exactly these values. Names have up to 100 characters, texts up to 255. Use ids, such ' +
      'as `repository_id`: a name can belong to somebody else later.',
    maxProperties: maxClaims,
    example: example.claims,
  });

/** `refuseJwks` checks the length, only in requests, so that every stored key can be read. */
const member = (name: keyof typeof maxMemberLengths) =>
  z.string().meta({ maxLength: maxMemberLengths[name] });
const optionalMember = (name: keyof typeof maxMemberLengths) => member(name).exactOptional();

/** The members of a public key. Other members that a caller sends are not stored. */
const Jwk = z
  .looseObject({
    kty: member('kty').meta({ description: 'The kind of key.', example: 'EC' }),
    kid: member('kid').meta({
      description: 'The id of the key, as in the header of a token.',
      example: 'k1',
    }),
    use: optionalMember('use').meta({ description: 'The use of the key: `sig`.' }),
    alg: optionalMember('alg').meta({ description: 'The only algorithm of the key.' }),
    n: optionalMember('n').meta({ description: 'The modulus of an RSA key.' }),
    e: optionalMember('e').meta({ description: 'The exponent of an RSA key.' }),
    crv: optionalMember('crv').meta({ description: 'The curve.' }),
    x: optionalMember('x').meta({ description: 'The x coordinate, or the public key.' }),
    y: optionalMember('y').meta({ description: 'The y coordinate.' }),
  })
  .meta({ id: 'PublicJwk', description: 'A public key (RFC 7517).' });

export const identityJwks = z
  .strictObject({
    keys: z.array(Jwk).min(1).max(maxSentKeys).meta({ description: 'The keys.' }),
  })
  .check(refusedBy(refuseJwks))
  .meta({ id: 'PublicJwks', description: 'Public keys (RFC 7517 section 5).' });

const jwksDescription =
  'The public keys of an issuer that the service cannot reach, such as a private cluster: at most 20 keys and 16 KB, each with a ' +
  '`kid`, RSA with at least 2048 bits. Null: the service reads the keys of the issuer.';

const expiresAt = sentTime().nullable();

/** The states that a caller can set. */
const settableStatus = z
  .enum(['active', 'suspended'])
  .meta({ id: 'SettableIdentityStatus', description: 'Whether its tokens are accepted.', example: 'active' });

export const sentIdentity = {
  name: apiKeyName,
  issuer: identityIssuer,
  subject: identitySubject,
  claims: identityClaims,
  scopes: apiKeyScopes.meta({ description: 'The permissions of its tokens.' }),
  projectIds: apiKeyProjectIds.meta({
    description:
      'The projects that its tokens can access. Default: all projects, or those of the creating credential.',
  }),
  environments: boundEnvironments.meta({
    description:
      'The environments that its tokens can access, as for an API key. Default: all environments, or those of the creating ' +
      'credential. They cannot be changed.',
  }),
  allowedCidrs: allowedCidrs.meta({
    description:
      'The addresses from which its tokens may be used, as for an API key. Default: everywhere, or the addresses of the creating ' +
      'credential.',
  }),
  rateLimit,
  expiresAt,
  status: settableStatus,
  jwks: identityJwks.nullable().meta({ description: jwksDescription }),
};

export const workloadIdentityStatus = z.enum(['active', 'suspended', 'expired', 'deleted']).meta({
  id: 'WorkloadIdentityStatus',
  description: 'Whether its tokens are accepted: only those of an `active` identity are.',
  example: 'active',
});

export const WorkloadIdentity = z
  .object({
    id: id('workloadIdentity'),
    name: apiKeyName,
    issuer: identityIssuer,
    subject: identitySubject,
    claims: identityClaims,
    audience: z.string().meta({
      description: 'The only audience (`aud`) that a token for this identity may have.',
      example: 'urn:platform:org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E:live:wid_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    }),
    scopes: apiKeyScopes.meta({ description: 'The permissions of its tokens.' }),
    projectIds: apiKeyProjectIds
      .nullable()
      .meta({ description: 'The projects that its tokens can access. Null for all projects.' }),
    environments: boundEnvironments
      .nullable()
      .meta({ description: 'The environments that its tokens can access. Null for all environments.' }),
    allowedCidrs: allowedCidrs
      .nullable()
      .meta({ description: 'The addresses from which its tokens may be used. Null for everywhere.' }),
    rateLimit: rateLimit.nullable().meta({
      description:
        'The limit of all its tokens together. Null if it has no limit of its own. Its requests also count in the limits of the ' +
        'credentials above it.',
    }),
    expiresAt: shownTime().nullable().meta({ description: 'When it expires. Null if it does not expire.' }),
    status: workloadIdentityStatus,
    jwks: identityJwks.nullable().meta({ description: jwksDescription }),
    createdBy: shownCredential().meta({
      description:
        'The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an ' +
        'access token.',
    }),
    createdAt: shownTime().meta({ description: 'When it was created.' }),
    updatedAt: shownTime().meta({ description: 'When a request last changed it.' }),
    deletedAt: shownTime().nullable().meta({ description: 'When it was deleted. Null if it was not.' }),
    lastUsedAt: shownTime()
      .nullable()
      .meta({ description: 'When it was last used, accurate to the hour. Null if it was not used.' }),
    lastUsedFrom: z.string().nullable().meta({
      description:
        'The address of the request at `lastUsedAt`, as the gateway saw it. Null if there is no address.',
      example: '203.0.113.7',
    }),
    childrenRevocation: ChildrenRevocation.nullable().meta({
      description:
        'The end of the keys and identities that this identity created, and of their webhooks. Null if nobody requested it.',
    }),
  })
  .meta({
    id: 'WorkloadIdentity',
    description:
      'A workload identity: whose OIDC tokens are accepted in place of a key, and what they may do.',
  });

export const DeletedWorkloadIdentity = WorkloadIdentity.extend(started).meta({
  id: 'DeletedWorkloadIdentity',
  description: 'A workload identity, and the resources that it created or set.',
});
