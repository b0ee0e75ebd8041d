/** A change of the API that breaks clients is declared in CHANGELOG.md. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/shared/root.ts';
import {
  breaking,
  breakingChanges,
  declaredIn,
  installOasdiff,
  releasedDocument,
  undeclared,
} from '../support/breaking-changes.ts';

const current = resolve(root, 'openapi.json');
const changelog = readFileSync(resolve(root, 'CHANGELOG.md'), 'utf8');

test('CHANGELOG.md has the last release, and what is not released', () => {
  expect(changelog).toMatch(/^## Unreleased$/m);
  expect(/^## (\d\S*)/m.exec(changelog)?.[1]).toBe(manifest.version);
  expect(declaredIn(changelog).join('')).not.toBe('');
});

test.each([
  [
    'response-property-enum-value-added',
    '/webhooks',
    'new `x` enum value to the `data/eventTypes/items/` response',
    false,
  ],
  [
    'response-property-enum-value-added',
    '/webhooks',
    'new `x` enum value to the `data/status/` response',
    true,
  ],
  ['response-property-one-of-added', '/events', 'added `X` to the `data/items/items/` response', false],
  ['response-property-one-of-added', '/projects', 'added `X` to the `data` response', true],
  [
    'response-property-any-of-added',
    '/events',
    'added `X` to the `data/oneOf[Y]/data/anyOf[Z]/result/anyOf[1]/`',
    false,
  ],
  ['response-property-any-of-added', '/projects', 'added `X` to the `data/region/anyOf[1]/`', true],
  ['new-required-request-property', 'webhook:document.created', 'added `data/anyOf[X]/url`', false],
  ['new-required-request-property-with-default', 'webhook:project.created', 'added `data/region`', false],
  ['new-required-request-property', '/projects', 'added `region`', true],
  ['response-property-list-of-types-widened', '/projects', 'widened by adding types `null`', true],
])('%s of %s (%s) is breaking: %s', (id, path, text, isBreaking) => {
  expect(breaking([{ id, path, text, level: 3, operation: 'GET' }])).toHaveLength(isBreaking ? 1 : 0);
});

// Installing the tool takes minutes on a busy machine.
describe('compared with the last release', { tags: ['long'] }, () => {
  test('every breaking change is declared', ({ skip }) => {
    const missing = installOasdiff();
    if (missing) skip(missing);
    const folder = mkdtempSync(join(tmpdir(), 'breaking-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const released = releasedDocument();
    if (!released) return skip('git has no tag v… and no earlier commit');
    const before = join(folder, 'released.json');
    writeFileSync(before, released.text);
    expect(undeclared(breakingChanges(before, current), changelog), `since ${released.from}`).toEqual([]);
  });

  test('a removed operation and a removed field are found, until they are declared', ({ skip }) => {
    const missing = installOasdiff();
    if (missing) skip(missing);
    const folder = mkdtempSync(join(tmpdir(), 'breaking-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const document = JSON.parse(readFileSync(current, 'utf8')) as {
      paths: Record<string, Record<string, unknown>>;
      components: { schemas: Record<string, { required: string[]; properties: Record<string, unknown> }> };
    };
    delete document.paths['/health']?.get;
    const { ProjectPurge } = document.components.schemas;
    if (!ProjectPurge) throw new Error('there is no ProjectPurge');
    ProjectPurge.required = ProjectPurge.required.filter((name) => name !== 'removedItems');
    delete ProjectPurge.properties.removedItems;
    const broken = join(folder, 'openapi.json');
    writeFileSync(broken, JSON.stringify(document));

    const changes = breakingChanges(current, broken);
    const found = undeclared(changes, changelog);
    expect(found).toEqual([
      expect.stringContaining('* `GET /health`, `api-'),
      expect.stringContaining('* `GET /projects/{project_id}/purge`, `response-'),
    ]);
    const declaring = changelog.replace('### Breaking\n', `### Breaking\n\n${found.join('\n')}\n`);
    expect(undeclared(changes, declaring)).toEqual([]);
    expect(undeclared(changes, declaring.replace('`GET /health`', '`GET /x`'))).toHaveLength(1);
  });
});
