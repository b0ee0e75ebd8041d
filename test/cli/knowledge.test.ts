/** `knowledge sync`: exact, safe against mistakes, and restartable. */

import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readDocuments } from '../../clients/typescript/src/node.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import { jsonLines, useCli } from '../support/cli.ts';

const cli = useCli({ workers: [knowledgeIndexer] });
let project: typeof cli.project;
let folder: string;
let folders = 0;

beforeEach(async () => {
  project = await cli.newProject();
  folders += 1;
  folder = join(cli.home, `hand book ${folders}`);
  mkdirSync(join(folder, 'sub folder'), { recursive: true });
});

const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
const run = (...args: string[]) => cli.run(args, { env: project.env });
const sync = (...more: string[]) => run('knowledge', 'sync', folder, '--source', 'handbook', ...more);
const synced = async (...more: string[]) => jsonLines(await sync(...more, '--json'))[0];

async function stored(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { externalId, title } of project.project.knowledge.documents.list({ source: 'handbook' }))
    found[externalId ?? ''] = title;
  return found;
}

test('sends what has changed, with the path as externalId', async () => {
  write('Returns & more.md', '# Returns');
  write('sub folder/Größe.txt', 'Large');
  write('.hidden.md', 'no');
  write('picture.png', 'no');
  expect(await synced('--tag', 'shop')).toMatchObject({ created: 2, updated: 0, unchanged: 0, failed: [] });
  expect(await stored()).toEqual({ 'Returns & more.md': 'Returns', 'sub folder/Größe.txt': 'Größe' });
  write('Returns & more.md', '# New');
  const ran = await sync('--tag', 'shop');
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toBe(
    '~ Returns & more.md (title, content)\n0 created, 1 updated, 1 unchanged, 0 deleted, 0 failed\n',
  );
  expect(await sync('--tag', 'shop', '--exit-code')).toMatchObject({ code: 10 });
});

test('changes tags only when it is told to', async () => {
  write('a.md', 'a');
  const tags = async () => (await project.project.knowledge.documents.list()).items.map((one) => one.tags);
  await sync('--tag', 'shop');
  // The nightly script does not know the tag.
  write('a.md', 'b');
  expect((await sync('--prune', '--dry-run')).stdout).toMatch(/^~ a\.md \(content\)\n/);
  expect(await synced('--prune')).toMatchObject({
    changes: [{ externalId: 'a.md', outcome: 'updated', fields: ['content'] }],
  });
  expect(await tags()).toEqual([['shop']]);
  expect((await sync('--no-tags', '--dry-run')).stdout).toMatch(/^~ a\.md \(tags\)\n/);
  expect(await sync('--no-tags', '--tag', 'shop')).toMatchObject({ code: 2 });
  await sync('--no-tags');
  expect(await tags()).toEqual([[]]);
});

test('front matter is not sent, and gives the title', async () => {
  write('a.md', '---\ntitle: Returns\n---\nSend them back.');
  await synced();
  expect(await stored()).toEqual({ 'a.md': 'Returns' });
  const [sent] = (await project.project.knowledge.documents.list({ source: 'handbook' })).items;
  const { content } = await project.project.knowledge.documents.content(sent?.id ?? '');
  expect(content).toBe('Send them back.');
});

test('readDocuments of the client has the same documents, whatever letters their names have', async () => {
  write('o\u0308l.MD', '\ufeff# Oil');
  write('sub folder/Gro\u0308\u00dfe.Txt', 'Large');
  expect(await synced()).toMatchObject({ created: 2 });
  expect(await stored()).toEqual({
    '\u00f6l.MD': 'Oil',
    'sub folder/Gr\u00f6\u00dfe.Txt': 'Gr\u00f6\u00dfe',
  });
  const documents = await readDocuments(folder);
  expect(await project.project.knowledge.sync({ source: 'handbook', documents, prune: true })).toMatchObject({
    unchanged: 2,
    created: 0,
    deleted: 0,
  });
});

test('--dry-run changes nothing', async () => {
  write('a.md', 'a');
  expect(await synced('--dry-run', '--prune')).toMatchObject({
    dryRun: true,
    changes: [{ externalId: 'a.md', outcome: 'created' }],
  });
  expect(await stored()).toEqual({});
});

test('names what cannot be sent, sends the rest, and exits with 8', async () => {
  write('large.pdf', '%PDF-');
  truncateSync(join(folder, 'large.pdf'), 26 * 1024 * 1024);
  write('good.md', 'good');
  const ran = await sync();
  expect(ran).toMatchObject({ code: 8 });
  expect(ran.stderr).toContain('large.pdf has 26.0 MB, and a file has at most 25 MB');
  expect(ran.stderr).toContain('Error: 1 document has failed.');
  expect(await stored()).toEqual({ 'good.md': 'good' });
  expect(await sync('--exclude', 'large.pdf')).toMatchObject({ code: 0 });
});

test('a link that leaves the folder is left out, one inside is followed', async () => {
  write('a.md', 'a');
  const outside = join(cli.home, 'outside.md');
  writeFileSync(outside, 'secret');
  symlinkSync(outside, join(folder, 'out.md'));
  symlinkSync('a.md', join(folder, 'in.md'));
  symlinkSync('/nowhere', join(folder, 'broken.md'));
  symlinkSync('.', join(folder, 'loop'));
  expect((await sync()).stderr).toContain('out.md is a link that leaves the folder');
  expect(Object.keys(await stored()).sort()).toEqual(['a.md', 'in.md']);
});

describe('--prune', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}.md`, name);
    const { documents } = project.project.knowledge;
    await documents.create({ title: 'mine', content: 'x' });
    await documents.put('x', { source: 'other', title: 'other', content: 'x' });
    await sync();
  });

  test('deletes documents of this source whose files are gone', async () => {
    rmSync(join(folder, 'b.md'));
    expect(await synced()).toMatchObject({ deleted: 0 });
    expect(await synced('--prune')).toMatchObject({
      deleted: 1,
      changes: [{ externalId: 'b.md', outcome: 'deleted' }],
    });
    expect(Object.keys(await stored()).sort()).toEqual(['a.md', 'c.md']);
    expect(jsonLines(await run('documents', 'list', '--json'))).toHaveLength(4);
  });

  test('deletes more than half only with --yes', async () => {
    rmSync(join(folder, 'a.md'));
    rmSync(join(folder, 'b.md'));
    const refused = await sync('--prune');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('deletes 2 of 3 documents'),
    });
    expect(Object.keys(await stored())).toHaveLength(3);
    expect(await synced('--prune', '--yes')).toMatchObject({ deleted: 2 });
  });

  test.each([
    ['an empty folder', 'empty'],
    ['a folder that does not exist', 'missing'],
  ])('deletes nothing for %s', async (_what, name) => {
    mkdirSync(join(folder, 'empty'));
    const wrong = ['knowledge', 'sync', join(folder, name), '--source', 'handbook', '--prune', '--yes'];
    expect(await run(...wrong)).toMatchObject({ code: 2 });
    expect(Object.keys(await stored())).toHaveLength(3);
  });

  test('deletes nothing if a file cannot be read', async () => {
    rmSync(join(folder, 'b.md'));
    truncateSync(join(folder, 'c.md'), 26 * 1024 * 1024);
    write('d.md', 'd');
    const ran = await sync('--prune', '--yes');
    expect(ran).toMatchObject({ code: 8, stderr: expect.stringContaining('Nothing is deleted') });
    expect(ran.stderr).toContain('Error: 1 document has failed.');
    expect(Object.keys(await stored()).sort()).toEqual(['a.md', 'b.md', 'c.md', 'd.md']);
  });
});

test('Ctrl+C exits with 130, and the next run sends the rest', async () => {
  for (let index = 0; index < 60; index += 1) write(`${index}.md`, `text ${index}`);
  const args = ['knowledge', 'sync', folder, '--source', 'handbook', '--verbose', '--concurrency', '2'];
  let puts = 0;
  const running = cli.start(args, {
    env: project.env,
    onStderr(text) {
      puts += text.split('PUT ').length - 1;
      if (puts > 5) running.interrupt();
    },
  });
  expect(await running.ended).toMatchObject({ code: 130 });
  const before = Object.keys(await stored()).length;
  expect(before).toBeGreaterThan(5);
  expect(before).toBeLessThan(60);
  const { created, unchanged } = (await synced()) as { created: number; unchanged: number };
  expect(created + unchanged).toBe(60);
  // Two requests were on their way: the service may have stored their documents after the interruption.
  expect(unchanged).toBeGreaterThanOrEqual(before);
  expect(unchanged).toBeLessThanOrEqual(before + 2);
});

test('--watch runs again when files change, once for many, and stops with Ctrl+C', async () => {
  write('a.md', 'a');
  const args = ['knowledge', 'sync', folder, '--source', 'handbook', '--watch', '--json'];
  const running = cli.start(args, { env: project.env });
  const reports = () => jsonLines(running.shown());
  await expect.poll(reports).toMatchObject([{ created: 1 }]);
  for (let index = 0; index < 20; index += 1) write(`sub folder/${index}.md`, `text ${index}`);
  const created = () => reports().reduce((sum, report) => sum + Number(report.created), 0);
  await expect.poll(created).toBe(21);
  expect(reports().length).toBeLessThan(6);
  running.interrupt();
  expect(await running.ended).toMatchObject({ code: 130 });
});

test('reindex --wait groups what it could not read by kind, with titles', async () => {
  write('a.md', 'a');
  for (let n = 1; n <= 12; n += 1) write(`part ${n}.html`, `<h1>Part ${n}</h1><nav>Menu</nav>`);
  write('empty.html', '<img>');
  await sync();
  await run('projects', 'update', project.id, '--data', '{"settings":{"searchFields":["version"]}}');
  const { documents } = project.project.knowledge;
  for await (const { id, title } of documents.list())
    if (title.startsWith('Part')) await documents.update(id, { metadata: { version: '1'.repeat(101) } });
  const ran = await run('reindex', '--wait');
  expect(ran.code).toBe(0);
  expect(ran.stdout).not.toMatch(/[{}]|^(failures|warnings)/m);
  expect(ran.stdout).toMatch(
    /\n1 document could not be indexed \(no_text\):\nDOCUMENT +ID +REASON\nempty +kdoc_\w+ +The document contains no text\.\n/,
  );
  expect(ran.stdout).toContain('\n12 documents indexed, with a warning (field_too_long):\n');
  expect(
    ran.stdout.match(/^Part \d+ +kdoc_\w+ +A search cannot filter the document by version, /gm),
  ).toHaveLength(10);
  expect(ran.stdout).toContain('\nand 2 more. --json lists them.\n');
  expect(ran.stderr).toContain('Warning: 1 document could not be indexed. Send each again');
  const [id = ''] = /job_\w+/.exec(ran.stdout) ?? [];
  const [empty] = (await project.project.knowledge.documents.list({ externalId: 'empty.html' })).items;
  await project.project.knowledge.documents.delete(empty?.id ?? '');
  const shown = await run('jobs', 'get', id);
  // Its title is gone with it.
  expect(shown.stdout).toMatch(new RegExp(`\n +${empty?.id} +The document contains no text`));
  expect(jsonLines(await run('jobs', 'get', id, '--json'))).toMatchObject([
    { failures: [{ documentId: empty?.id, code: 'no_text' }] },
  ]);
});

test('reindex --wait, and a search with highlighted words, scores and mode', async () => {
  write('returns.md', '# Returns\n\nRefunds are paid to the card. 商品は返品できます。');
  await sync();
  const [job] = jsonLines(await run('reindex', '--wait', '--json'));
  expect(job).toMatchObject({ status: 'succeeded', result: { documents: 1 } });
  expect(jsonLines(await run('knowledge', 'search', 'refund', '--json'))).toMatchObject([
    { title: 'Returns', mode: 'lexical', scores: { semantic: null }, matchedWords: ['Refunds'] },
  ]);
  const coloured = await cli.run(['knowledge', 'search', 'refund'], {
    env: { ...project.env, FORCE_COLOR: '1' },
  });
  expect(coloured.stdout).toContain('\u001b[1m\u001b[33mRefunds\u001b[39m');
  const painted = async (query: string) =>
    (await cli.run(['knowledge', 'search', query], { env: { ...project.env, FORCE_COLOR: '1' } })).stdout;
  // A word of a script without spaces, and a word that the query does not have as it stands.
  expect(await painted('返品')).toContain('商品は\u001b[1m\u001b[33m返品\u001b[39m\u001b[22mできます');
  expect(await painted('REFUNDING')).toContain('\u001b[33mRefunds\u001b[39m');
  const plain = await run('knowledge', 'search', 'refund');
  expect(plain.stdout).toMatch(
    / {2}# Returns\n *\n {2}Refunds are paid .*\n {2}matches Refunds · score ([\d.]+) \(words \1\)\n/,
  );
  const snippet = await run('knowledge', 'search', 'refund', '--fields', 'snippet');
  expect(snippet.stdout).toContain('  Returns Refunds are paid');
  expect(
    jsonLines(await run('knowledge', 'search', 'refund', '--fields', 'snippet', '--json'))[0],
  ).not.toHaveProperty('text');
  expect(await run('knowledge', 'search', 'refund', '--context', '4')).toMatchObject({ code: 2 });
  expect(plain.stderr).toContain('Searched by words only: the index has no meanings yet');
  expect((await run('knowledge', 'search', 'refund', '--mode', 'lexical')).stderr).toBe('');
  expect(await run('knowledge', 'search', 'refund', '--mode', 'magic')).toMatchObject({ code: 2 });
  const filtered = async (...options: string[]) =>
    jsonLines(await run('knowledge', 'search', 'refund', '--json', ...options)).length;
  const id = (await project.project.knowledge.documents.list()).items[0]?.id ?? '';
  expect(await filtered('--document-id', id)).toBe(1);
  expect(await filtered('--document-id', id, '--tag', 'a', '--tag', 'b', '--tag-mode', 'any')).toBe(0);
});

describe('deploy', () => {
  const deploy = (...more: string[]) => run('deploy', ...more);
  const created = async () =>
    jsonLines(
      await run('avatars', 'create', '--name', 'Clara', '--data', '{"persona":{"prompt":"p"}}', '--json'),
    )[0];

  test('--dry-run shows which avatars and documents would change', { tags: ['long'] }, async () => {
    write('returns.md', 'one');
    await sync('--reindex');
    const avatar = String((await created())?.id);
    const plan = async () => jsonLines(await deploy('--dry-run', '--json'))[0];
    expect(await plan()).toMatchObject({
      current: null,
      changes: true,
      avatars: [{ avatarId: avatar, change: 'added', from: null, to: 1 }],
      documents: [{ title: 'returns', change: 'added' }],
    });
    await deploy();
    expect(await plan()).toMatchObject({ changes: false, avatars: [], documents: [] });
    expect(await deploy('--dry-run', '--exit-code')).toMatchObject({ code: 10 });
    await run('avatars', 'update', avatar, '--prompt', 'other');
    write('returns.md', 'two');
    write('new.md', 'new');
    await sync();
    expect(await plan()).toMatchObject({
      avatars: [{ avatarId: avatar, change: 'changed', from: 1, to: 2 }],
      documents: expect.arrayContaining([
        { documentId: expect.any(String), title: 'returns', change: 'pending' },
        { documentId: expect.any(String), title: 'new', change: 'pending' },
      ]),
    });
    await run('reindex', '--wait');
    expect((await plan())?.documents).toEqual(
      expect.arrayContaining([
        { documentId: expect.any(String), title: 'returns', change: 'changed' },
        { documentId: expect.any(String), title: 'new', change: 'added' },
      ]),
    );
    expect((await deploy('--dry-run')).stdout).toMatch(/^Clara +avtr_\w+ +changed +1 → 2$/m);
  });

  test('--strict refuses to deploy an empty project', async () => {
    const nothing = expect.stringContaining('There is nothing to deploy');
    expect(await deploy('--strict')).toMatchObject({ code: 5, stderr: nothing });
    expect(await deploy('--dry-run', '--strict')).toMatchObject({ code: 5, stderr: nothing });
    expect(await run('environments', 'get', 'production')).toMatchObject({ code: 4 });
    expect(await deploy()).toMatchObject({ code: 0, stderr: nothing });
  });

  test('--strict refuses a deployment whose avatar finds nothing', { tags: ['long'] }, async () => {
    write('returns.md', 'Returns.');
    await sync('--tag', 'shop', '--reindex');
    const persona = '{"persona":{"prompt":"p"}}';
    await run('avatars', 'create', '--name', 'Clara', '--knowledge-tag', 'shop', '--data', persona);
    expect(await deploy('--strict')).toMatchObject({ code: 0 });
    await sync('--no-tags', '--reindex');
    const warning =
      'No document has a knowledge tag of Clara (shop): a search by these tags finds nothing. Add a tag to the documents, or ' +
      'change the knowledge tags of the avatar.';
    for (const ran of [await deploy('--dry-run'), await deploy()])
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`Warning: ${warning}`) });
    expect(await deploy('--dry-run', '--strict')).toMatchObject({ code: 5 });
    const count = async () => jsonLines(await run('deployments', 'list', '--json')).length;
    const before = await count();
    expect(await deploy('--strict')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`${warning} (deployment_has_warnings`),
    });
    expect(await count()).toBe(before);
  });

  test('rollback --to takes a deployment or the start of its commit, and completes both', {
    tags: ['long'],
  }, async () => {
    const avatar = String((await created())?.id);
    const ids: string[] = [];
    for (const sha of ['1122334455', '4b825dc642', '4b825dc999', 'abcdef0123', 'abcdef0123', 'fedcba9876']) {
      await run('avatars', 'update', avatar, '--prompt', `prompt ${ids.length}`);
      ids.push(String(jsonLines(await deploy('--sha', sha, '--ref', 'main', '--json'))[0]?.id));
    }
    const staging = ['--environment', 'staging', '--sha', '4b825dc642', '--ref', 'main'];
    expect(await run('deploy', ...staging)).toMatchObject({ code: 0 });
    const rollback = (to: string) => run('rollback', '--to', to, '--json');
    const dryRun = (to: string) => run('rollback', '--to', to, '--dry-run', '--json');
    for (const to of ['4b825dc6', '4B825DC642', String(ids[1])])
      expect(jsonLines(await dryRun(to))).toMatchObject([{ from: ids[5], to: ids[1] }]);
    for (const [to, two] of [
      ['4b825dc', [ids[1], ids[2]]],
      ['abcdef0123', [ids[3], ids[4]]],
    ] as const) {
      const ran = await rollback(to);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('Several deployments') });
      for (const id of two) expect(ran.stderr).toContain(id);
    }
    expect(await rollback('4b825d')).toMatchObject({ code: 2, stderr: expect.stringContaining('7 digits') });
    // What is current is no target, and neither is what another environment has served.
    for (const to of ['fedcba9', '1234567']) expect(await rollback(to)).toMatchObject({ code: 4 });
    for (const to of ['', 'main', 'dep_1', `${avatar}`])
      expect(await rollback(to)).toMatchObject({ code: 2 });
    expect(jsonLines(await run('environments', 'get', 'production', '--json'))).toMatchObject([
      { current: ids[5], pinned: false },
    ]);

    const offered = async (...words: string[]) =>
      (await run('__complete', 'rollback', ...words)).stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(await offered('--to', '')).toEqual([...ids.slice(0, 5).reverse(), '1122334', '']);
    expect(await offered('--to', '112')).toEqual(['1122334', '']);
    expect(await offered('--to', '4b8')).toEqual(['']);
    expect(await offered('--environment', 'staging', '--to', '')).toEqual(['']);
    expect(jsonLines(await rollback('4b825dc6'))).toMatchObject([{ current: ids[1], pinned: true }]);
  });

  test('--from deploys what another environment serves; --dry-run shows the differences before', async () => {
    const avatar = String((await created())?.id);
    const staging = ['--environment', 'staging', '--sha', '4b825dc', '--ref', 'main', '--json'];
    const tested = jsonLines(await deploy(...staging))[0];
    await run('avatars', 'update', avatar, '--prompt', 'not tested');
    const promote = (...more: string[]) => deploy('--environment', 'prod', '--from', 'staging', ...more);
    const plan = async () => jsonLines(await promote('--dry-run', '--json'))[0];
    expect(await plan()).toMatchObject({
      current: null,
      avatars: [{ avatarId: avatar, name: 'Clara', change: 'added', from: null, to: 1 }],
      changes: true,
    });
    const first = jsonLines(await promote('--json'))[0];
    const { configHash, git } = tested ?? {};
    expect(first).toMatchObject({ environment: 'prod', promotedFrom: tested?.id, configHash, git });
    expect(await plan()).toMatchObject({ current: first?.id, avatars: [], documents: [], changes: false });
    expect(await promote('--if-changed', '--exit-code')).toMatchObject({ code: 10 });
    await deploy('--environment', 'staging');
    expect(await plan()).toMatchObject({
      avatars: [{ avatarId: avatar, name: 'Clara', change: 'changed', from: 1, to: 2 }],
      changes: true,
    });
    const byId = await deploy('--environment', 'demo', '--from', String(tested?.id), '--json');
    expect(jsonLines(byId)).toMatchObject([{ promotedFrom: tested?.id }]);
    for (const more of [['--strict'], ['--sha', '4b825dc', '--ref', 'main']])
      expect(await promote(...more)).toMatchObject({ code: 2 });
    expect(await deploy('--environment', 'prod', '--from', 'PROD')).toMatchObject({ code: 2 });
    expect(await deploy('--environment', 'prod', '--from', 'none')).toMatchObject({ code: 4 });
    expect((await run('__complete', 'deploy', '--from', '')).stdout).toContain('staging');
    expect(await run('environments', 'delete', 'demo')).toMatchObject({ code: 2 });
    const removed = await run('environments', 'delete', 'demo', '--yes', '--json');
    expect(jsonLines(removed)).toMatchObject([{ name: 'demo', current: null }]);
    expect(await run('environments', 'delete', 'demo', '--yes')).toMatchObject({ code: 4 });
  });

  test('--if-changed deploys once; a rollback pins the environment: exit code 9', async () => {
    const avatar = String((await created())?.id);
    const first = jsonLines(await deploy('--sha', '4b825dc', '--ref', 'main', '--json'))[0];
    expect(first).toMatchObject({ phase: 'current', git: { sha: '4b825dc', ref: 'main' } });
    expect(await deploy('--if-changed')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing has changed'),
    });
    expect(await deploy('--if-changed', '--exit-code')).toMatchObject({ code: 10 });
    expect(await run('rollback')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('nothing_to_roll_back'),
    });
    await run('avatars', 'update', avatar, '--prompt', 'worse');
    const ci = await cli.run(['deploy', '--if-changed', '--sha', 'abcdef0', '--json'], {
      env: { ...project.env, GITHUB_REF_NAME: 'release' },
    });
    const second = jsonLines(ci)[0];
    expect(second).toMatchObject({ git: { ref: 'release' } });
    expect(jsonLines(await run('rollback', '--dry-run', '--json'))).toMatchObject([
      { from: second?.id, to: first?.id, avatars: [{ avatarId: avatar, from: 2, to: 1 }] },
    ]);
    expect(jsonLines(await run('rollback', '--reason', 'worse', '--json'))).toMatchObject([
      { current: first?.id, pinned: true },
    ]);
    const held = await deploy('--reason', 'again');
    expect(held).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('platform deployments promote dep_'),
    });
    expect(await run('deployments', 'promote', String(second?.id))).toMatchObject({ code: 0 });
    expect((await run('environments', 'list')).stdout).toMatch(
      /^production +dep_\w+ +no +(?:now|\d+ s ago) +dep_\w+$/m,
    );
    expect(jsonLines(await run('environments', 'config', 'production'))).toMatchObject([
      { deploymentId: second?.id },
    ]);
  });
});
