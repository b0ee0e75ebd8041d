/** Blocks of addresses. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowedFrom, isCidr, widerThan } from '../../../lib/api-keys/addresses.ts';

describe('a key with allowed addresses', () => {
  test.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.1/8', '10.9.9.9', true],
    ['203.0.113.7/32', '203.0.113.7', true],
    ['203.0.113.7/32', '203.0.113.8', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '8.8.8.8', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '::FFFF:11.1.2.3', false],
  ])('%s, from %s: %s', (cidr, address, allowed) => {
    expect(isAllowedFrom([cidr], address)).toBe(allowed);
    expect(isAllowedFrom(['192.0.2.0/24', cidr, '2001:db9:1::/48'], address)).toBe(allowed);
  });

  test('is refused from an unknown address, and without a list allowed from everywhere', () => {
    expect(isAllowedFrom(['0.0.0.0/0', '::/0'], undefined)).toBe(false);
    expect(isAllowedFrom(null, undefined)).toBe(true);
  });
});

test.each(['10.0.0.0/8', '10.1.2.3/8', '0.0.0.0/0', '203.0.113.7/32', '::/0', '2001:DB8::1/128', '::1/128'])(
  '%s is a block',
  (text) => expect(isCidr(text)).toBe(true),
);

test.each([
  ...[
    '',
    '/',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/08',
    '10.0.0.0/8 ',
    '10.0.0.256/8',
  ],
  ...[
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    '2001:db8::',
    'fe80::1%eth0/64',
    'example.com/8',
    '10.0.0.0/255.0.0.0',
  ],
  // IPv4 in the form of IPv6.
  ...['::ffff:10.0.0.0/104', '::ffff:a00:0/104', '0:0:0:0:0:FFFF:a00:0/104'],
])('%j is no block', (text) => expect(isCidr(text)).toBe(false));

test('a list is wider than another one if it allows an address that the other one does not', () => {
  const block = fc.tuple(fc.nat(255), fc.nat(255), fc.integer({ min: 8, max: 24 }));
  const cidr = block.map(([second, third, prefix]) => `10.${second}.${third}.0/${prefix}`);
  const list = fc.option(fc.array(cidr, { minLength: 1, maxLength: 20 }), { nil: null });
  const address = fc.tuple(fc.nat(255), fc.nat(255)).map(([second, third]) => `10.${second}.${third}.1`);
  fc.assert(
    fc.property(list, list, address, (held, wanted, from) => {
      if (widerThan(held, wanted) === undefined && isAllowedFrom(wanted, from)) {
        expect(isAllowedFrom(held, from)).toBe(true);
      }
      expect(widerThan(held, held)).toBeUndefined();
      expect(widerThan(null, wanted)).toBeUndefined();
    }),
  );
  expect(widerThan(['10.0.0.0/8'], null)).toBe('everywhere');
  expect(widerThan(['10.0.0.0/8'], ['10.0.0.0/7'])).toBe('10.0.0.0/7');
  expect(widerThan(['::/0'], ['10.0.0.0/8'])).toBe('10.0.0.0/8');
});
