/** The client's package as users install it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Platform } from '../../../clients/typescript/src/index.ts';
import { root } from '../../../scripts/shared/root.ts';
import { execute, installClient } from '../../support/client/installed.ts';

const maxBytes = 14.5 * 1024;
const maxKitBytes = 10 * 1024;

let installed: ReturnType<typeof installClient>;
beforeAll(() => {
  installed = installClient();
});
afterAll(() => installed?.remove());

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

test('it has the built files, the README and the licence, and no dependencies', () => {
  const paths = installed.packed.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/node.js']));
  expect(paths).toEqual(expect.arrayContaining(['dist/cjs/index.js', 'dist/cjs/index.d.ts']));
  expect(paths.filter((path) => !/^dist\/[\w/-]+\.(js|d\.ts)$/.test(path)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/cjs/package.json',
    'package.json',
  ]);
  const manifest = JSON.parse(read('clients/typescript/package.json')) as Record<string, unknown>;
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    expect(manifest).not.toHaveProperty(kind);
  expect(read('clients/typescript/LICENSE')).toBe(read('LICENSE'));
});

test.each([
  { path: 'platform-api-client', least: 8, most: maxBytes },
  // The kit for runtimes has the parts of the client that it needs. Without a folder, it needs no module of Node.
  { path: 'platform-api-client/runtime', least: 4, most: maxKitBytes },
])('$path has at most $most bytes, minified and gzipped, also for pages', async ({ path, least, most }) => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${path}';`, resolveDir: installed.user },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  expect(bytes).toBeLessThanOrEqual(most);
  expect(bytes).toBeGreaterThan(least * 1024);
});

test('readDocuments reads the documents of a folder', async () => {
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { readDocuments } from 'platform-api-client/node';
    mkdirSync('handbook/a/.git', { recursive: true });
    for (const [path, text] of Object.entries({
      'b.md': '# B', 'a/c.html': '<p>C', 'a/d.txt': 'D', 'a/e.png': 'E', 'a/empty.md': '', 'a/.git/f.md': 'F', '.g.md': 'G',
      // The name is decomposed, as macOS may do it. The text begins with a byte order mark.
      'o\\u0308l.MD': '\\ufeff# Oil',
    })) writeFileSync('handbook/' + path, text);
    const all = await readDocuments('handbook');
    const some = await readDocuments('handbook', { extensions: ['.Md'] });
    console.log(JSON.stringify([all, some]));
  `;
  writeFileSync(join(installed.user, 'folder.mjs'), program);
  const [all, some] = JSON.parse(execute(process.execPath, ['folder.mjs'], installed.user)) as unknown[];
  const markdown = [
    { externalId: 'b.md', title: 'B', content: '# B', mimeType: 'text/markdown' },
    { externalId: '\u00f6l.MD', title: 'Oil', content: '# Oil', mimeType: 'text/markdown' },
  ];
  expect(all).toEqual([
    { externalId: 'a/c.html', title: 'c', content: '<p>C', mimeType: 'text/html' },
    { externalId: 'a/d.txt', title: 'd', content: 'D', mimeType: 'text/plain' },
    ...markdown,
  ]);
  expect(some).toEqual(markdown);
});

test('every operation of the API is a method, where its name says', () => {
  const { paths } = JSON.parse(read('openapi.json')) as {
    paths: Record<string, Record<string, { operationId?: string; responses: object }>>;
  };
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  );
  const platform = new Platform({ apiKey: 'a', baseUrl: 'http://localhost/api/v1' });
  const missing = ids.filter((id) => {
    const parts = id.split('.').map((part) => part.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()));
    return ![platform, platform.projects('proj_1')].some(
      (start) =>
        typeof parts.reduce<unknown>((at, part) => Object(at)[part as keyof object], start) === 'function',
    );
  });
  // Raw documents, and a stream of events, without an envelope.
  expect(missing.filter((id) => !/^(openapi|docs|llms|replies\.events$)/.test(id))).toEqual([]);
  expect(ids.length).toBeGreaterThan(missing.length + 40);
});

describe('its types', () => {
  const program = `
    import { ApiError, NotFoundError, Platform, type Conversation, type EndedJob, type EraseResult, type ExportResult } from 'platform-api-client';
    import { readDocuments } from 'platform-api-client/node';
    import { openSession, SessionError } from 'platform-api-client/runtime';

    const platform = new Platform({ apiKey: async () => 'token', onRetry: ({ delayMs, error }) => void [delayMs, error.attempts] });
    const project = platform.projects('proj_1');
    const page = await project.conversations.list({ tag: 'a', startedFrom: new Date(), limit: 10 });
    const items: Conversation[] = page.items;
    const maybe: string | undefined = items[0]?.externalUserId ?? undefined;
    for await (const { id } of project.conversations.list({ tag: maybe })) id satisfies string;
    for await (const { items } of project.conversations.search({ q: 'a' }).pages()) items[0]?.snippet satisfies string | undefined;
    const job: EndedJob = await project.jobs.wait(project.knowledge.reindex());
    if (job.status === 'succeeded' && job.type === 'knowledge.reindex') job.result.indexVersion satisfies string;
    const built = await project.jobs.waitForSuccess(project.knowledge.reindex());
    built.result.indexVersion satisfies string;
    const erased = await project.jobs.wait(await project.conversations.erase({ externalUserId: 'a' }));
    if (erased.status === 'succeeded') erased.result satisfies EraseResult;
    const exported = await project.jobs.waitForSuccess(project.exports.create({ what: 'audit' }));
    exported.result satisfies ExportResult;
    // @ts-expect-error the job of an export has no index
    exported.result.indexVersion;
    // @ts-expect-error what a job of any type returns is not known
    (await project.jobs.waitForSuccess('job_1')).result.indexVersion;
    if (job.status === 'failed') job.error.code satisfies string;
    const { failed } = await project.knowledge.sync({ source: 'a', documents: await readDocuments('a') });
    failed[0]?.error.message satisfies string | undefined;
    const config = await project.environments.config('production');
    config.configHash satisfies string;
    const polled = await project.environments.config('production', { ifNoneMatch: '"a"' });
    polled?.configHash satisfies string | undefined;
    const own = await project.environments.config('production', { unit: 'user-1' });
    own.rollout?.variant satisfies 'current' | 'candidate' | undefined;
    const { data, replayed } = await platform.apiKeys.create({ name: 'a', scopes: ['projects:read'] }).withResponse();
    data.secret satisfies string; replayed satisfies boolean;
    try { await platform.health(); } catch (error) {
      if (error instanceof NotFoundError) error.code satisfies 'not_found';
      else if (error instanceof ApiError) error.status satisfies number;
    }
    const where = { project: 'proj_1', environment: 'live', avatar: 'avtr_1', externalId: 'call-1' };
    const session = await openSession(platform, where);
    const citations = await session.search('a', { limit: 3, whileAway: 'empty' });
    (await session.append({ role: 'user', text: 'a' }, { role: 'avatar', text: 'b', citations })) satisfies 'stored' | 'buffered';
    session.messages[0]?.clientMessageId satisfies string | null | undefined;
    await session.end().catch((error: unknown) => error instanceof SessionError && error.unsent[0]?.text);
    // @ts-expect-error it needs an environment
    await openSession(platform, { project: 'proj_1', avatar: 'avtr_1', externalId: 'call-1' });
    // @ts-expect-error a role that does not exist
    await session.append({ role: 'nobody', text: 'a' });
    // @ts-expect-error a scope that does not exist
    await platform.apiKeys.create({ name: 'a', scopes: ['nonsense'] });
    // @ts-expect-error a filter that does not exist
    project.conversations.list({ colour: 'red' });
    // @ts-expect-error undefined is possible
    polled.configHash;
  `;

  /** The examples in the README: each is a function, so that they can use the same names. */
  const examples = [...read('clients/typescript/README.md').matchAll(/^```ts\n(.*?)^```/gms)].map(
    ([, code = '']) => {
      const imports = code.match(/^import .*$/gm) ?? [];
      const rest = code.replace(/^import .*$/gm, '');
      return [
        ...imports,
        "import type { Platform as Client, ProjectResources } from 'platform-api-client';",
        'declare const platform: Client;',
        'declare const project: ProjectResources;',
        'declare const id: string;',
        `export async function example() {\n${rest}\n}`,
      ].join('\n');
    },
  );

  test.each(['nodenext', 'bundler'])(
    'are complete and strict with moduleResolution %s',
    { tags: ['long'] },
    (resolution) => {
      expect(examples.length).toBeGreaterThan(3);
      const files = { 'program.ts': program };
      for (const [index, example] of examples.entries())
        Object.assign(files, { [`example${index}.ts`]: example });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(installed.user, name), text);
      const compilerOptions = {
        target: 'es2022',
        lib: ['es2022', 'dom'],
        module: resolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution: resolution,
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        // The declarations of the package too.
        skipLibCheck: false,
        noEmit: true,
      };
      writeFileSync(
        join(installed.user, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: Object.keys(files) }),
      );
      const compile = () =>
        execute(resolve(root, 'node_modules/.bin/tsc'), ['-p', installed.user], installed.user);
      expect(compile).not.toThrow();
    },
  );

  /** Compiles `text` as a file of a user's package. */
  const compile = (name: string, text: string, options: object) => {
    writeFileSync(join(installed.user, name), text);
    const compilerOptions = { strict: true, skipLibCheck: false, noEmit: true, types: [], ...options };
    const project = join(installed.user, `tsconfig.${name}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, files: [name] }));
    execute(resolve(root, 'node_modules/.bin/tsc'), ['-p', project], installed.user);
  };

  test.each(['node16', 'nodenext'])(
    'compile from CommonJS with module %s, and its code runs',
    { tags: ['long'] },
    (module) => {
      const text = `
      import { NotFoundError, Platform } from 'platform-api-client';
      import { documentExtensions } from 'platform-api-client/node';
      const platform = new Platform({ apiKey: 'a', baseUrl: 'https://example.com' });
      platform.projects('p').jobs.get('j').catch((error: unknown) => error instanceof NotFoundError && error.id);
      documentExtensions satisfies readonly string[];
    `;
      compile('common.cts', text, { target: 'es2022', lib: ['es2022', 'dom'], module });
      const code = `
      const { Platform } = require('platform-api-client');
      const { documentFrom } = require('platform-api-client/node');
      const { openSession } = require('platform-api-client/runtime');
      if (typeof openSession !== 'function') throw new Error('the kit is missing');
      console.log(new Platform({ apiKey: 'a', baseUrl: 'https://example.com' }).baseUrl, documentFrom('a.md', '# B').title);
    `;
      writeFileSync(join(installed.user, 'common.cjs'), code);
      expect(execute(process.execPath, ['common.cjs'], installed.user)).toBe('https://example.com B\n');
    },
  );

  test('compile the program of docs/jobs.md with --strict --target es2022', { tags: ['long'] }, () => {
    const [, program = ''] =
      /^cat > nightly\/nightly\.ts <<'SCRIPT'\n(.*?)^SCRIPT$/ms.exec(read('docs/jobs.md')) ?? [];
    expect(program).toContain('new Platform()');
    const typeRoots = [resolve(root, 'node_modules/@types')];
    compile('nightly.ts', program, { target: 'es2022', module: 'nodenext', types: ['node'], typeRoots });
  });
});
