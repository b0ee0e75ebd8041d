/** The differences between the documents of two index versions. */

import { expect, test } from 'vitest';
import { documentChanges } from '../../../lib/indexing/document-changes.ts';
import { documentList } from '../../../lib/indexing/store/document-lists.ts';

const head = (id: string, changes: object = {}) => ({ id, title: id, tags: ['a'], content: 'c', ...changes });

test('names the fields that differ, in the order of the ids', () => {
  const before = [head('kdoc_4'), head('kdoc_1'), head('kdoc_2'), head('kdoc_3')];
  const after = [
    head('kdoc_5'),
    head('kdoc_3', { title: 'new', tags: [] }),
    head('kdoc_2', { content: 'd' }),
    head('kdoc_1'),
  ];
  expect(documentChanges(before, after)).toEqual([
    { id: 'kdoc_2', change: 'changed', title: 'kdoc_2', fields: ['content'] },
    { id: 'kdoc_3', change: 'changed', title: 'new', fields: ['title', 'tags'] },
    { id: 'kdoc_4', change: 'removed', title: 'kdoc_4', fields: [] },
    { id: 'kdoc_5', change: 'added', title: 'kdoc_5', fields: [] },
  ]);
  expect(documentChanges(before, before.toReversed())).toEqual([]);
});

test('a build that does not say the content of a document has no list', () => {
  const prepared = { ...head('kdoc_1'), fingerprint: 'f', chunks: [], error: null };
  const { content: _, ...older } = prepared;
  const list = documentList();
  list.add(prepared);
  expect(list.heads()).toEqual([head('kdoc_1')]);
  list.add(older);
  list.add(prepared);
  expect(list.heads()).toBeUndefined();
});
