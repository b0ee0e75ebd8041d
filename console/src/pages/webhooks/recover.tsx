/** Sends the events again that a webhook has missed. The recovery is a state of the webhook, so it survives a reload of the page. */

import { useState } from 'preact/hooks';
import type { Webhook } from '../../../../clients/typescript/src/index.ts';
import { dayMs, hourMs } from '../../../../lib/base/time.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { Progress } from '../../shared/basics.tsx';
import { Dialog, Field } from '../../shared/dialog.tsx';
import { FormEnd } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { localTime, utcTime } from '../../shared/query-filters.tsx';
import { Time } from '../../shared/time.tsx';

type Props = { value: Webhook; onRequested: (webhook: Webhook) => void; onClose: () => void };

const retentionDays = 30;

export function RecoverDialog({ value, onRequested, onClose }: Props) {
  const { failingSince } = value.health;
  const [since, setSince] = useState(failingSince ?? new Date(Date.now() - hourMs).toISOString());
  const recover = useAction((body: { since: string }, options) =>
    platform().webhooks.recover(value.id, body, options),
  );
  const finish = (webhook: Webhook | undefined) => webhook && onRequested(webhook);
  const suggestions: readonly (readonly [string, string | null])[] = [
    ['Since it fails', failingSince],
    ['Last hour', new Date(Date.now() - hourMs).toISOString()],
    ['Last day', new Date(Date.now() - dayMs).toISOString()],
    ['Last week', new Date(Date.now() - 7 * dayMs).toISOString()],
  ];
  return (
    <Dialog title="Recover what it has missed" onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          finish(await recover.run({ since }));
        }}
      >
        <p>
          Failed deliveries since this time are sent again, and events that were not sent because the webhook
          was disabled. Events are kept for {retentionDays} days.
        </p>
        <p class="row">
          {suggestions.map(
            ([label, at]) =>
              at && (
                <button
                  key={label}
                  type="button"
                  class="small"
                  aria-pressed={localTime(at) === localTime(since)}
                  onClick={() => setSince(at)}
                >
                  {label}
                </button>
              ),
          )}
        </p>
        <Field label="Since">
          {(id) => (
            <input
              id={id}
              type="datetime-local"
              required
              max={localTime(new Date().toISOString())}
              value={localTime(since)}
              onChange={(event) => setSince(utcTime(event.currentTarget.value) ?? since)}
            />
          )}
        </Field>
        <Problem error={recover.error} onRepeat={async () => finish(await recover.repeat())} />
        <FormEnd action="Recover" isPending={recover.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

export function Recovery({ value: { recovery } }: { value: Webhook }) {
  if (!recovery) return null;
  const { since, finishedAt, deliveries } = recovery;
  const count = `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}`;
  return (
    <div role="status">
      {finishedAt === null ? (
        <Progress value={undefined} label={`Recovering: ${count} so far`} />
      ) : (
        <p class="quiet">
          Recovered <Time at={finishedAt} />: {count} sent again, of events since <Time at={since} isExact />.
        </p>
      )}
    </div>
  );
}
