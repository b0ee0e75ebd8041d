/** A change of the API that breaks clients is declared in CHANGELOG.md. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { namePattern } from '../../lib/schema/text.ts';
import manifest from '../../package.json' with { type: 'json' };
import { portablePattern } from '../../scripts/openapi/patterns.ts';
import { root } from '../../scripts/shared/root.ts';
import { sectionOf, undeclared } from '../support/changelog.ts';
import { breakingChanges, installOasdiff } from '../support/oasdiff.ts';

const released = resolve(root, 'openapi.released.json');
const current = resolve(root, 'openapi.json');
/** The release has patterns that not every language compiles. What the service checks is the same. */
function releasedWithPortablePatterns(folder: string): string {
  const document = JSON.parse(readFileSync(released, 'utf8'), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' ? (portablePattern(value) ?? namePattern) : value,
  ) as unknown;
  const file = join(folder, 'released.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

const changelog = readFileSync(resolve(root, 'CHANGELOG.md'), 'utf8');

test('CHANGELOG.md has the last release, whose document is committed, and what is not released', () => {
  const { info } = JSON.parse(readFileSync(released, 'utf8')) as { info: { version: string } };
  expect(changelog).toMatch(/^## Unreleased$/m);
  const [, latest] = /^## (\d.*)$/m.exec(changelog) ?? [];
  expect([latest, info.version]).toEqual([manifest.version, manifest.version]);
  expect(sectionOf(changelog, 'Unreleased', 'Breaking')).not.toBe('');
});

// Installing the tool takes minutes on a busy machine.
describe('compared with the last release', { tags: ['long'] }, () => {
  test('every breaking change is declared', ({ skip }) => {
    const missing = installOasdiff();
    if (missing) skip(missing);
    const folder = mkdtempSync(join(tmpdir(), 'breaking-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const before = releasedWithPortablePatterns(folder);
    expect(undeclared(breakingChanges(before, current), changelog)).toEqual([]);
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

    const found = undeclared(breakingChanges(current, broken), changelog);
    expect(found).toEqual([
      expect.stringContaining('* `GET /health`, `api-'),
      expect.stringContaining('* `GET /projects/{project_id}/purge`, `response-'),
    ]);
    const declaring = changelog.replace('### Breaking\n', `### Breaking\n\n${found.join('\n')}\n`);
    expect(undeclared(breakingChanges(current, broken), declaring)).toEqual([]);
    expect(
      undeclared(breakingChanges(current, broken), declaring.replace('`GET /health`', '`GET /x`')),
    ).toHaveLength(1);
  });
});
