/** What an issuer publishes, as it is read when an identity is created. */

import { describe, expect, onTestFinished, test } from 'vitest';
import { readIssuer, refuseIssuer } from '../../../../lib/api-keys/workload-identities/issuer.ts';
import type { Network } from '../../../../lib/network/network.ts';
import { documentPath, openWorkloadIssuer, type WorkloadIssuer } from '../../../support/workloads.ts';

const network: Network = {
  allowLoopback: true,
  resolveName: async (name) => (name.startsWith('private') ? ['10.0.0.1'] : []),
  elapsedMs: () => performance.now(),
  timeoutMs: 20_000,
};

async function open() {
  const issuer = await openWorkloadIssuer();
  onTestFinished(issuer.close);
  return issuer;
}

const say = (issuer: WorkloadIssuer, document: object | string) =>
  issuer.answers.set(documentPath, (_, response) => {
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
  });

test('the address and the keys', async () => {
  const issuer = await open();
  const read = await readIssuer(issuer.url, network);
  expect(read).toMatchObject({ jwksUri: `${issuer.url}/keys`, keys: [{ kid: 'first' }] });
  expect(issuer.requests).toEqual([documentPath, '/keys']);
});

describe('it is refused if its document', () => {
  test.each<[string, (issuer: WorkloadIssuer) => void, string]>([
    [
      'names another issuer',
      (issuer) => say(issuer, { issuer: `${issuer.url}/`, jwks_uri: issuer.url }),
      'another',
    ],
    ['has no address', (issuer) => say(issuer, { issuer: issuer.url }), 'jwks_uri'],
    [
      'names a private address',
      (issuer) => say(issuer, { issuer: issuer.url, jwks_uri: 'https://10.0.0.1/' }),
      'private',
    ],
    [
      'names a file',
      (issuer) => say(issuer, { issuer: issuer.url, jwks_uri: 'file:///etc/passwd' }),
      'https',
    ],
    ['is no JSON', (issuer) => say(issuer, 'x'), 'JSON'],
    ['is null', (issuer) => say(issuer, 'null'), 'another'],
    ['is too large', (issuer) => say(issuer, ' '.repeat(65_537)), 'too large'],
    [
      'is missing',
      (issuer) => void issuer.answers.set(documentPath, (_, to) => void to.writeHead(404).end()),
      '404',
    ],
    [
      'redirects',
      (issuer) =>
        void issuer.answers.set(documentPath, (_, to) => void to.writeHead(302, { location: '/x' }).end()),
      '302',
    ],
    [
      'never comes',
      (issuer) => void issuer.answers.set(documentPath, (request) => void request.socket.destroy()),
      'connection',
    ],
  ])('%s', async (_, spoil, reason) => {
    const issuer = await open();
    spoil(issuer);
    const read = await readIssuer(issuer.url, network);
    expect('refused' in read && read.refused).toContain(reason);
    expect(issuer.requests).toEqual([documentPath]);
  });

  test('comes too late', async () => {
    const issuer = await open();
    issuer.answers.set(documentPath, () => {});
    const read = await readIssuer(issuer.url, { ...network, timeoutMs: 200 });
    expect('refused' in read && read.refused).toContain('does not respond');
  });

  test('is in a private network', async () => {
    const read = await readIssuer('https://private.example.com', network);
    expect('refused' in read && read.refused).toContain('private network');
  });
});

test.each([
  ['http://issuer.example.com', 'https://'],
  ['https://issuer.example.com?x', 'query'],
  ['https://issuer.example.com#x', 'fragment'],
  ['https://user@issuer.example.com', 'user name'],
  ['https://localhost', 'public'],
  ['https:issuer.example.com', 'https://'],
  ['https:///issuer.example.com', 'https://'],
  ['https://a..b.example', 'empty label'],
  ['https://*.example.com', 'letters'],
  [`https://issuer.example.com/${'a'.repeat(255)}`, '255'],
])('%s is no issuer', (issuer, reason) => {
  expect(refuseIssuer(issuer, { allowLoopback: false })).toContain(reason);
});
