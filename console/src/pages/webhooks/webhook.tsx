/** The page of a webhook: its fields, its health, its deliveries, and its actions. */

import { useEffect } from 'preact/hooks';
import type { Delivery, Webhook } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { usePages } from '../../request/use-pages.ts';
import { returnHref } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { platform } from '../../session/session.ts';
import { Empty, Facts, Loading, useTitle } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { AuditLink } from '../../shared/links.tsx';
import { List } from '../../shared/list.tsx';
import { Problem } from '../../shared/problem.tsx';
import { ProjectLinks } from '../../shared/project-link.tsx';
import { Filters, filterChoice, SelectFilter } from '../../shared/query-filters.tsx';
import { Name } from '../../shared/text.tsx';
import { Countdown, Time } from '../../shared/time.tsx';
import { WebhookActions } from './actions.tsx';
import { DeliveryRow } from './delivery.tsx';
import { Recovery } from './recover.tsx';
import { lastFailure, whyDisabled } from './texts.ts';
import { useWatch } from './use-watch.ts';

export default function WebhookPage({ params }: { params: PageParams }) {
  const id = params.webhook ?? '';
  const request = useLoad((signal) => platform().webhooks.get(id, { signal }), [id]);
  const webhook = request.data;
  useTitle(webhook ? (webhook.description ?? webhook.url).slice(0, 100) : 'Webhook');
  const isRecovering = webhook?.recovery?.finishedAt === null;
  // The recovery runs in the background, also after a reload of the page.
  useEffect(() => {
    if (!isRecovering) return;
    const timer = setInterval(request.reload, 2000);
    return () => clearInterval(timer);
  }, [isRecovering]);
  return (
    <>
      <p>
        <a href={returnHref('/webhooks')}>Webhooks</a>
      </p>
      <Problem error={request.error} onRepeat={request.reload} />
      {webhook && <WebhookDetails value={webhook} onChanged={request.set} onReload={request.reload} />}
      {!webhook && request.error === undefined && <Loading />}
    </>
  );
}

type DetailsProps = { value: Webhook; onChanged: (webhook: Webhook) => void; onReload: () => void };

const statuses = ['pending', 'succeeded', 'failed'] as const;

function WebhookDetails({ value, onChanged, onReload }: DetailsProps) {
  const status = filterChoice('status', statuses);
  const list = usePages<Delivery>(
    'page',
    (signal) => platform().webhooks.deliveries.list(value.id, { limit: 50, status }, { signal }),
    [status],
  );
  const test = useWatch(value.id, () => {
    // The attempt may have changed the health of the webhook.
    onReload();
    list.reload();
  });
  const isEnabled = !value.disabled;
  return (
    <>
      <WebhookActions
        value={value}
        onChanged={onChanged}
        onReload={onReload}
        onTested={(delivery) => test.start(delivery, undefined)}
      />
      <WebhookFacts value={value} reason={lastFailure(list.pages.flat())} />
      <p>
        <AuditLink id={value.id} />
      </p>
      {test.delivery && (
        <section class="card" aria-label="The test">
          <h2>Test</h2>
          <p role="status">
            {test.isWaiting
              ? 'Waiting for the answer of the receiver …'
              : test.delivery.attempts.length > 0
                ? 'The receiver has answered.'
                : 'Not sent yet: while a receiver fails, attempts wait for up to five minutes.'}
          </p>
          <DeliveryRow
            key={`${test.delivery.attempts.length}`}
            webhookId={value.id}
            value={test.delivery}
            isEnabled={false}
            isOpen={!test.isWaiting}
          />
        </section>
      )}
      <h2>Deliveries</h2>
      <Filters names={['status']}>
        <SelectFilter
          name="status"
          label="Status"
          anyLabel="Any"
          options={statuses.map((one) => [one, one] as const)}
        />
        <button type="button" onClick={list.reload}>
          Refresh
        </button>
      </Filters>
      <List
        label="Deliveries"
        list={list}
        keyOf={({ id }) => id}
        row={(delivery) => <DeliveryRow webhookId={value.id} value={delivery} isEnabled={isEnabled} />}
        empty={
          status ? (
            <Empty title={`No delivery is ${status}`} />
          ) : (
            <Empty
              title="Nothing was sent in the last 30 days"
              command={`platform webhooks test ${value.id}`}
            >
              Send a test to see whether the receiver answers.
            </Empty>
          )
        }
      />
    </>
  );
}

/**
 * The fields of a webhook, and its problems.
 *
 * @param reason why the newest attempt has failed, if it is known
 */
export function WebhookFacts({ value, reason }: { value: Webhook; reason: string | undefined }) {
  const { health, previousSecretExpiresAt, projectIds } = value;
  const disabledText = whyDisabled(value);
  const isOverlap = previousSecretExpiresAt && Date.parse(previousSecretExpiresAt) > Date.now();
  return (
    <>
      {disabledText && <p class="notice">Nothing is sent. {disabledText}</p>}
      {health.reason && (
        <p class="notice">
          <Name value={health.reason.message} />
        </p>
      )}
      {health.failures > 0 && (
        <p class="notice">
          The last {health.failures === 1 ? 'attempt has' : `${health.failures} attempts have`} failed, since{' '}
          <Time at={health.failingSince} isExact />. {reason && <strong>{reason}</strong>} After five days
          without a success, the webhook is disabled. The deliveries below have the answers of the receiver.
        </p>
      )}
      {isOverlap && (
        <p class="notice">
          The secret was rotated. Requests are also signed with the old secret for{' '}
          <Countdown until={previousSecretExpiresAt} />.
        </p>
      )}
      <Facts
        facts={[
          ['Id', <Id value={value.id} />],
          ['URL', <Name value={value.url} />],
          ['Events', value.eventTypes.join(', ')],
          ['Projects', <ProjectLinks ids={projectIds} />],
          ['Messages', value.include.includes('messages') ? 'sent when a conversation ends' : 'not sent'],
          [
            'Created',
            <>
              <Time at={value.createdAt} /> by <Credential id={value.createdBy} />
            </>,
          ],
          [
            'Secret',
            <>
              <Time at={value.secretCreatedAt} /> by <Credential id={value.secretSetBy} />
            </>,
          ],
          [
            'URL and events set by',
            <>
              <Credential id={value.urlSetBy} />
              {value.contentSetBy !== value.urlSetBy && (
                <>
                  , <Credential id={value.contentSetBy} />
                </>
              )}
            </>,
          ],
        ]}
      />
      <Recovery value={value} />
    </>
  );
}
