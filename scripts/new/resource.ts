/** The changes of `npm run new -- resource`: a resource below a project, with the endpoints that create and show it. */

import { idPrefixes } from '../../lib/base/ids.ts';
import { scopeResources } from '../../lib/base/scopes.ts';
import { tables } from '../../lib/dynamodb/tables.ts';
import { UsageError } from '../shared/options.ts';
import { type Change, insertLines, type Read, samplesEnd, samplesFile } from './change.ts';

type Words = { plural: string; singular: string; prefix: string; Type: string };

const refuse = (sentence: string): never => {
  throw new UsageError(sentence);
};

/**
 * @param folders those of lib/
 * @throws UsageError with one sentence that says what is wrong
 */
export function newResource(
  [plural, singular, prefix]: readonly [string, string, string],
  folders: readonly string[],
  read: Read,
): Change {
  for (const word of [plural, singular, prefix])
    if (!/^[a-z]+$/.test(word))
      refuse(`"${word}" is not a word: use small letters, such as widgets widget wdg.`);
  if (plural === singular) refuse('The plural and the singular must differ, such as widgets and widget.');
  if (folders.includes(plural)) refuse(`There is a folder lib/${plural} already.`);
  if (plural in tables) refuse(`There is a table ${plural} already.`);
  if (plural in scopeResources) refuse(`There is a scope ${plural}:read already.`);
  if (singular in idPrefixes) refuse(`There are ids of the kind ${singular} already.`);
  if (Object.values<string>(idPrefixes).includes(prefix))
    refuse(`There are ids with the prefix ${prefix}_ already.`);
  const Type = singular.charAt(0).toUpperCase() + singular.slice(1);
  const words = { plural, singular, prefix, Type };
  return {
    created: {
      [`lib/${plural}/schema.ts`]: schema(words),
      [`lib/${plural}/store.ts`]: store(words),
      [`functions/${plural}/create.ts`]: create(words),
      [`functions/${plural}/get.ts`]: get(words),
      [`test/functions/${plural}/create.test.ts`]: createTest(words),
      [`test/functions/${plural}/get.test.ts`]: getTest(words),
    },
    changed: insertLines(read, {
      'lib/base/ids.ts': ['} as const;\n\nexport type IdKind', `  ${singular}: '${prefix}',\n`],
      'lib/base/scopes.ts': ['} as const;\n\nexport type ScopeResource', `  ${plural}: '${plural}',\n`],
      'lib/dynamodb/tables.ts': [
        '} as const satisfies Record<string, TableDefinition>;',
        `  ${plural}: { variable: '${plural.toUpperCase()}_TABLE', stream: false },\n`,
      ],
      'scripts/items/kinds.ts': [
        '};\n\nexport const kinds',
        `  ${plural}: { 'org_…#live#proj_…': { '${prefix}_…': ['a ${singular}'] } },\n`,
      ],
      'scripts/openapi/overview.ts': [
        "  health: ['Service',",
        `  ${plural}: ['${Type}s', 'Say here what they are.'],\n`,
      ],
      'docs/map.md': [
        '| [lib/avatars/](../lib/avatars)',
        `| [lib/${plural}/](../lib/${plural}) | Say here what they are. |\n`,
      ],
      [samplesFile]: [samplesEnd, samples(words)],
    }),
    next: [
      `Change lib/${plural}/schema.ts, its store and its endpoints to what a ${singular} is.`,
      'Say in scripts/openapi/overview.ts, lib/base/scopes.ts and docs/map.md what they are.',
      'Decide what the audit log says of it: declare resources of its table, and its fields in lib/audit/store/fields.ts.',
      'Decide how it is emptied: export its contents(project), and add them to lib/erasure/store/project-contents.ts.',
      'Decide how it is restored: docs/restore.md. Say in docs/security.md which personal data it has.',
      'Describe its items in scripts/items/kinds.ts. npx vitest run test/promises/stored-items.test.ts --update lists their attributes in scripts/items/attributes.txt.',
      `Add endpoints: npm run new -- endpoint ${plural}.delete DELETE '/projects/{project_id}/${plural}/{${singular}_id}'`,
    ],
  };
}

const schema = ({ singular, Type }: Words) => `import * as z from 'zod';
import { id, shownCredential, shownTime } from '../schema/common.ts';
import { name } from '../schema/text.ts';

export const ${singular}Name = name(100).meta({ description: 'A display name.', example: 'A ${singular}' });

export const ${Type} = z
  .object({
    id: id('${singular}'),
    name: ${singular}Name,
    createdAt: shownTime().meta({ description: 'When the ${singular} was created.' }),
    createdBy: shownCredential().meta({ description: 'The credential that created it.' }),
  })
  .meta({ id: '${Type}', description: 'Say here what a ${singular} is.' });

export type ${Type} = z.infer<typeof ${Type}>;
`;

const store = ({ plural, singular, Type }: Words) => `/** ${Type}s, in the partition of their project. */

import { projectCollection, type Stored } from '../dynamodb/collection.ts';
import type { Contents } from '../dynamodb/contents.ts';
import { load } from '../dynamodb/load.ts';
import type { ProjectStore } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import type { ${Type} } from './schema.ts';

export type Stored${Type} = Stored<${Type}>;

export const ${plural} = projectCollection<Stored${Type}>('${plural}');

export const ${singular}InPath = load({
  from: [${plural}],
  read: (get, { ${singular}_id }: { ${singular}_id: string }) => get(${plural}, ${singular}_id),
});

export const create${Type} = (store: ProjectStore, ${singular}: ${Type}): Write<never> =>
  ${plural}.at(store).put(${singular});

/** What a project holds of them. */
export const ${singular}Contents = (store: ProjectStore): Contents[] => [${plural}.at(store)];
`;

const create = ({ plural, singular, Type }: Words) => `import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { ${Type}, ${singular}Name } from '../../lib/${plural}/schema.ts';
import { create${Type} } from '../../lib/${plural}/store.ts';

export default defineEndpoint({
  id: '${plural}.create',
  method: 'POST',
  path: '/projects/{project_id}/${plural}',
  summary: 'Create a ${singular}',
  description: 'Say here what a caller should know that the schemas do not say.',
  auth: '${plural}:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ name: ${singular}Name }),
  },
  causes: { nothing: 'Say here which events it causes, or why none.' },
  responses: { 201: ${Type} },
  access: { ${plural}: ['PutItem'] },

  async handle({ body, caller, store, nowMs, newId }) {
    const createdAt = timestamp(nowMs);
    const ${singular} = { id: newId('${singular}'), ...body, createdAt, createdBy: caller.principal };
    return { status: 201, data: ${singular}, writes: [create${Type}(store, ${singular})] };
  },
});
`;

const get = ({ plural, singular, Type }: Words) => `import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { ${Type} } from '../../lib/${plural}/schema.ts';
import { ${singular}InPath } from '../../lib/${plural}/store.ts';

export default defineEndpoint({
  id: '${plural}.get',
  method: 'GET',
  path: '/projects/{project_id}/${plural}/{${singular}_id}',
  summary: 'Get a ${singular}',
  description: 'Say here what a caller should know that the schemas do not say.',
  auth: '${plural}:read',
  project: 'existing',
  loads: { ${singular}: ${singular}InPath },
  request: { params: z.strictObject({ project_id: id('project'), ${singular}_id: id('${singular}') }) },
  responses: { 200: ${Type} },

  async handle({ loaded }) {
    return { status: 200, data: loaded.${singular} };
  },
});
`;

const head = `import { describe, expect } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';
import { sampleOf } from '../../../samples/samples.ts';
`;

const createTest = ({ plural, singular }: Words) => `${head}
describe('${plural}.create', () => {
  responds(201, 'with the new ${singular}', async () => {
    const api = await openApi();
    const { path, body } = await sampleOf('${plural}.create', api);
    const answer = await api.call('POST', path, { ...(body && { body }) });
    expect(answer.data).toMatchObject({ name: 'A ${singular}', createdAt: expect.any(String) });
    return answer;
  });
});
`;

const getTest = ({ plural, singular }: Words) => `${head}
describe('${plural}.get', () => {
  responds(200, 'with the ${singular}', async () => {
    const api = await openApi();
    const answer = await api.call('GET', (await sampleOf('${plural}.get', api)).path);
    expect(answer.data).toMatchObject({ name: 'A ${singular}' });
    return answer;
  });
});
`;

const samples = ({ plural, singular }: Words) => `  '${plural}.create': async (api) => ({
    path: \`\${(await project(api)).path}/${plural}\`,
    body: { name: 'A ${singular}' },
    otherBody: { name: 'Another ${singular}' },
  }),
  '${plural}.get': async (api) => {
    const path = \`\${(await project(api)).path}/${plural}\`;
    const { data } = await api.call('POST', path, { body: { name: 'A ${singular}' } });
    return { path: \`\${path}/\${data.id}\` };
  },
`;
