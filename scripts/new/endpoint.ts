/** The changes of `npm run new -- endpoint`. */

import type { Scope } from '../../lib/base/scopes.ts';
import { concernsEnvironments } from '../../lib/http/environments.ts';
import { behindSamplesOf, type Change, insertLines, type Read, samplesFile } from './change.ts';
import { fileOf } from './index-file.ts';
import { type Asked, type Known, type Plan, planEndpoint } from './plan.ts';

/** @throws UsageError with one sentence that says what is wrong */
export function newEndpoint(asked: Asked, known: Known, read: Read): Change {
  const plan = planEndpoint(asked, known);
  const created = newFiles(plan);
  const anchor = behindSamplesOf(plan.id.split('.')[0] ?? '', read(samplesFile));
  return {
    created,
    changed: insertLines(read, { [samplesFile]: [anchor, sample(plan)] }),
    next: [
      `Change ${Object.keys(created)[0]} and its test to what the endpoint does.`,
      `Change its sample in ${samplesFile} if it does not succeed.`,
      `Declare its table actions in access, and run npx vitest run test/promises/access.test.ts -t ${plan.id}: npm run check leaves it out.`,
      ...(environmentLines(plan).length > 0
        ? [
            'Say in environments how it keeps a credential in its environments: npx vitest run ' +
              'test/promises/bound-environments.test.ts fails until then.',
          ]
        : []),
      'Describe in CHANGELOG.md what callers notice.',
      ...(plan.list ? ['Add its largest items to test/promises/response-size.test.ts.'] : []),
    ],
  };
}

/** @returns by path in the repository, the text of each new file */
const newFiles = (plan: Plan): Record<string, string> => ({
  [`functions/${fileOf(plan.id)}`]: plan.list ? listDeclaration(plan, plan.list) : declaration(plan),
  [`test/functions/${fileOf(plan.id).replace(/\.ts$/, '.test.ts')}`]: test(plan),
});

/** @returns the entry for `samples` in samples/samples.ts */
const sample = ({ id, path, list, sampleFrom }: Plan): string =>
  list
    ? `  '${id}': async (api) => ({ path: (await sampleOf('${list.shownBy}', api)).path.replace(/\\/[^/]+$/, '') }),\n`
    : sampleFrom
      ? `  '${id}': async (api) => ({ path: \`\${(await sampleOf('${sampleFrom.id}', api)).path}${sampleFrom.rest}\` }),\n`
      : `  '${id}': async () => ({ path: '${path}' }),\n`;

const up = ({ id }: Plan) => '../'.repeat(id.split('.').length - 1);

/** @returns the line that refuses bound credentials, where an endpoint has to decide how it keeps them in their environments */
const environmentLines = ({ scope }: Plan): string[] =>
  concernsEnvironments({ auth: [[scope as Scope]] })
    ? ["  environments: { refused: 'Say here why it cannot leave out what other environments have.' },"]
    : [];

function declaration(plan: Plan): string {
  const { id, method, path, scope, params, project, load } = plan;
  const lib = `${up(plan)}../lib`;
  const { input, data, schema } = response(plan);
  return lines(
    "import * as z from 'zod';",
    `import { defineEndpoint } from '${lib}/http/endpoint.ts';`,
    load && `import { ${load.name} } from '${up(plan)}../${load.file}';`,
    params.length > 0 && `import { id } from '${lib}/schema/common.ts';`,
    params.length === 0 && `import { timestamp } from '${lib}/base/time.ts';`,
    '',
    'export default defineEndpoint({',
    `  id: '${id}',`,
    `  method: '${method}',`,
    `  path: '${path}',`,
    `  summary: '${summary(id)}',`,
    "  description: 'Say here what a caller should know that the schemas do not say.',",
    `  auth: '${scope}',`,
    project && `  project: '${project}',`,
    ...environmentLines(plan),
    load && `  loads: { ${load.kind}: ${load.name} },`,
    params.length > 0 &&
      `  request: { params: z.strictObject({ ${params.map(({ name, kind }) => `${name}: id('${kind}')`).join(', ')} }) },`,
    method !== 'GET' && "  causes: { nothing: 'Say here which events it causes, or why none.' },",
    `  responses: { 200: z.object({ ${schema} }).meta({ id: '${typeOf(id)}', description: 'Say here what it is.' }) },`,
    '',
    `  async handle({ ${input} }) {`,
    `    return { status: 200, data: ${data} };`,
    '  },',
    '});',
  );
}

function listDeclaration(plan: Plan, { name, store, table, Type }: NonNullable<Plan['list']>): string {
  const { id, method, path, scope, params } = plan;
  const lib = `${up(plan)}../lib`;
  return lines(
    "import * as z from 'zod';",
    `import { defineEndpoint } from '${lib}/http/endpoint.ts';`,
    `import { id, listOf } from '${lib}/schema/common.ts';`,
    `import { defaultLimit, pageQuery } from '${lib}/schema/query.ts';`,
    `import { ${Type} } from '${up(plan)}../${store.replace(/store\.ts$/, 'schema.ts')}';`,
    `import { ${name} } from '${up(plan)}../${store}';`,
    '',
    'export default defineEndpoint({',
    `  id: '${id}',`,
    `  method: '${method}',`,
    `  path: '${path}',`,
    `  summary: 'List ${name}',`,
    "  description: 'Returns the current state, newest first.',",
    `  auth: '${scope}',`,
    "  project: 'existing',",
    ...environmentLines(plan),
    `  request: { params: z.strictObject({ ${params.map((one) => `${one.name}: id('${one.kind}')`).join(', ')} }), query: z.strictObject(pageQuery) },`,
    `  responses: { 200: listOf(${Type}).meta({ id: '${Type}List' }) },`,
    `  access: { ${table}: ['Query'] },`,
    '',
    '  async handle({ query, store, cursor }) {',
    '    const list = { after: cursor.position(query.cursor), limit: query.limit ?? defaultLimit };',
    `    const { items, next } = await ${name}.at(store).page(list);`,
    '    return { status: 200, data: { items, nextCursor: cursor.next(next) } };',
    '  },',
    '});',
  );
}

/** The input and the result of the handler: the id of the resource, or the time if there is no resource. */
function response({ load, params }: Plan): { input: string; data: string; schema: string } {
  if (load)
    return { input: 'loaded', data: `{ id: loaded.${load.kind}.id }`, schema: `id: id('${load.kind}')` };
  if (params.length > 0) return { input: 'project', data: '{ id: project.id }', schema: "id: id('project')" };
  return { input: 'nowMs', data: '{ time: timestamp(nowMs) }', schema: 'time: z.iso.datetime()' };
}

function test(plan: Plan): string {
  const { id, method, params, list } = plan;
  const support = `${up(plan)}../support`;
  const samples = `${up(plan)}../../samples`;
  const returned = list
    ? '{ items: [{ id: expect.any(String) }], nextCursor: null }'
    : `{ ${params.length > 0 ? 'id' : 'time'}: expect.any(String) }`;
  return lines(
    "import { describe, expect } from 'vitest';",
    `import { responds } from '${support}/responses.ts';`,
    `import { openApi } from '${samples}/api.ts';`,
    `import { sampleOf } from '${samples}/samples.ts';`,
    '',
    `describe('${id}', () => {`,
    "  responds(200, 'with what the sample asks for', async () => {",
    '    const api = await openApi();',
    `    const { path } = await sampleOf('${id}', api);`,
    `    const answer = await api.call('${method}', path);`,
    `    expect(answer.data).${list ? 'toMatchObject' : 'toEqual'}(${returned});`,
    '    return answer;',
    '  });',
    '});',
  );
}

/** @returns `ProjectsTransferResult` for `projects.transfer` */
const typeOf = (id: string): string =>
  `${id.replace(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase())}Result`;

/** @returns `Transfer projects` for `projects.transfer` */
function summary(id: string): string {
  const words = id.replaceAll('-', ' ').split('.');
  const text = [words.at(-1), ...words.slice(0, -1)].join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const lines = (...all: readonly (string | false | undefined)[]): string =>
  `${all.filter((line) => line !== false && line !== undefined).join('\n')}\n`;
