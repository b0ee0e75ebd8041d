/** Events and the audit log in tests. */

import type { EventType } from '../../lib/events/types.ts';
import type { Json, TestApi } from '../../samples/api.ts';

export type Event = { id: string; type: EventType; timestamp: string; projectId: string | null; data: Json };

/** @returns all events, newest first, page by page. @param query further parameters, with `&` */
export async function eventsOf({ call }: Pick<TestApi, 'call'>, query = '', key?: string): Promise<Event[]> {
  const found: Event[] = [];
  for (let cursor = ''; ; ) {
    const path = `/events?limit=100${query}${cursor}`;
    const { status, data, text } = await call('GET', path, key === undefined ? {} : { key });
    if (status !== 200) throw new Error(text);
    found.push(...(data.items as Event[]));
    if (data.nextCursor === null) return found;
    cursor = `&cursor=${data.nextCursor}`;
  }
}

/** @returns all events of the audit log, newest first, page by page. @param query further parameters, with `&` */
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
