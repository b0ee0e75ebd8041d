/**
 * Folders with text that is not UTF-8: it is uploaded, so that only the service decides which encoding it has. Each client stores the
 * same text, and sends it once.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { readDocuments } from '../../clients/typescript/src/node.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { environmentOf, interpreters } from '../support/client/pythons.ts';
import { quickExtractor } from '../support/extractions.ts';

const cli = useCli({ workers: [quickExtractor] });
let project: typeof cli.project;
let folder: string;

const utf16le = (text: string) => Buffer.from(text, 'utf16le');

const files: Readonly<Record<string, Buffer>> = {
  'cp1252.md': Buffer.from('# Preis\n\nDas Ger\xe4t kostet 5 \x80.\n', 'latin1'),
  'mark.md': Buffer.from('\ufeff# Öl'),
  // The bytes are UTF-8, too.
  'null.txt': utf16le('Plain'),
  'program.txt': Buffer.from('MZ\0\0\x03\0\0\0'),
  'page.html': Buffer.from(
    '<!doctype html><meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2',
    'latin1',
  ),
  'plain.txt': Buffer.from('Maß 😀'),
  'utf16.txt': utf16le('\ufeffGröße 😀'),
  'utf16be.csv': utf16le('\ufeffName,Größe').swap16(),
};

/** The texts of the documents, and whether the file was uploaded. */
const expected = {
  'cp1252.md': ['cp1252', '# Preis\n\nDas Gerät kostet 5 €.\n', true],
  'mark.md': ['Öl', '# Öl', false],
  'null.txt': ['null', 'Plain', true],
  'page.html': ['page', 'Привет', true],
  'plain.txt': ['plain', 'Maß 😀', false],
  'utf16.txt': ['utf16', 'Größe 😀', true],
  'utf16be.csv': ['utf16be', 'Name,Größe', true],
};

type Counts = { created: number; unchanged: number; deleted: number; failed: [string, string][] };
type Report = Omit<Counts, 'failed'> & { failed: { externalId: string; reason: string }[] };

const [python] = interpreters();
const run = promisify(execFile);
const program = `
import json, os, sys
from platform_api import Platform
with Platform() as platform:
    result = platform.projects(os.environ["PLATFORM_PROJECT"]).knowledge.sync(sys.argv[1], source="s", prune=True)
failed = [[one.external_id, str(one.error)] for one in result.failed]
print(json.dumps({"created": result.created, "unchanged": result.unchanged, "deleted": result.deleted, "failed": failed}))
`;

const ways: Record<string, () => Promise<Counts>> = {
  async TypeScript() {
    const documents = await readDocuments(folder);
    const { failed, ...counts } = await project.project.knowledge.sync({
      source: 's',
      documents,
      prune: true,
    });
    return { ...counts, failed: failed.map(({ externalId, error }) => [externalId, error.message]) };
  },
  async 'the command line'() {
    const args = ['knowledge', 'sync', folder, '--source', 's', '--prune', '--yes', '--json'];
    const ran = await cli.run(args, { env: project.env });
    const [report] = jsonLines(ran) as [Report];
    return { ...report, failed: report.failed.map(({ externalId, reason }) => [externalId, reason]) };
  },
  async Python() {
    if (!python) throw new Error('Python is missing');
    const env = { ...environmentOf(python, false), ...project.env, PYTHONUTF8: '1' };
    return JSON.parse((await run(python.command, ['-c', program, folder], { env })).stdout) as Counts;
  },
};

async function stored() {
  const { documents } = project.project.knowledge;
  const found: [string, unknown][] = [];
  for await (const { id, externalId, title, bytes, fileSha256 } of documents.list({ source: 's' }))
    if (bytes !== null) {
      const { content } = await documents.content(id);
      found.push([`${externalId}`, [title, content, fileSha256 !== null]]);
    }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe.each(Object.keys(ways))('%s', (name) => {
  beforeEach(async () => {
    project = await cli.newProject();
    folder = join(cli.home, project.id);
    mkdirSync(folder);
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes);
  });
  const sync = async () => {
    const counts = await ways[name]?.();
    if (!counts) throw new Error('unknown');
    const { created, unchanged, deleted, failed } = counts;
    return { created, unchanged, deleted, failed };
  };

  test.skipIf(name === 'Python' && !python)('stores what was written, and sends it once', async () => {
    const failed = [['program.txt', expect.stringMatching(/^The file is not text\..*\(unsupported_type\)$/)]];
    expect(await sync()).toEqual({ created: 7, unchanged: 0, deleted: 0, failed });
    expect(await stored()).toEqual(expected);
    expect(await sync()).toEqual({ created: 0, unchanged: 7, deleted: 0, failed });
    rmSync(join(folder, 'utf16.txt'));
    expect(await sync()).toEqual({ created: 0, unchanged: 6, deleted: 1, failed });
  });
});
