/** An avatar that knows documents, and answers with them. */

import type { Json } from '../../samples/api.ts';
import type { Script } from '../../samples/models.ts';
import { openReplies } from './replies.ts';

export const returns = {
  title: 'Returns',
  mimeType: 'text/markdown',
  tags: ['shop'],
  content: '# Returns\n\nYou can send a teapot back within 30 days.',
};

const documents = [
  returns,
  { title: 'Delivery', tags: ['shop'], content: 'A teapot arrives in two days.' },
  { title: 'Salaries', tags: ['staff'], content: 'Whoever packs a teapot earns 20 dollars.' },
];

/** @returns an API whose project has an index of three documents, of which the avatar knows two */
export async function openKnownReplies(script?: Script, options: Parameters<typeof openReplies>[1] = {}) {
  const api = await openReplies(script, options);
  const ids = new Map<string, string>();
  for (const body of documents) ids.set(body.title, `${(await api.made('/knowledge/documents', body)).id}`);
  const reindex = async () => {
    const { id } = await api.made('/knowledge/reindex', {});
    await api.workOff(api.projectId, `${id}`);
  };
  await reindex();
  const idOf = (title: string): string => ids.get(title) ?? '';
  const pieceOf = async (title: string): Promise<Json | undefined> => {
    const { data } = await api.call('GET', `${api.project}/knowledge/search?q=teapot`);
    return (data.items as Json[]).find((item) => item.title === title);
  };
  return { ...api, reindex, idOf, pieceOf };
}
