/** The audit log in tests. */

import type { Json, TestApi } from '../../samples/api.ts';

/** @returns all events, newest first, page by page. @param query further parameters, with `&` */
export async function allEvents({ call }: Pick<TestApi, 'call'>, query = '', key?: string): Promise<Json[]> {
  const events: Json[] = [];
  for (let cursor = ''; ; ) {
    const path = `/audit-events?limit=100${query}${cursor}`;
    const { status, data, text } = await call('GET', path, key === undefined ? {} : { key });
    if (status !== 200) throw new Error(text);
    events.push(...(data.items as Json[]));
    if (data.nextCursor === null) return events;
    cursor = `&cursor=${data.nextCursor}`;
  }
}
