/** The test vectors of the assignment, which both clients share (test/support/rollout-assignments.json). */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assign, parseAssignment, showAssignment } from '../../../lib/rollouts/assign.ts';
import { root } from '../../../scripts/shared/root.ts';
import vectors from '../../support/rollout-assignments.json' with { type: 'json' };

describe.each(vectors)('$unit at $percent percent', ({ rolloutId, span, percent, unit, ...expected }) => {
  test('has the assignment', () => {
    const assignment = assign({ id: rolloutId, span, percent }, unit);
    expect(assignment).toMatchObject({ hash: expected.hash, variant: expected.variant });
    expect(showAssignment(assignment)).toBe(expected.assignment);
    expect(parseAssignment(expected.assignment)).toEqual(assignment);
  });

  test('has the hash and the variant of its definition', () => {
    const bytes = Buffer.concat([Buffer.from(rolloutId), Buffer.of(0), Buffer.from(unit, 'utf8')]);
    expect(hash('sha256', bytes).slice(0, 16)).toBe(expected.hash);
    const fraction = Number(BigInt(`0x${expected.hash}`)) / 2 ** 64;
    expect(fraction < percent / 100 ? 'candidate' : 'current').toBe(expected.variant);
  });
});

test('are ASCII, emoji, combining characters, 255 characters, and both sides of four percents', () => {
  const units = vectors.map(({ unit }) => unit);
  expect(units.some((unit) => /^\p{ASCII}+$/u.test(unit))).toBe(true);
  expect(units.some((unit) => /\p{Emoji_Presentation}/u.test(unit))).toBe(true);
  expect(units.some((unit) => unit.normalize('NFC') !== unit)).toBe(true);
  expect(units.filter((unit) => [...unit].length === 255).length).toBeGreaterThan(1);
  for (const percent of [0.01, 10, 50, 99.99]) {
    const variants = vectors.filter((one) => one.percent === percent).map(({ variant }) => variant);
    expect(new Set(variants)).toEqual(new Set(['current', 'candidate']));
  }
});

test('four of them are in docs/deployments.md', () => {
  const text = readFileSync(resolve(root, 'docs/deployments.md'), 'utf8');
  const [, rolloutId] = /^Of the rollout `(rol_\w+)`:$/m.exec(text) ?? [];
  const rows = text.matchAll(
    /^\| `([^`]+)`[^|]* \| (\d+) \| ([\d.]+) \| `([0-9a-f]{16})` \| `(current|candidate)` \|$/gm,
  );
  const shown = [...rows].map(([, unit, span, percent, hash, variant]) => ({
    rolloutId,
    span: Number(span),
    percent: Number(percent),
    unit,
    hash,
    variant,
  }));
  expect(shown).toHaveLength(4);
  expect(vectors).toEqual(expect.arrayContaining(shown.map((row) => expect.objectContaining(row))));
});
