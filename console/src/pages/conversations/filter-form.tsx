/** The search box and the filters of the list. Each change is in the address at once. */

import { useEffect, useRef } from 'preact/hooks';
import type { Avatar, Evaluator } from '../../../../clients/typescript/src/index.ts';
import { SelectFilter, setFilters, TextFilter, TimeFilter } from '../../shared/query-filters.tsx';
import {
  allFilters,
  type Filters,
  type Period,
  periodOf,
  periods,
  rangeOf,
  scoreFilters,
} from './filters.ts';
import { ScoreFilters } from './score-filters.tsx';

export const clearFilters = () =>
  setFilters(Object.fromEntries(allFilters.map((name) => [name, undefined] as const)));

const periodNames: Readonly<Record<Period, string>> = {
  hour: 'Last hour',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

const orders = [
  ['oldest', 'Oldest first'],
  ['trouble', 'Trouble first'],
  ['messages', 'Most messages first'],
  ['duration', 'Longest first'],
] as const;

/** The text filters below "More filters", which are closed at first. */
const textFilters = ['channel', 'tag', 'externalUserId', 'externalId', 'deploymentId'] as const;

const foldedFilters = [...textFilters, ...scoreFilters, 'test', 'startedFrom', 'startedBefore'] as const;

const labels: Readonly<Record<(typeof textFilters)[number], string>> = {
  channel: 'Channel',
  tag: 'Tag',
  externalUserId: 'User (your id)',
  externalId: 'Conversation (your id)',
  deploymentId: 'Deployment',
};

type Props = { filters: Filters; avatars: readonly Avatar[]; evaluators: readonly Evaluator[] };

export function FilterForm({ filters, avatars, evaluators }: Props) {
  const isSearch = filters.q !== undefined;
  const visibleFilters = textFilters.filter((name) => !isSearch || name !== 'externalId');
  const count = Object.keys(filters).length;
  return (
    <search>
      <form
        class="conversation-filters"
        onSubmit={(event) => {
          event.preventDefault();
          const box = event.currentTarget.elements.namedItem('q');
          if (box instanceof HTMLInputElement) setFilters({ q: box.value.trim() || undefined });
        }}
      >
        <div class="filters">
          <SearchBox value={filters.q} />
          <SelectFilter
            name="status"
            label="Status"
            anyLabel="Any"
            options={[
              ['active', 'Active'],
              ['ended', 'Ended'],
            ]}
          />
          {avatars.length > 0 ? (
            <SelectFilter
              name="avatarId"
              label="Avatar"
              anyLabel="Any"
              options={avatarOptions(avatars, filters.avatarId)}
            />
          ) : (
            <TextFilter name="avatarId" label="Avatar (id)" />
          )}
          <PeriodChoice filters={filters} />
          {isSearch && (
            <SelectFilter name="hideTools" label="Tools" anyLabel="Shown" options={[['true', 'Hidden']]} />
          )}
          {!isSearch && <SelectFilter name="order" label="Order" anyLabel="Newest first" options={orders} />}
          {count > 0 && (
            <button type="button" onClick={clearFilters}>
              Clear all
            </button>
          )}
        </div>
        <details class="more-filters" open={foldedFilters.some((name) => filters[name] !== undefined)}>
          <summary>More filters</summary>
          <div class="filters">
            <TimeFilter name="startedFrom" label="Started from" />
            <TimeFilter name="startedBefore" label="Started before" />
            <SelectFilter
              name="test"
              label="Tests"
              anyLabel="Shown"
              options={[
                ['false', 'Hidden'],
                ['true', 'Only tests'],
              ]}
            />
            {visibleFilters.map((name) => (
              <TextFilter key={name} name={name} label={labels[name]} />
            ))}
          </div>
          <ScoreFilters filters={filters} evaluators={evaluators} />
        </details>
      </form>
    </search>
  );
}

/** @param avatarId is an option, even if its avatar is not loaded */
const avatarOptions = (avatars: readonly Avatar[], avatarId: string | undefined) => [
  ...(avatarId && !avatars.some(({ id }) => id === avatarId) ? [[avatarId, avatarId] as const] : []),
  ...avatars.map(({ id, name }) => [id, name.slice(0, 60)] as const),
];

function SearchBox({ value }: { value: string | undefined }) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (ref.current && ref.current.value !== (value ?? '')) ref.current.value = value ?? '';
  }, [value]);
  return (
    <label class="grow">
      Search in messages
      <span class="row nowrap">
        <input
          ref={ref}
          name="q"
          type="search"
          maxLength={500}
          defaultValue={value ?? ''}
          placeholder={'refund "my order"'}
          onInput={(event) => event.currentTarget.value === '' && setFilters({ q: undefined })}
        />
        <button type="submit">Search</button>
      </span>
    </label>
  );
}

function PeriodChoice({ filters }: { filters: Filters }) {
  const isSet = filters.startedFrom !== undefined || filters.startedBefore !== undefined;
  return (
    <label>
      Period
      <select
        value={periodOf(filters, Date.now()) ?? (isSet ? 'other' : '')}
        onChange={(event) => {
          const period = periods.find((one) => one === event.currentTarget.value);
          setFilters({
            startedFrom: undefined,
            startedBefore: undefined,
            ...(period && rangeOf(period, Date.now())),
          });
        }}
      >
        <option value="">Any</option>
        {isSet && <option value="other">Another range</option>}
        {periods.map((period) => (
          <option key={period} value={period}>
            {periodNames[period]}
          </option>
        ))}
      </select>
    </label>
  );
}
