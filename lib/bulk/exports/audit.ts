/** Events of the audit log of one project, newest first. */

import { AuditEvent } from '../../audit/schema.ts';
import { listEvents } from '../../audit/store/events.ts';
import { timeOfId } from '../../base/ids.ts';
import { pagesOf } from '../../base/pages.ts';
import { dayMs } from '../../base/time.ts';
import type { ProjectStore } from './files/store.ts';
import type { ExportRequest } from './schema.ts';
import type { Source } from './source.ts';

type Filters = Extract<ExportRequest, { what: 'audit' }>['filters'];

const eventsAtOnce = 100;
/** The whole project is exported, because the caller may read the whole project. */
const reader = { projectIds: null };

/**
 * @param requestedMs events of later requests are left out, so that the export ends
 * @param keptDays for how long an event is kept
 */
export function auditSource(
  store: ProjectStore,
  { from, to = Number.POSITIVE_INFINITY, ...values }: Filters,
  { requestedMs, keptDays, nowMs }: { requestedMs: number; keptDays: number; nowMs: () => number },
): Source {
  const list = {
    actor: values.actor,
    action: values.action,
    resourceId: values.resourceId,
    projectId: store.projectId,
    fromMs: from,
    toMs: Math.min(to, requestedMs + 1),
    limit: eventsAtOnce,
  };
  return {
    async *lines(after) {
      // A page names the greatest id of the next page, so the last event of a part is not in the next part again.
      const pages = pagesOf((next) =>
        listEvents(store, reader, { ...list, begin: next ?? (after || undefined) }, nowMs()),
      );
      for await (const page of pages) {
        for (const event of page) {
          if (event.id === after) continue;
          yield {
            id: event.id,
            isFirst: true,
            text: JSON.stringify(AuditEvent.parse(event)),
            position: event.id,
            expiresAtMs: timeOfId(event.id) + keptDays * dayMs,
          };
        }
      }
    },
    // An event is never changed or erased.
    hasGone: async () => false,
  };
}
