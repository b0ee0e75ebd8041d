/** The usage of today against the quotas of the organisation. */

import type { Quota, Usage } from '../../../../clients/typescript/src/index.ts';
import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Card } from './card.tsx';

const labels: readonly (readonly [keyof Usage['quotas'], string])[] = [
  ['conversations', 'Conversations'],
  ['messages', 'Messages'],
  ['documents', 'Documents'],
  ['bytes', 'Stored bytes'],
  ['jobs', 'Jobs at the same time'],
  ['waits', 'Waiting requests'],
];

export function Quotas() {
  const loaded = useLoad((signal) => platform().usage.get({ signal }), []);
  return (
    <Card title="Usage of the organisation today" to={href('/usage')} loaded={loaded}>
      {({ quotas }) => {
        const rows = labels.filter(([name]) => quotas[name].used !== null || quotas[name].limit !== null);
        if (rows.length === 0)
          return <p class="quiet">This credential is bound to projects, so it does not see the usage.</p>;
        return (
          <>
            <ul class="quotas">
              {rows.map(([name, label]) => (
                <QuotaRow key={name} label={label} quota={quotas[name]} />
              ))}
            </ul>
            <p class="quiet">
              Counts per day start again <Time at={quotas.messages.resetsAt} />.
            </p>
          </>
        );
      }}
    </Card>
  );
}

const nearlyUsed = 0.8;

function QuotaRow({ label, quota: { used, limit } }: { label: string; quota: Quota }) {
  const isNear = used !== null && limit !== null && used >= limit * nearlyUsed;
  return (
    <li>
      <span>{label}</span>
      <span class={isNear ? 'near' : ''}>
        {(used ?? 0).toLocaleString('en')}
        {limit === null ? '' : ` of ${limit.toLocaleString('en')}`}
        {isNear && (used >= limit ? ' – used up' : ' – nearly used up')}
      </span>
      {limit !== null && used !== null && (
        <meter aria-label={label} min={0} max={limit} high={limit * nearlyUsed} optimum={0} value={used} />
      )}
    </li>
  );
}
