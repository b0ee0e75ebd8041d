/** Which subjects a pattern has. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesSubject, refuseSubject } from '../../../../lib/api-keys/workload-identities/subject.ts';

describe('a subject without *', () => {
  test.each([
    ['repo:acme/bots:ref:refs/heads/main', 'repo:acme/bots:ref:refs/heads/main', true],
    ['repo:acme/bots:ref:refs/heads/main', 'repo:acme/bots:ref:refs/heads/Main', false],
    ['repo:acme/bots:ref:refs/heads/main', 'repo:acme/bots:ref:refs/heads/main2', false],
    ['repo:acme/bots:ref:refs/heads/main', 'repo:acme/bots:ref:refs/heads', false],
    ['repo:acme/bots', 'repo/acme:bots', false],
    ['repo:acme', 'repo:acme:', false],
    ['1234567', '1234567', true],
    ['repo:acme/a.b', 'repo:acme/aXb', false],
  ])('%s, %s: %s', (pattern, subject, matches) => {
    expect(refuseSubject(pattern)).toBeUndefined();
    expect(matchesSubject(pattern, subject)).toBe(matches);
  });
});

describe('*', () => {
  test.each([
    ['repo:acme/*:environment:prod', 'repo:acme/bots:environment:prod', true],
    ['repo:acme/bots:ref:refs/heads/*', 'repo:acme/bots:ref:refs/heads/a', true],
    ['repo:acme/bots:ref:refs/heads/release-*', 'repo:acme/bots:ref:refs/heads/release-1', true],
    ['repo:acme/bots:ref:refs/heads/v*x', 'repo:acme/bots:ref:refs/heads/v1x', true],
    ['repo:acme/*:ref:refs/heads/*', 'repo:acme/bots:ref:refs/heads/main', true],
    // It stands for at least one character.
    ['repo:acme/bots:ref:refs/heads/release-*', 'repo:acme/bots:ref:refs/heads/release-', false],
    ['repo:acme/bots:ref:refs/heads/*', 'repo:acme/bots:ref:refs/heads/', false],
    ['repo:acme/bots:ref:refs/heads/aa*aa', 'repo:acme/bots:ref:refs/heads/aaa', false],
    ['repo:acme/bots:ref:refs/heads/aa*aa', 'repo:acme/bots:ref:refs/heads/aaaa', false],
    // It does not stand for a separator, encoded or not.
    ['repo:acme/bots:ref:refs/heads/*', 'repo:acme/bots:ref:refs/heads/a/b', false],
    ['repo:acme/*:environment:prod', 'repo:acme/bots:environment:prod:environment:prod', false],
    ['repo:acme/*:environment:prod', 'repo:acme/bots:ref:x:environment:prod', false],
    ['repo:acme/*:environment:prod', 'repo:acme/bots%3Aenvironment%3Aprod:environment:prod', false],
    ['repo:acme/bots:ref:refs/heads/*', 'repo:acme/bots:ref:refs/heads/a%2Fb', false],
    ['repo:acme/*:environment:prod', 'repo:acme/bots:environment:Prod', false],
    ['repo:acme/*:environment:prod', 'repo:acme-evil/bots:environment:prod', false],
    ['repo:acme/*:environment:prod', 'repo:acme/b\u00f6ts:environment:prod', false],
    ['repo:acme/*:environment:prod', 'repo:acme/bots\n:environment:prod', false],
    ['repo:acme/*:environment:prod', 'repo:acme/\u2215:environment:prod', false],
  ])('%s, %s: %s', (pattern, subject, matches) => {
    expect(refuseSubject(pattern)).toBeUndefined();
    expect(matchesSubject(pattern, subject)).toBe(matches);
  });

  test.each([
    ['*', 'first two segments'],
    ['repo:*', 'first two segments'],
    ['repo:*/bots:ref:x', 'first two segments'],
    ['r*:acme/bots', 'first two segments'],
    ['repo:acme*/bots', 'first two segments'],
    ['repo:acme/a*b*c', 'more than one'],
    ['repo:acme/**', 'more than one'],
    ['', 'printable'],
    ['a'.repeat(256), 'printable'],
    ['repo:acm\u00e9/bots', 'printable'],
    ['repo:acme/bots\n', 'printable'],
  ])('%j is refused', (pattern, reason) => {
    expect(refuseSubject(pattern)).toContain(reason);
  });

  test('stands for what a regular expression says', () => {
    const segment = fc.stringMatching(/^[ab%]{0,3}$/);
    const separators = fc.array(fc.constantFrom(':', '/'), { minLength: 4, maxLength: 4 });
    const text = fc
      .tuple(fc.array(segment, { minLength: 5, maxLength: 5 }), separators)
      .map(([segments, between]) => segments.map((part, index) => part + (between[index] ?? '')).join(''));
    const pattern = fc
      .tuple(text, fc.nat(), fc.constantFrom('', '*'))
      .map(
        ([plain, at, star]) =>
          plain.slice(0, at % (plain.length + 1)) + star + plain.slice(at % (plain.length + 1)),
      )
      .filter((one) => refuseSubject(one) === undefined);
    fc.assert(
      fc.property(pattern, text, fc.string(), (wanted, other, filling) => {
        const escaped = wanted.replace(/[.+?^$()[\]{}|\\]/g, '\\$&').replace('*', '[^:/%]+');
        for (const subject of [other, wanted.replace('*', filling), wanted]) {
          const expected = /^[\x20-\x7e]{1,255}$/.test(subject) && new RegExp(`^${escaped}$`).test(subject);
          expect(matchesSubject(wanted, subject)).toBe(expected);
        }
      }),
    );
  });
});
