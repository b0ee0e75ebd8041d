/** The fields of a webhook, and its problems. */

import type { Webhook } from '../../../../clients/typescript/src/index.ts';
import { Facts } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Countdown } from '../../shared/countdown.tsx';
import { Credential } from '../../shared/credential.tsx';
import { ProjectLinks } from '../../shared/project-link.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { Recovery } from './recover.tsx';
import { whyDisabled } from './texts.ts';

/** @param reason why the newest attempt has failed, if it is known */
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
