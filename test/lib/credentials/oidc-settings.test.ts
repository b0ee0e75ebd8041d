/** The settings of the OIDC issuer: defaults and mistakes. */

import { expect, test } from 'vitest';
import { oidcSettings, oidcVariables } from '../../../lib/credentials/oidc-settings.ts';
import { createRuntime } from '../../../lib/http/runtime.ts';

const least = {
  OIDC_ISSUER: 'https://issuer.example/',
  OIDC_AUDIENCE: 'platform',
  OIDC_JWKS_URI: 'https://issuer.example/keys',
};

const full = {
  issuer: 'https://issuer.example/',
  audience: 'platform',
  jwksUri: 'https://issuer.example/keys',
  algorithm: 'RS256',
  organisationClaim: 'organisation',
  tokenType: 'marked',
  modeClaim: 'mode',
  scopeClaim: 'scope',
} as const;

test('three settings are enough; the others have defaults that suit most issuers', () => {
  expect(oidcSettings(least)).toEqual(full);
  const other = { ...full, algorithm: 'EdDSA', scopeClaim: 'permissions' } as const;
  expect(oidcSettings({ ...least, OIDC_ALGORITHM: 'EdDSA', OIDC_SCOPE_CLAIM: 'permissions' })).toEqual(other);
});

test('what the stack writes is what the function reads', () => {
  const settings = { ...full, algorithm: 'ES512', organisationClaim: 'https://example.com/org' } as const;
  expect(oidcSettings(oidcVariables(settings))).toEqual(settings);
});

test('no settings, and empty ones, mean no issuer', () => {
  expect(oidcSettings({})).toBeUndefined();
  expect(oidcSettings({ OIDC_ISSUER: '', OIDC_ALGORITHM: '' })).toBeUndefined();
});

test.each(['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'])(
  'the loopback issuer %s needs no TLS',
  (OIDC_ISSUER) => {
    expect(oidcSettings({ ...least, OIDC_ISSUER })).toMatchObject({ issuer: OIDC_ISSUER });
  },
);

test.each([
  [{ ...least, OIDC_ISSUER: '' }, 'OIDC_ISSUER is missing: other settings of its kind are made'],
  [{ ...least, OIDC_AUDIENCE: undefined }, 'OIDC_AUDIENCE is missing'],
  [{ ...least, OIDC_JWKS_URI: undefined }, 'OIDC_JWKS_URI is missing'],
  [{ OIDC_MODE_CLAIM: 'env' }, 'OIDC_ISSUER is missing'],
  [
    { ...least, OIDC_ISSUER: 'issuer.example' },
    'OIDC_ISSUER is "issuer.example", which is not an https address',
  ],
  [
    { ...least, OIDC_JWKS_URI: 'http://issuer.example/keys' },
    'OIDC_JWKS_URI is "http://issuer.example/keys"',
  ],
  [{ ...least, OIDC_JWKS_URI: 'http://127.0.0.1.example/keys' }, 'not an https address'],
  [{ ...least, OIDC_JWKS_URI: 'file:///etc/passwd' }, 'not an https address'],
  [{ ...least, OIDC_ALGORITHM: 'HS256' }, 'OIDC_ALGORITHM is "HS256", not one of RS256, RS384'],
  [{ ...least, OIDC_ALGORITHM: 'none' }, 'OIDC_ALGORITHM is "none"'],
])('%j does not start', (env, message) => {
  expect(() => createRuntime(env)).toThrow(message);
});

test('an unknown token type is rejected', () => {
  expect(() => oidcSettings({ ...least, OIDC_TOKEN_TYPE: 'id' })).toThrow('OIDC_TOKEN_TYPE is "id"');
  expect(oidcSettings({ ...least, OIDC_TOKEN_TYPE: 'any' })?.tokenType).toBe('any');
});
