/** `knowledge add FILE` and `knowledge sync` with files whose texts the service extracts. */

import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { quickExtractor, readBefore } from '../support/extractions.ts';
import { pdfFile } from '../support/sample-files.ts';

const cli = useCli({ workers: [quickExtractor, knowledgeIndexer] });
let project: typeof cli.project;
let folder: string;
let folders = 0;

beforeEach(async () => {
  project = await cli.newProject();
  folders += 1;
  folder = join(cli.home, `files ${folders}`);
  mkdirSync(folder);
});

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
const run = (...args: string[]) => cli.run(args, { env: project.env, cwd: folder });
const add = (...args: string[]) => run('knowledge', 'add', ...args);
const sync = (...more: string[]) => run('knowledge', 'sync', folder, '--source', 'handbook', ...more);
const terms = pdfFile([['Returns'], ['Within 30 days.']]);

test('adds files: a PDF is read, a text is sent, and a file without a text exits with 8', {
  tags: ['long'],
}, async () => {
  write('terms.pdf', terms);
  write('a.md', '# Delivery');
  write('broken.pdf', '%PDF-1.4');
  const ran = await add('terms.pdf', 'a.md', 'broken.pdf', '--tag', 'shop', '--json');
  expect(ran).toMatchObject({ code: 8 });
  expect(ran.stderr).toContain('1 file has no text.');
  expect(jsonLines(ran)).toMatchObject([
    { file: 'terms.pdf', title: 'terms', extraction: 'done', tags: ['shop'], externalId: null },
    { file: 'a.md', title: 'Delivery', extraction: null, mimeType: 'text/markdown' },
    { file: 'broken.pdf', extraction: 'failed', extractionError: { code: 'unreadable_file' } },
  ]);
  const [first] = jsonLines(ran);
  const { content } = await project.project.knowledge.documents.content(String(first?.id));
  expect(content).toMatch(/Returns\s*\f\s*Within 30 days\./);
  const shown = await add('broken.pdf');
  expect(shown.stdout).toMatch(/^kdoc_\w+ {2}broken\.pdf {2}extraction failed\n$/);
  expect(shown.stderr).toMatch(/Warning: broken\.pdf: .*\(unreadable_file\)/);
});

test('an --external-id replaces its document, and --no-wait does not wait', async () => {
  write('terms.pdf', terms);
  const [first] = jsonLines(await add('terms.pdf', '--title', 'Terms', '--external-id', 'terms', '--json'));
  expect(first).toMatchObject({ title: 'Terms', externalId: 'terms', extraction: 'done' });
  const again = await add('terms.pdf', '--external-id', 'terms', '--no-wait');
  expect(again.stderr).toContain(`platform documents get ${first?.id}`);
  expect((await project.project.knowledge.documents.list()).items).toHaveLength(1);
});

test('a text in another encoding is uploaded, so that the service decodes it', async () => {
  write('price.md', Buffer.from('# Preis\n\n5 \x80 f\xfcr das Ger\xe4t', 'latin1'));
  const [document] = jsonLines(await add('price.md', '--json'));
  expect(document).toMatchObject({ title: 'price', extraction: 'done' });
  const { content } = await project.project.knowledge.documents.content(String(document?.id));
  expect(content).toBe('# Preis\n\n5 € für das Gerät');
});

test('shows the progress in a terminal', async () => {
  write('terms.pdf', terms);
  const { stderr } = await cli.run(['knowledge', 'add', 'terms.pdf'], {
    env: { ...project.env, FORCE_COLOR: '1' },
    cwd: folder,
  });
  expect(stderr).toMatch(/Uploading terms\.pdf █+ 0\.0 MB\/0\.0 MB/);
  expect(stderr).toMatch(/Extracting the text .*(pending|done)/);
});

test('sends nothing if a file or an option is wrong', async () => {
  write('a.md', 'a');
  write('large.pdf', '%PDF-');
  truncateSync(join(folder, 'large.pdf'), 26 * 1024 * 1024);
  write('empty.pdf', '');
  const refused = async (message: string, ...args: string[]) =>
    expect(await add(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  await refused('large.pdf has 26.0 MB, and a file has at most 25 MB.', 'a.md', 'large.pdf');
  await refused('The file cannot be read', 'a.md', 'missing.pdf');
  await refused('empty.pdf is empty.', 'a.md', 'empty.pdf');
  await refused('. is not a file.', '.');
  await refused('--title is for one file.', 'a.md', 'a.md', '--title', 'A');
  await refused('--max-pages is for URLs', 'a.md', '--max-pages', '3');
  await refused('--no-reindex is for URLs', 'a.md', '--no-reindex');
  expect((await project.project.knowledge.documents.list()).items).toEqual([]);
});

test('sync sends files once, names those without a text, and stores the others', {
  tags: ['long'],
}, async () => {
  write('terms.pdf', terms);
  write('prices.csv', 'product,price\nshoe,3');
  write('large.txt', `${'A long text. '.repeat(20_000)}`);
  write('broken.docx', 'PK\x03\x04');
  const ran = await sync('--json');
  expect(ran).toMatchObject({ code: 8 });
  expect(jsonLines(ran)).toMatchObject([{ created: 3, failed: [{ externalId: 'broken.docx' }] }]);
  const reason = expect.stringMatching(/Warning: broken\.docx .+ \((unreadable_file|unsupported_type)\)/);
  const again = await sync('--verbose');
  expect(again).toMatchObject({ code: 8, stderr: reason });
  expect(again.stderr).not.toMatch(/PUT|POST|PATCH/);
  expect(again.stdout).toBe('0 created, 0 updated, 3 unchanged, 0 deleted, 1 failed\n');
  const quiet = await sync('--exclude', 'broken.docx', '--exit-code', '--verbose');
  expect(quiet.code).toBe(10);
  expect(quiet.stderr).not.toMatch(/PUT|POST|PATCH/);
  write('prices.csv', 'product,price\nshoe,4');
  expect((await sync('--exclude', 'broken.docx')).stdout).toBe(
    '~ prices.csv (content)\n0 created, 1 updated, 2 unchanged, 0 deleted, 0 failed\n',
  );
  rmSync(join(folder, 'terms.pdf'));
  const pruned = await sync('--prune', '--yes');
  expect(pruned).toMatchObject({ code: 8, stderr: reason });
  expect(pruned.stdout).toBe('- terms.pdf\n0 created, 0 updated, 2 unchanged, 1 deleted, 1 failed\n');
});

test('sync prints what was not read, with titles, and --reread sends files that earlier readers have read, once', {
  tags: ['long'],
}, async () => {
  write('a.md', 'A text.');
  write('terms.pdf', terms);
  expect(await sync('--reindex')).toMatchObject({ code: 0 });
  const notes = [
    { code: 'pages_without_text', count: 2, pages: [3, 7] },
    { code: 'comments_left_out', count: 1 },
  ] as const;
  await readBefore(cli.api, project.id, notes);
  const said = '2 pages have no text (pages 3, 7), 1 comment was left out';
  const again = await sync();
  expect(again).toMatchObject({ code: 0, stderr: `Warning: terms.pdf (terms): ${said}.\n` });
  expect(jsonLines(await sync('--json'))).toMatchObject([
    { unchanged: 2, notes: [{ externalId: 'terms.pdf', title: 'terms', notes }] },
  ]);
  const listed = async (...filter: string[]) =>
    jsonLines(await run('documents', 'list', ...filter, '--json')).map(({ externalId }) => externalId);
  expect(await listed('--extraction-note', 'comments_left_out')).toEqual(['terms.pdf']);
  expect(await listed('--extraction-note', 'truncated_file')).toEqual([]);
  expect(await listed('--extracted-before', '2')).toEqual(['terms.pdf']);

  const deploy = (...more: string[]) => run('deploy', ...more);
  const plan = await deploy('--dry-run', '--strict');
  expect(plan).toMatchObject({ code: 0, stderr: `Warning: 1 document was read in part. terms: ${said}.\n` });
  expect(await deploy('--dry-run', '--strict-notes')).toMatchObject({ code: 5 });
  const refused = await deploy('--strict-notes');
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('terms (pages_without_text)') });
  const deployed = await deploy('--strict');
  expect(deployed).toMatchObject({ code: 0, stderr: expect.stringContaining('1 document was read in part') });

  expect((await sync('--reread', '--dry-run')).stdout).toBe(
    '~ terms.pdf (content)\nWould be: 0 created, 1 updated, 1 unchanged, 0 deleted, 0 failed\n',
  );
  expect((await sync('--reread')).stdout).toMatch(/^~ terms\.pdf \(content\)/);
  expect(await sync('--reread', '--exit-code')).toMatchObject({ code: 10 });
  expect(await listed('--extracted-before', '2')).toEqual([]);
});

test('add sends the type of a file, and shows what was not read', async () => {
  write('prices.txt', 'a,b\n1,2');
  const type = 'text/csv; charset=windows-1251';
  const [document] = jsonLines(await add('prices.txt', '--mime-type', type, '--json'));
  expect(document).toMatchObject({ extraction: 'done', fileMimeType: type });
  const refused = await add('a.md', 'b.md', '--mime-type', type);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--mime-type is for one file.') });
});

test('knowledge ignore takes a scan out of the warnings and the exit codes, and --undo puts it back', {
  tags: ['long'],
}, async () => {
  write('a.md', 'A text.');
  write('scan 1.pdf', pdfFile([[]]));
  const deploy = (...more: string[]) => run('deploy', '--strict', ...more);
  const reason = 'The file contains no text.';
  const first = await sync('--reindex');
  expect(first).toMatchObject({ code: 8 });
  expect(first.stderr).toContain('platform knowledge ignore PATH --source handbook');
  const plan = await deploy('--dry-run', '--json');
  expect(plan).toMatchObject({ code: 5 });
  expect(jsonLines(plan)).toMatchObject([
    {
      documents: [
        { title: 'scan 1', change: 'failed', reason: expect.stringContaining(reason) },
        { title: 'a', change: 'added' },
      ],
      warnings: [expect.stringMatching(/^1 document is unreadable, .*scan 1: .*\(no_text\)/)],
    },
  ]);
  // A re-index does not help.
  expect(`${plan.stdout}${(await deploy('--dry-run')).stderr}`).not.toContain('reindex');
  const refused = await deploy();
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('scan 1 (no_text)') });
  expect(refused.stderr).toContain('platform knowledge ignore ID');

  const ignored = await run('knowledge', 'ignore', 'scan 1.pdf', '--source', 'handbook');
  expect(ignored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^kdoc_\w+ {2}scan 1 {2}ignored\n$/),
  });
  const [id = ''] = ignored.stdout.split(' ');
  const again = await sync('--prune', '--yes');
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toBe('0 created, 0 updated, 2 unchanged, 0 deleted, 0 failed\n');
  write('scan 1.pdf', pdfFile([[], []]));
  expect(await sync()).toMatchObject({ code: 0, stdout: expect.stringContaining('~ scan 1.pdf (content)') });
  expect(await deploy('--dry-run')).toMatchObject({ code: 0, stderr: '' });
  expect(await deploy()).toMatchObject({ code: 0, stderr: '' });
  const listed = async (filter: string) =>
    jsonLines(await run('documents', 'list', filter, '--json')).map(({ title }) => title);
  expect([await listed('--ignored'), await listed('--no-ignored')]).toEqual([['scan 1'], ['a']]);

  expect(jsonLines(await run('knowledge', 'ignore', id, '--undo', '--json'))).toMatchObject([
    { id, ignored: false, status: 'failed' },
  ]);
  expect(await sync()).toMatchObject({ code: 8 });
});

test('knowledge ignore changes nothing if one of the documents does not exist', async () => {
  const { id } = await project.project.knowledge.documents.create({ title: 'Returns', content: 'a' });
  const missing = await run('knowledge', 'ignore', id, 'Nothing');
  expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining('"Nothing"') });
  const other = await run('knowledge', 'ignore', 'x.pdf', '--source', 'handbook');
  expect(other).toMatchObject({ code: 4, stderr: expect.stringContaining('"x.pdf"') });
  expect(await project.project.knowledge.documents.get(id)).toMatchObject({ ignored: false });
  // By its title, twice.
  expect(await run('knowledge', 'ignore', 'Returns', id)).toMatchObject({
    code: 0,
    stdout: `${id}  Returns  ignored\n`,
  });
});
