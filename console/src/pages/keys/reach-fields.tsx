/** The fields for the addresses and the limit of requests of a key or of a workload identity. */

import { Fragment } from 'preact';
import type { ApiKey, ErrorDetail, Me, Usage } from '../../../../clients/typescript/src/index.ts';
import type { Period } from '../../../../lib/base/rate-limit.ts';
import { platform, session } from '../../session/session.ts';
import { Credential } from '../../shared/credential.tsx';
import { Field } from '../../shared/dialog.tsx';
import { FormField, messagesAt, useOnceOpen } from '../../shared/form.tsx';
import type { Reach } from './draft.ts';
import { limitsAbove, maxLimits } from './grants.ts';

/** The signed-in credential, with the addresses and limits that bound its grants. */
export type Grantor = { me: Me; callerKey: ApiKey | undefined; usage: Usage };

export async function loadGrantor(signal: AbortSignal): Promise<Grantor> {
  const me = session.peek()?.me;
  if (!me) throw new Error('signed out');
  const [callerKey, usage] = await Promise.all([
    me.kind === 'api_key' ? platform().apiKeys.me({ signal }) : undefined,
    platform().usage.get({ signal }),
  ]);
  return { me, callerKey, usage };
}

type Props = Grantor & {
  draft: Reach;
  set: (changes: Partial<Reach>) => void;
  /** The messages of the API about the last attempt. */
  details: readonly ErrorDetail[];
};

export function ReachFields({ draft, set, details, me, callerKey, usage }: Props) {
  const parentLimits = limitsAbove(me, callerKey?.rateLimit, usage.rateLimits.parents);
  const messages = [...messagesAt(details, ['allowedCidrs']), ...messagesAt(details, ['rateLimit'])];
  const isOpen = useOnceOpen(draft.addresses !== '' || draft.requests !== '' || messages.length > 0);
  return (
    <details open={isOpen}>
      <summary>Addresses and limit of requests</summary>
      <FormField
        label="Allowed addresses"
        messages={messagesAt(details, ['allowedCidrs'])}
        hint={
          callerKey?.allowedCidrs
            ? `Blocks within ${callerKey.allowedCidrs.join(', ')}, one in each line. If it is empty, all of them.`
            : 'Blocks of addresses, one in each line, such as 203.0.113.0/24. If it is empty, every address.'
        }
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            spellcheck={false}
            value={draft.addresses}
            onInput={(event) => set({ addresses: event.currentTarget.value })}
          />
        )}
      </FormField>
      {parentLimits.length < maxLimits && (
        <LimitFields
          draft={draft}
          set={set}
          messages={messagesAt(details, ['rateLimit'])}
          callerLimit={callerKey?.rateLimit ?? null}
        />
      )}
      {parentLimits.length > 0 && (
        <p class="quiet">
          Its requests also count in{' '}
          {parentLimits.map(({ keyId, rateLimit }, at) => (
            <Fragment key={keyId}>
              {at > 0 && ', and in '}
              {rateLimit.requests} {perText[rateLimit.per]} of{' '}
              {keyId === me.id ? 'your key' : <Credential id={keyId} isText />}
            </Fragment>
          ))}
          .
        </p>
      )}
    </details>
  );
}

/** The periods of a limit, as text. */
export const perText: Readonly<Record<Period, string>> = {
  '1s': 'per second',
  '1m': 'per minute',
  '1h': 'per hour',
};

type LimitProps = {
  draft: Reach;
  set: (changes: Partial<Reach>) => void;
  messages: readonly string[];
  callerLimit: ApiKey['rateLimit'];
};

export const LimitFields = ({ draft, set, messages, callerLimit }: LimitProps) => (
  <div class="row limit">
    <FormField
      label="Requests"
      messages={messages}
      hint={
        callerLimit
          ? `At most yours: ${callerLimit.requests} ${perText[callerLimit.per]}. If it is empty, your limit applies.`
          : 'If it is empty, the key has no limit.'
      }
    >
      {(control) => (
        <input
          {...control}
          type="number"
          min={1}
          step={1}
          value={draft.requests}
          onInput={(event) => set({ requests: event.currentTarget.value })}
        />
      )}
    </FormField>
    <Field label="Period" hint="So many requests pass in each period.">
      {(id) => (
        <select
          id={id}
          value={draft.per}
          onChange={(event) => set({ per: event.currentTarget.value as Period })}
        >
          {(Object.keys(perText) as Period[]).map((per) => (
            <option key={per} value={per}>
              {perText[per]}
            </option>
          ))}
        </select>
      )}
    </Field>
  </div>
);
