/** The usage of the organisation, and the limits that apply to the signed-in credential. */

import type { CostQuota, Quota, RateLimit, Usage } from '../../../clients/typescript/src/index.ts';
import { useLoad } from '../request/use-load.ts';
import { can, platform, session } from '../session/session.ts';
import { numberText, sizeOf } from '../shared/amounts.ts';
import { Head, Loading } from '../shared/basics.tsx';
import { Credential } from '../shared/credential.tsx';
import { Problem } from '../shared/problem.tsx';
import { usd } from '../shared/score.tsx';
import { Time } from '../shared/time.tsx';
import { UsagePerDay } from './logs/usage-days.tsx';
import { UsagePerProject } from './logs/usage-projects.tsx';

export default function UsagePage() {
  const usage = useLoad((signal) => platform().usage.get({ signal }), []);
  return (
    <>
      <Head title="Usage and limits">
        <button type="button" onClick={usage.reload}>
          Refresh
        </button>
      </Head>
      <Problem error={usage.error} onRepeat={usage.reload} />
      {usage.data ? <UsageTables usage={usage.data} /> : usage.error === undefined && <Loading />}
    </>
  );
}

function UsageTables({ usage }: { usage: Usage }) {
  return (
    <>
      <Quotas usage={usage} />
      {session.value?.me.projectIds === null && (
        <>
          <UsagePerDay load={(from, signal) => platform().usage.days({ from }, { signal })} />
          {can('projects:read') && <UsagePerProject />}
        </>
      )}
      <RateLimits usage={usage} />
    </>
  );
}

type QuotaName = Exclude<keyof Usage['quotas'], 'modelCostUsd'>;

const quotaTexts: readonly (readonly [QuotaName, title: string, explanation: string])[] = [
  ['conversations', 'Conversations', 'stored today in all projects, also imported ones of earlier days'],
  ['messages', 'Messages', 'stored today in all projects'],
  ['documents', 'Documents', 'contents created or replaced today'],
  ['bytes', 'Size', 'of these contents and of the texts of messages'],
  ['jobs', 'Re-indexing jobs', 'queued or running now'],
  ['waits', 'Waiting requests', 'such as open live views'],
];

function Quotas({ usage: { mode, quotas } }: { usage: Usage }) {
  const isHidden = quotas.messages.used === null;
  return (
    <>
      <h2>Quotas of the organisation</h2>
      <p class="quiet">
        {mode === 'live' ? 'Live' : 'Test'} data has quotas of its own. An operator sets them. A request that
        would exceed one is refused until the count starts again. A day is a day in UTC.
        {isHidden &&
          ' This credential is bound to projects, so it sees the quotas but not the usage. Each project has a page with its usage.'}
      </p>
      <ul class="quota-cards" aria-label="Quotas">
        {quotaTexts.map(([name, title, explanation]) => (
          <QuotaCard
            key={name}
            show={name === 'bytes' ? sizeOf : numberText}
            title={title}
            explanation={explanation}
            quota={quotas[name]}
          />
        ))}
        {/* A stage without models has no limit of their cost. */}
        {quotas.modelCostUsd.limit !== null && (
          <QuotaCard
            show={usd}
            title="Cost of models"
            explanation="for evaluations of today, in US dollars"
            quota={quotas.modelCostUsd}
          />
        )}
      </ul>
    </>
  );
}

/** From this share on, a quota is nearly used up. */
const nearlyUsedShare = 0.8;

type QuotaProps = {
  show: (amount: number) => string;
  title: string;
  explanation: string;
  quota: Quota | CostQuota;
};

function QuotaCard({
  show,
  title,
  explanation,
  quota: { used, limit, resetsAt, countedThrough },
}: QuotaProps) {
  const isBar = used !== null && limit !== null && limit > 0;
  const share = isBar ? used / limit : 0;
  return (
    <li class="card">
      <h3>{title}</h3>
      <p class="amount">
        <strong>{used === null ? '—' : show(used)}</strong>{' '}
        <span class="quiet">{limit === null ? 'no quota' : `of ${show(limit)}`}</span>
        {share >= nearlyUsedShare && (
          <span class="near"> {share >= 1 ? 'used up' : `${Math.floor(share * 100)} % used`}</span>
        )}
      </p>
      {isBar && (
        <meter
          aria-label={`${title} used`}
          min={0}
          max={limit}
          high={limit * nearlyUsedShare}
          optimum={0}
          value={used}
        />
      )}
      <p class="quiet">
        {explanation}
        {resetsAt && limit !== null && (
          <>
            ; starts again <Time at={resetsAt} />
          </>
        )}
        {limit === null && countedThrough && (
          <>
            ; counted up to <Time at={countedThrough} />
          </>
        )}
      </p>
    </li>
  );
}

const periods: Readonly<Record<RateLimit['per'], string>> = { '1s': 'second', '1m': 'minute', '1h': 'hour' };

const limitText = (limit: RateLimit | null): string =>
  limit ? `${limit.requests.toLocaleString('en')} requests per ${periods[limit.per]}` : 'no limit';

function RateLimits({ usage: { rateLimits } }: { usage: Usage }) {
  const { key, parents, organisation } = rateLimits;
  const isLimited = key !== null || parents.length > 0 || organisation !== null;
  return (
    <>
      <h2>Limits of requests</h2>
      <p class="quiet">
        {isLimited
          ? 'A request of this credential counts in each of these limits. Above a limit, the service answers 429 and says when to try again. The clients and this console wait for that time.'
          : 'No limit of requests applies to this credential. A key can get one when it is created or changed.'}
      </p>
      <table class="limits">
        <thead>
          <tr>
            <th scope="col">Limit of</th>
            <th scope="col">At most</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">This credential</th>
            <td>{limitText(key)}</td>
          </tr>
          {parents.map(({ keyId, rateLimit }) => (
            <tr key={keyId}>
              <th scope="row">
                A key above: <Credential id={keyId} />
              </th>
              <td>{limitText(rateLimit)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">All credentials of the organisation</th>
            <td>{limitText(organisation)}</td>
          </tr>
        </tbody>
      </table>
    </>
  );
}
