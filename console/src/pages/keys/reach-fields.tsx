/** From where a credential may be used, and how often: for keys and workload identities. */

import { Fragment } from 'preact';
import type { ApiKey, ErrorDetail, Me, Usage } from '../../../../clients/typescript/src/index.ts';
import { Credential } from '../../parts/credential.tsx';
import { useOnceOpen } from '../../parts/use-once-open.ts';
import { platform, session } from '../../session/session.ts';
import { FormField, messagesAt } from '../avatars/form-field.tsx';
import type { Reach } from './draft.ts';
import { limitsAbove, maxLimits } from './grants.ts';
import { LimitFields, perText } from './limit-fields.tsx';

/** The signed-in credential's own addresses and limits, which bound what it grants. */
export type Own = { me: Me; own: ApiKey | undefined; usage: Usage };

export async function loadOwn(signal: AbortSignal): Promise<Own> {
  const me = session.peek()?.me;
  if (!me) throw new Error('signed out');
  const [own, usage] = await Promise.all([
    me.kind === 'api_key' ? platform().apiKeys.me({ signal }) : undefined,
    platform().usage.get({ signal }),
  ]);
  return { me, own, usage };
}

type Props = Own & {
  draft: Reach;
  set: (changes: Partial<Reach>) => void;
  /** What the API said about the last attempt. */
  details: readonly ErrorDetail[];
};

export function ReachFields({ draft, set, details, me, own, usage }: Props) {
  const above = limitsAbove(me, own?.rateLimit, usage.rateLimits.parents);
  const refused = [...messagesAt(details, ['allowedCidrs']), ...messagesAt(details, ['rateLimit'])];
  const isOpen = useOnceOpen(draft.addresses !== '' || draft.requests !== '' || refused.length > 0);
  return (
    <details open={isOpen}>
      <summary>Addresses and limit of requests</summary>
      <FormField
        label="Allowed addresses"
        messages={messagesAt(details, ['allowedCidrs'])}
        hint={
          own?.allowedCidrs
            ? `Blocks within ${own.allowedCidrs.join(', ')}, one in each line. Empty: all of these.`
            : 'Blocks of addresses, one in each line, such as 203.0.113.0/24. Empty: everywhere.'
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
      {above.length < maxLimits && (
        <LimitFields
          draft={draft}
          set={set}
          messages={messagesAt(details, ['rateLimit'])}
          ownLimit={own?.rateLimit ?? null}
        />
      )}
      {above.length > 0 && (
        <p class="quiet">
          Its requests also count in{' '}
          {above.map(({ keyId, rateLimit }, at) => (
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
