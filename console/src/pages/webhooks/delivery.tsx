/** A delivery: its event, its attempts, and the answers of the receiver. */

import { useEffect } from 'preact/hooks';
import type { Delivery, DeliveryAttempt } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { can, platform } from '../../session/session.ts';
import { Badge, Expander, Loading } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Json, LongText } from '../../shared/text.tsx';
import { Countdown, Time } from '../../shared/time.tsx';
import { isSuccess, whyNoResponse } from './texts.ts';
import { useWatch } from './use-watch.ts';

type Props = {
  webhookId: string;
  value: Delivery;
  /** Whether the delivery can be sent again. */
  isEnabled: boolean;
  isOpen?: boolean;
};

/** @returns `500 in 84 ms` or the error */
export const outcome = ({ status, durationMs, error }: DeliveryAttempt): string => {
  const result = status === null ? (error ?? 'no response').replaceAll('_', ' ') : String(status);
  return durationMs === null ? result : `${result} in ${durationMs} ms`;
};

export function DeliveryRow({ webhookId, value, isEnabled, isOpen = false }: Props) {
  const watch = useWatch(webhookId);
  const redelivery = useAction((id: string, options) =>
    platform()
      .webhooks.deliveries.redeliver(webhookId, id, options)
      // The page may not have the last attempt, which may have ended since the page was loaded.
      .then((delivery) => watch.start(delivery, delivery.attempts.at(-1)?.at)),
  );
  useEffect(() => {
    // An attempt that is under way has no duration yet.
    if (value.status === 'pending' && value.attempts.at(-1)?.durationMs === null)
      watch.start(value, value.attempts.at(-2)?.at);
  }, [value.id]);
  const delivery = watch.delivery ?? value;
  const lastAttempt = delivery.attempts.at(-1);
  return (
    <Expander
      isOpen={isOpen}
      summary={
        <span class="row-grid delivery-row">
          <span class="main">
            <code>{delivery.eventType}</code>
          </span>
          <span class="state">
            <Badge value={delivery.status} />
          </span>
          <span class="quiet result">
            {lastAttempt ? outcome(lastAttempt) : 'not sent yet'}
            {lastAttempt && lastAttempt.durationMs !== null && delivery.nextAttemptAt && (
              <Retry at={delivery.nextAttemptAt} />
            )}
          </span>
          <span class="quiet when">
            <Time at={delivery.createdAt} />
          </span>
        </span>
      }
    >
      {() => (
        <>
          <p class="row">
            {isEnabled && can('webhooks:write') && (
              <button
                type="button"
                class="small"
                disabled={redelivery.isPending || watch.isWaiting}
                onClick={() => redelivery.run(delivery.id)}
              >
                {watch.isWaiting ? 'Sending …' : 'Send again'}
              </button>
            )}
            <span class="quiet">
              Delivery <Id value={delivery.id} /> Event <Id value={delivery.eventId} />
            </span>
          </p>
          <Problem error={redelivery.error} onRepeat={redelivery.repeat} />
          <p role="status" class="quiet">
            {watch.isWaiting && 'Waiting for the answer of the receiver …'}
          </p>
          {delivery.nextAttemptAt && !watch.isWaiting && (
            <p class="quiet">
              Next attempt in <Countdown until={delivery.nextAttemptAt} />, or later while the receiver fails.
            </p>
          )}
          <Attempts attempts={delivery.attempts} />
          {can('events:read') && delivery.eventType !== 'webhook.test' && (
            <Expander summary="What was sent">{() => <SentEvent id={delivery.eventId} />}</Expander>
          )}
        </>
      )}
    </Expander>
  );
}

/** A near time has a text of its own, because it would be shown as `just now`. */
const Retry = ({ at }: { at: string }) =>
  Date.parse(at) - Date.now() < 15_000 ? (
    <>; will be retried in a few seconds</>
  ) : (
    <>
      ; will be retried <Time at={at} />
    </>
  );

function Attempts({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  if (attempts.length === 0) return <p class="quiet">There was no attempt yet.</p>;
  return (
    <ol class="attempts" aria-label="Attempts">
      {attempts.map((attempt) => (
        <li key={attempt.at}>
          <span class="row">
            <Badge value={outcome(attempt)} tone={isSuccess(attempt) ? 'good' : 'bad'} />
            <Time at={attempt.at} />
            {attempt.error && <span>{whyNoResponse(attempt.error)}</span>}
          </span>
          {attempt.body !== null && attempt.body !== '' && (
            <pre class="json" tabIndex={0}>
              <LongText value={attempt.body} />
            </pre>
          )}
        </li>
      ))}
    </ol>
  );
}

function SentEvent({ id }: { id: string }) {
  const event = useLoad((signal) => platform().events.get(id, { signal }), [id]);
  if (event.data) return <Json value={event.data} />;
  if (event.error !== undefined) return <Problem error={event.error} onRepeat={event.reload} />;
  return <Loading />;
}
