/** The audience of an identity. */

import { describe, expect, test } from 'vitest';
import { audienceOf, parseAudience } from '../../../../lib/api-keys/workload-identities/audience.ts';

const organisationId = 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const identityId = 'wid_01JZ4Y7Q8R5T2V9W3X6B0C1D4F';
const audience = `urn:platform:${organisationId}:live:${identityId}`;

test('an audience names an identity', () => {
  const tenant = `${organisationId}#live` as const;
  expect(audienceOf({ tenant, id: identityId })).toBe(audience);
  expect(parseAudience(audience)).toEqual({ organisationId, mode: 'live', tenant, identityId });
  expect(parseAudience(audience.replace('live', 'test'))?.tenant).toBe(`${organisationId}#test`);
});

describe('no audience', () => {
  test.each([
    audience.toUpperCase(),
    `${audience}:`,
    `${audience}\n`,
    ` ${audience}`,
    `${audience},${audience}`,
    audience.replace('live', 'Live'),
    audience.replace('live', 'constructor'),
    audience.replace('live', ''),
    audience.replace('urn:', 'URN:'),
    audience.replace('wid_', 'key_'),
    audience.replace('org_', 'wid_'),
    audience.replace(organisationId, `${organisationId}#live`),
    audience.replace(identityId, identityId.toLowerCase()),
    audience.replaceAll(':', '%3A'),
    'urn:platform:',
    '',
  ])('%j', (text) => {
    expect(parseAudience(text)).toBeUndefined();
  });
});
