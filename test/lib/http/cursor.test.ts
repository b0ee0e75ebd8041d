/** Cursors, for any list and any text. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import listJobs from '../../../functions/jobs/list.ts';
import listProjects from '../../../functions/projects/list.ts';
import { newIdFactory } from '../../../lib/base/ids.ts';
import { bindCursors, decodeCursor, encodeCursor } from '../../../lib/http/cursor.ts';

const newId = newIdFactory(Math.random);

describe('cursors', () => {
  const list = fc.array(fc.string(), { maxLength: 3 });
  const position = fc.integer({ min: 1 }).map((ms) => newId('project', ms));

  test('return their position to their own list', () => {
    fc.assert(
      fc.property(position, list, (at, of) => void expect(decodeCursor(encodeCursor(at, of), of)).toBe(at)),
    );
  });

  test('are invalid for another list', () => {
    fc.assert(
      fc.property(position, list, list, (at, of, other) => {
        fc.pre(JSON.stringify(of) !== JSON.stringify(other));
        expect(decodeCursor(encodeCursor(at, of), other)).toBeUndefined();
      }),
    );
  });

  test('are invalid with another digest, and for a position of another form', () => {
    const at = newId('project', 1);
    const forged = Buffer.from('0'.repeat(16) + at).toString('base64url');
    expect(decodeCursor(forged, ['a'])).toBeUndefined();
    expect(decodeCursor(encodeCursor('../keys', ['a']), ['a'])).toBeUndefined();
    expect(decodeCursor(encodeCursor('7', ['a']), ['a'], /^\d$/)).toBe('7');
    expect(decodeCursor(`${encodeCursor(at, ['a'])}=`, ['a'])).toBeUndefined();
  });

  test('are invalid if changed or made up', () => {
    fc.assert(
      fc.property(
        position,
        list,
        fc.nat(62),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, of, n, character) => {
          const cursor = encodeCursor(at, of);
          const changed = cursor.slice(0, n) + character + cursor.slice(n + 1);
          fc.pre(changed !== cursor);
          expect(decodeCursor(changed, of)).toBeUndefined();
        },
      ),
    );
    fc.assert(
      fc.property(fc.string(), list, (text, of) => void expect(decodeCursor(text, of)).toBeUndefined()),
    );
  });
});

describe('the cursors of a request', () => {
  const position = newId('project', 1);
  const request = { tenant: 'org_a', params: { project_id: 'one' }, query: { status: 'active', limit: 10 } };
  const cursorsOf = (
    { tenant, params, query }: typeof request,
    endpoint: typeof listProjects | typeof listJobs,
  ) =>
    bindCursors(endpoint, {
      sender: { tenant } as Parameters<typeof bindCursors>[1]['sender'],
      params,
      query,
    });
  const cursor = cursorsOf(request, listProjects).next(position) ?? '';

  test.each([
    ['the same request', request],
    ['another page size', { ...request, query: { status: 'active', limit: 20 } }],
    ['the request with the cursor', { ...request, query: { status: 'active', limit: 10, cursor } }],
    ['another order of the filters', { ...request, query: { limit: 10, status: 'active' } }],
  ])('continue for %s', (_, other) => {
    expect(cursorsOf(other, listProjects).position(cursor)).toBe(position);
  });

  test.each([
    ['another tenant', { ...request, tenant: 'org_b' }],
    ['another parent', { ...request, params: { project_id: 'two' } }],
    ['another filter', { ...request, query: { status: 'archived', limit: 10 } }],
    ['one filter more', { ...request, query: { ...request.query, name: 'a' } }],
  ])('are refused for %s', (_, other) => {
    expect(() => cursorsOf(other, listProjects).position(cursor)).toThrow('validation_error');
  });

  test('are refused for another endpoint', () => {
    expect(() => cursorsOf(request, listJobs).position(cursor)).toThrow('validation_error');
  });

  test('start without a cursor, and end without one', () => {
    const cursors = cursorsOf(request, listProjects);
    expect([cursors.position(undefined), cursors.next(null)]).toEqual([undefined, null]);
  });
});
