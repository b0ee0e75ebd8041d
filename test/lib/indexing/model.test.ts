/**
 * Random sequences of requests for knowledge documents, most of them by externalId, compared with a model in memory:
 * every response and the final state.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { openKnowledge } from '../../support/knowledge.ts';

type Fields = {
  title: string;
  content: string;
  mimeType: string;
  tags: string[];
  metadata: Json;
  externalId: string | null;
};
type Sent = Partial<Omit<Fields, 'externalId'>> & Pick<Fields, 'title' | 'content'>;
type Known = Fields & { id: string; status: string };

type Step =
  | { kind: 'put'; externalId: string; body: Sent }
  | { kind: 'batch'; documents: (Sent & { externalId: string })[] }
  | { kind: 'post'; body: Sent & { externalId?: string } }
  | { kind: 'patch'; externalId: string; body: Partial<Fields> }
  | { kind: 'delete'; externalId: string }
  | { kind: 'index'; externalId: string }
  | { kind: 'list'; filter: { externalId?: string; tag?: string; status?: string } };

// Few of each, so that they meet again and again.
const externalId = fc.constantFrom('a', 'b', 'c/ d');
const some = {
  title: fc.constantFrom('one', 'two'),
  content: fc.constantFrom('x', 'ÿ', 'x'.repeat(3000)),
  mimeType: fc.constantFrom('text/plain', 'text/html'),
  tags: fc.uniqueArray(fc.constantFrom('s', 't', 'u')),
  metadata: fc.constantFrom({}, { k: '1' }, { k: '1', l: '2' }),
};
const sent = fc.record(some, { requiredKeys: ['title', 'content'] });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), externalId, body: sent }) },
  fc.record({
    kind: fc.constant('batch' as const),
    documents: fc.uniqueArray(
      fc.record({ ...some, externalId }, { requiredKeys: ['title', 'content', 'externalId'] }),
      { minLength: 1, maxLength: 3, selector: (document) => document.externalId },
    ),
  }),
  fc.record({
    kind: fc.constant('post' as const),
    body: fc.record({ ...some, externalId }, { requiredKeys: ['title', 'content'] }),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      externalId,
      body: fc
        .record({ ...some, externalId: fc.option(externalId, { nil: null }) }, { requiredKeys: [] })
        .map(({ mimeType, ...body }) => (mimeType && body.content ? { ...body, mimeType } : body))
        .filter((body) => Object.keys(body).length > 0),
    }),
  },
  fc.record({ kind: fc.constant('delete' as const), externalId }),
  fc.record({ kind: fc.constant('index' as const), externalId }),
  fc.record({
    kind: fc.constant('list' as const),
    filter: fc.record(
      { externalId, tag: fc.constantFrom('s', 't'), status: fc.constantFrom('pending', 'indexed') },
      { requiredKeys: [] },
    ),
  }),
);

const whole = (body: Sent, externalId: string | null): Fields => ({
  mimeType: 'text/plain',
  tags: [],
  metadata: {},
  ...body,
  externalId,
});

/** What is shown of a document, without the order of its tags. */
const shown = ({ id, title, mimeType, tags, metadata, externalId, status }: Json | Known) => ({
  id,
  title,
  mimeType,
  tags: (tags as string[]).toSorted(),
  metadata,
  externalId,
  status,
});

const indexedPart = ({ title, content, mimeType, tags }: Fields) =>
  JSON.stringify([title, content, mimeType, tags.toSorted()]);
const wholePart = (fields: Fields) =>
  JSON.stringify([indexedPart(fields), Object.entries(fields.metadata).sort()]);

/** What the API should do, in the simplest way that could be written. */
class Model {
  /** In the order of creation. */
  documents: Known[] = [];

  find(externalId: string | null | undefined): Known | undefined {
    return externalId == null ? undefined : this.documents.find((known) => known.externalId === externalId);
  }

  create(fields: Fields, id: unknown): void {
    this.documents.push({ ...fields, id: id as string, status: 'pending' });
  }

  change(known: Known, fields: Partial<Fields>): void {
    const was = indexedPart(known);
    Object.assign(known, fields);
    if (indexedPart(known) !== was) known.status = 'pending';
  }

  /** @param id what the API has called it, where it is new */
  upsert(body: Sent, externalId: string, id: unknown): string {
    const fields = whole(body, externalId);
    const known = this.find(externalId);
    if (!known) this.create(fields, id);
    else if (wholePart(fields) === wholePart(known)) return 'unchanged';
    else this.change(known, fields);
    return known ? 'updated' : 'created';
  }
}

const check = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const api = await openKnowledge();
      const model = new Model();

      const expectUpsert = (result: Json, body: Sent, externalId: string) => {
        const { outcome, document } = result as { outcome: string; document: Json };
        expect(outcome).toBe(model.upsert(body, externalId, document.id));
        expect(shown(document)).toEqual(shown(model.find(externalId) as Known));
      };

      for (const next of steps) {
        if (next.kind === 'put') {
          const response = await api.put(next.externalId, next.body);
          expect(response.status, response.text).toBe(model.find(next.externalId) ? 200 : 201);
          expectUpsert(response.data, next.body, next.externalId);
        } else if (next.kind === 'batch') {
          const response = await api.batch(next.documents);
          expect(response.status, response.text).toBe(200);
          for (const [index, { externalId, ...body }] of next.documents.entries()) {
            expectUpsert((response.data.results as Json[])[index] as Json, body, externalId);
          }
        } else if (next.kind === 'post') {
          const response = await api.call('POST', api.path, { body: next.body });
          const taken = model.find(next.body.externalId);
          expect(response.status, response.text).toBe(taken ? 409 : 201);
          if (!taken) model.create(whole(next.body, next.body.externalId ?? null), response.data.id);
        } else if (next.kind === 'list') {
          const { externalId, tag, status } = next.filter;
          const query = new URLSearchParams(next.filter).toString();
          const wanted = model.documents.filter(
            (known) =>
              (!externalId || known.externalId === externalId) &&
              (!tag || known.tags.includes(tag)) &&
              (!status || known.status === status),
          );
          expect((await api.listed(query)).map(shown)).toEqual(wanted.toReversed().map(shown));
        } else {
          const known = model.find(next.externalId);
          if (!known) continue;
          if (next.kind === 'index') {
            await api.index(known.id);
            known.status = 'indexed';
          } else if (next.kind === 'delete') {
            expect((await api.call('DELETE', `${api.path}/${known.id}`)).status).toBe(200);
            model.documents = model.documents.filter((other) => other !== known);
          } else {
            const response = await api.call('PATCH', `${api.path}/${known.id}`, { body: next.body });
            const holder = model.find(next.body.externalId);
            const taken = holder !== undefined && holder !== known;
            expect(response.status, response.text).toBe(taken ? 409 : 200);
            if (!taken) {
              model.change(known, next.body);
              expect(shown(response.data)).toEqual(shown(known));
            }
          }
        }
      }

      const documents = await api.listed();
      expect(documents.map(shown)).toEqual(model.documents.toReversed().map(shown));
      for (const { id, content } of model.documents) expect(await api.contentOf(id)).toBe(content);
    }),
    { numRuns },
  );

test('random sequences of requests', { tags: ['long'] }, () => check(20));
test('random sequences of requests: many of them', { tags: ['nightly'] }, () => check(60));
