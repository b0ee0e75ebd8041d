/**
 * Random sequences of requests for projects, compared with a model in memory after each response. They include repeated
 * Idempotency-Keys.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, openApi } from '../../../samples/api.ts';

type Project = { name: string; description: string | null; metadata: Json; status: string };

type Step =
  | { kind: 'create'; body: { name: string; metadata?: Json }; key: string | undefined }
  | {
      kind: 'patch';
      nth: number;
      body: Partial<Pick<Project, 'name' | 'description' | 'metadata' | 'status'>>;
    }
  | { kind: 'delete'; nth: number }
  | { kind: 'restore'; nth: number; key: string | undefined }
  | { kind: 'get'; nth: number }
  | { kind: 'list'; status: 'active' | 'archived' | undefined };

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((value) => !/\p{Cc}/u.test(value) && /[^\s\p{Cf}\p{Z}]/u.test(value));
const pairs = fc.dictionary(
  text.filter((name) => name !== '__proto__' && name.length <= 40),
  text,
  { maxKeys: 4, noNullPrototype: true },
);
const nth = fc.nat({ max: 3 });
const key = fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    body: fc.record({ name: text, metadata: pairs }, { requiredKeys: ['name'] }),
    key,
  }),
  fc.record({
    kind: fc.constant('patch' as const),
    nth,
    body: fc
      .record(
        {
          name: text,
          description: fc.option(text, { nil: null }),
          metadata: pairs,
          status: fc.constantFrom('active', 'archived'),
        },
        { requiredKeys: [] },
      )
      .filter((fields) => Object.keys(fields).length > 0),
  }),
  fc.record({ kind: fc.constant('delete' as const), nth }),
  fc.record({ kind: fc.constant('restore' as const), nth, key }),
  fc.record({ kind: fc.constant('get' as const), nth }),
  fc.record({
    kind: fc.constant('list' as const),
    status: fc.option(fc.constantFrom('active' as const, 'archived' as const), { nil: undefined }),
  }),
);

/** What the API should do, in the simplest way that could be written. */
class Model {
  /** In the order of creation; the id is the API's. */
  readonly projects: { id: string; there: boolean; fields: Project }[] = [];
  readonly records = new Map<string, { request: string; status: number; text: string }>();
}

const shown = ({ id, name, description, metadata, status }: Json) => ({
  id,
  name,
  description,
  metadata,
  status,
});

const check = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const { call } = await openApi();
      const model = new Model();

      /** Sends a POST to both; `act` is what the model does when the request is not a repetition. */
      async function post(
        path: string,
        body: Json | undefined,
        idempotencyKey: string | undefined,
        act: () => number,
      ) {
        const request = JSON.stringify([path, body]);
        // A project has Idempotency-Keys of its own.
        const recordKey = idempotencyKey && `${path.split('/')[2] ?? ''} ${idempotencyKey}`;
        const known = recordKey === undefined ? undefined : model.records.get(recordKey);
        const response = await call('POST', path, {
          ...(body && { body }),
          ...(idempotencyKey !== undefined && { idempotencyKey }),
        });
        if (known && known.request !== request) {
          expect(response.error.code).toBe('idempotency_key_reused');
          return undefined;
        }
        if (known) {
          expect([response.status, response.text]).toEqual([known.status, known.text]);
          return undefined;
        }
        expect(response.status, response.text).toBe(act());
        if (response.status < 300 && recordKey !== undefined) {
          model.records.set(recordKey, { request, status: response.status, text: response.text });
        }
        return response.status < 300 ? response.data : undefined;
      }

      for (const next of steps) {
        if (next.kind === 'create') {
          const data = await post('/projects', next.body, next.key, () => 201);
          if (data) {
            const { name, metadata = {} } = next.body;
            const fields = { name, description: null, metadata, status: 'active' };
            expect(shown(data)).toEqual({ id: data.id, ...fields });
            model.projects.push({ id: data.id as string, there: true, fields });
          }
          continue;
        }
        if (next.kind === 'list') {
          const { data } = await call('GET', `/projects${next.status ? `?status=${next.status}` : ''}`);
          const wanted = model.projects
            .filter(({ there, fields }) => there && (!next.status || fields.status === next.status))
            .map(({ id, fields }) => ({ id, ...fields }))
            .reverse();
          expect((data.items as Json[]).map(shown)).toEqual(wanted);
          continue;
        }
        const project = model.projects[next.nth];
        if (!project) continue;
        const path = `/projects/${project.id}`;
        const ok = project.there ? 200 : 404;
        if (next.kind === 'get') {
          const response = await call('GET', path);
          expect(response.status).toBe(ok);
          if (project.there) expect(shown(response.data)).toEqual({ id: project.id, ...project.fields });
        } else if (next.kind === 'patch') {
          const response = await call('PATCH', path, { body: next.body });
          expect(response.status, response.text).toBe(ok);
          if (project.there) {
            Object.assign(project.fields, next.body);
            expect(shown(response.data)).toEqual({ id: project.id, ...project.fields });
          }
        } else if (next.kind === 'delete') {
          const response = await call('DELETE', path);
          expect(response.status).toBe(ok);
          if (project.there) expect(response.data.status).toBe('deleted');
          project.there = false;
        } else {
          await post(`${path}/restore`, undefined, next.key, () => (project.there ? 409 : 200)).then(
            (data) => {
              if (!data) return;
              project.there = true;
              expect(shown(data)).toEqual({ id: project.id, ...project.fields });
            },
          );
        }
      }
    }),
    { numRuns },
  );

test('random sequences of requests', { tags: ['long'] }, () => check(20));
test('random sequences of requests: more of them', { tags: ['nightly'] }, () => check(60));
