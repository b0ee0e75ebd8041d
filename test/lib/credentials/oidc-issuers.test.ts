/** The settings of the OIDC issuers: defaults, mistakes, and which issuer may name which organisation. */

import { expect, test } from 'vitest';
import { defaultIssuer, mayName, oidcIssuers, oidcVariables } from '../../../lib/credentials/oidc-issuers.ts';

const least = {
  issuer: 'https://issuer.example/',
  audience: 'platform',
  jwksUri: 'https://issuer.example/keys',
};
const other = { ...least, issuer: 'https://other.example/' };
const [one, two, three] = ['D', 'E', 'F'].map((last) => `org_01JZ4Y7Q8R5T2V9W3X6B0C1D4${last}`) as [
  string,
  string,
  string,
];

const read = (...issuers: object[]) => oidcIssuers({ OIDC_ISSUERS: JSON.stringify(issuers) });

test('three settings are enough; the others have defaults that suit most issuers', () => {
  expect(read(least)).toEqual([{ ...defaultIssuer, ...least }]);
  expect(read({ ...least, algorithm: 'EdDSA' })).toMatchObject([{ algorithm: 'EdDSA', tokenType: 'at+jwt' }]);
});

test('what the stack writes is what the function reads', () => {
  const issuers = [
    { ...defaultIssuer, ...least, organisationClaim: 'https://example.com/org', organisations: [one] },
    { ...defaultIssuer, ...other, projectsClaim: 'projects', tokenType: 'JWT' as const },
  ];
  expect(oidcIssuers(oidcVariables(issuers))).toEqual(issuers);
});

test('no settings, and empty ones, mean no issuer', () => {
  expect(oidcIssuers({})).toEqual([]);
  expect(oidcIssuers({ OIDC_ISSUERS: '' })).toEqual([]);
  expect(oidcVariables([])).toEqual({});
});

test.each(['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'])(
  'the loopback issuer %s needs no TLS',
  (issuer) => {
    expect(read({ ...least, issuer })).toMatchObject([{ issuer }]);
  },
);

test.each<[object[], string]>([
  [[{ ...least, issuer: '' }], 'an issuer has no issuer'],
  [[{ ...least, audience: undefined }], 'an issuer has no audience'],
  [[{ ...least, jwksUri: undefined }], 'an issuer has no jwksUri'],
  [[{ ...least, issuer: 'issuer.example' }], 'issuer is "issuer.example", which is not an https address'],
  [[{ ...least, jwksUri: 'http://issuer.example/keys' }], 'jwksUri is "http://issuer.example/keys"'],
  [[{ ...least, jwksUri: 'http://127.0.0.1.example/keys' }], 'not an https address'],
  [[{ ...least, jwksUri: 'file:///etc/passwd' }], 'not an https address'],
  [[{ ...least, algorithm: 'HS256' }], 'algorithm is "HS256", not one of RS256, RS384'],
  [[{ ...least, algorithm: 'none' }], 'algorithm is "none"'],
  [[{ ...least, tokenType: 'id' }], 'tokenType is "id"'],
  [[{ ...least, organisations: ['Acme'] }], 'organisations has "Acme"'],
  [[least, { ...least, audience: 'b' }], 'the issuer https://issuer.example/ is configured twice'],
  [[least, other], 'more than one issuer has no list of organisations'],
  [
    [
      { ...least, organisations: [one, two] },
      { ...other, organisations: [two] },
    ],
    `${two} is listed for two issuers`,
  ],
])('%j does not start', (issuers, message) => {
  expect(() => read(...issuers)).toThrow(message);
});

test('settings that do not fit into the variables of a function are refused', () => {
  expect(() => read({ ...least, audience: 'a'.repeat(2500) })).toThrow(
    /have 2\d{3} bytes as JSON, more than 2500/,
  );
});

test('an issuer names the organisations of its list; one without a list those that are in none', () => {
  const issuers = read(
    { ...least, organisations: [one] },
    { ...other, organisations: [two] },
    { ...least, issuer: 'https://third.example/' },
  );
  const allowed = issuers.map((issuer) => [one, two, three].filter((id) => mayName(issuers, issuer, id)));
  expect(allowed).toEqual([[one], [two], [three]]);
});
