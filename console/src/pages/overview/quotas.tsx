/** The usage of today against the quotas of the organisation. */

import type { Quota, Usage } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { numberText, sizeOf } from '../../shared/amounts.ts';
import { Time } from '../../shared/time.tsx';
import { Card } from './card.tsx';

const labels: readonly (readonly [keyof Usage['quotas'], string])[] = [
  ['conversations', 'Conversations'],
  ['messages', 'Messages'],
  ['documents', 'Documents'],
  ['bytes', 'Stored texts'],
  ['jobs', 'Jobs at the same time'],
  ['waits', 'Waiting requests'],
];

export function Quotas() {
  const request = useLoad((signal) => platform().usage.get({ signal }), []);
  return (
    <Card title="Usage of the organisation today" to={href('/usage')} request={request}>
      {({ quotas }) => {
        const rows = labels.filter(([name]) => quotas[name].used !== null || quotas[name].limit !== null);
        if (rows.length === 0)
          return <p class="quiet">This credential is bound to projects, so it does not see the usage.</p>;
        return (
          <>
            <ul class="quotas">
              {rows.map(([name, label]) => (
                <QuotaRow
                  key={name}
                  show={name === 'bytes' ? sizeOf : numberText}
                  label={label}
                  quota={quotas[name]}
                />
              ))}
            </ul>
            <p class="quiet">
              What was stored today in all projects, also imported conversations of earlier days. The counts
              start again <Time at={quotas.messages.resetsAt} />.
            </p>
          </>
        );
      }}
    </Card>
  );
}

const nearlyUsedShare = 0.8;

type RowProps = { label: string; quota: Quota; show: (amount: number) => string };

function QuotaRow({ label, quota: { used, limit }, show }: RowProps) {
  const isNear = used !== null && limit !== null && used >= limit * nearlyUsedShare;
  return (
    <li>
      <span>{label}</span>
      <span class={isNear ? 'near' : ''}>
        {show(used ?? 0)}
        {limit === null ? '' : ` of ${show(limit)}`}
        {isNear && (used >= limit ? ' – used up' : ' – nearly used up')}
      </span>
      {limit !== null && used !== null && (
        <meter
          aria-label={label}
          min={0}
          max={limit}
          high={limit * nearlyUsedShare}
          optimum={0}
          value={used}
        />
      )}
    </li>
  );
}
