/** The filters by scores. Each filter is complete as soon as its score is chosen, so each change is in the address at once. */

import { useEffect, useState } from 'preact/hooks';
import type { Evaluator, ScoreOutput } from '../../../../clients/typescript/src/index.ts';
import { setFilters } from '../../shared/query-filters.tsx';
import { keyText } from '../../shared/score.tsx';
import { type Filters, scoreFilters, scoresOf } from './filters.ts';

const operators = {
  exists: 'has a value',
  eq: 'is',
  ne: 'is not',
  gte: 'is at least',
  gt: 'is above',
  lte: 'is at most',
  lt: 'is below',
} as const;

/** The operators that the API has for each type of value. */
const operatorsOf: Readonly<Record<ScoreOutput['type'], readonly string[]>> = {
  boolean: ['exists', 'eq'],
  category: ['exists', 'eq', 'ne'],
  number: Object.keys(operators),
  text: ['exists'],
  object: ['exists'],
};

/** @returns the first value of a new filter */
function firstValue(output: ScoreOutput | undefined): string {
  if (output?.type === 'number') return `${output.min}`;
  if (output?.type === 'category') return output.values[0] ?? '';
  return 'true';
}

/** @returns the name, the operator and the value of a filter; the value may have colons */
function parseFilter(filter: string): { name: string; operator: string; value: string } {
  const [name = '', operator = 'exists', ...rest] = filter.split(':');
  return { name, operator, value: rest.join(':') };
}

type Props = { filters: Filters; evaluators: readonly Evaluator[] };

export function ScoreFilters({ filters, evaluators }: Props) {
  const scores = scoresOf(filters);
  if (evaluators.length === 0 && scores.length === 0) return null;
  const change = (at: number, filter: string | undefined) => {
    const next = scores.toSpliced(at, 1, ...(filter === undefined ? [] : [filter]));
    setFilters(Object.fromEntries(scoreFilters.map((name, index) => [name, next[index]])));
  };
  const rows = scores.length < scoreFilters.length ? [...scores, ''] : scores;
  return (
    <div class="score-filters">
      {rows.map((filter, at) => (
        <ScoreFilter
          // A filter has no other identity than its place.
          key={at}
          label={at === 0 ? 'Score' : `Score ${at + 1}`}
          filter={filter}
          evaluators={evaluators}
          onChange={(next) => change(at, next)}
        />
      ))}
    </div>
  );
}

type FilterProps = {
  label: string;
  /** The filter as text, such as `csat:gte:3`; empty for no filter. */
  filter: string;
  evaluators: readonly Evaluator[];
  onChange: (filter: string | undefined) => void;
};

function ScoreFilter({ label, filter, evaluators, onChange }: FilterProps) {
  const { name, operator, value } = parseFilter(filter);
  const output = evaluators.find((one) => one.name === name)?.output;
  const names = evaluators.map((one) => one.name);
  const outputOperators = output ? operatorsOf[output.type] : [];
  return (
    <div class="filters">
      <label>
        {label}
        <select
          value={name}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : `${currentTarget.value}:exists`)
          }
        >
          <option value="">Any</option>
          {[...new Set([...(name ? [name] : []), ...names])].map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      </label>
      {filter !== '' && (
        <label>
          {label}: condition
          <select
            value={operator}
            onChange={({ currentTarget: { value: next } }) =>
              onChange(
                next === 'exists' ? `${name}:exists` : `${name}:${next}:${value || firstValue(output)}`,
              )
            }
          >
            {[...new Set([operator, ...outputOperators])].map((option) => (
              <option key={option} value={option}>
                {Object.hasOwn(operators, option) ? operators[option as keyof typeof operators] : option}
              </option>
            ))}
          </select>
        </label>
      )}
      {filter !== '' && operator !== 'exists' && (
        <Value
          label={`${label}: value`}
          output={output}
          value={value}
          onChange={(next) => onChange(`${name}:${operator}:${next}`)}
        />
      )}
    </div>
  );
}

type ValueProps = {
  label: string;
  output: ScoreOutput | undefined;
  value: string;
  onChange: (value: string) => void;
};

function Value({ label, output, value, onChange }: ValueProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const choices =
    output?.type === 'boolean' ? ['true', 'false'] : output?.type === 'category' ? output.values : undefined;
  if (choices && output)
    return (
      <label>
        {label}
        <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {[...new Set([...choices, value])].map((option) => (
            <option key={option} value={option}>
              {keyText(option, output)}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <label>
      {label}
      <input
        inputMode={output?.type === 'number' ? 'decimal' : 'text'}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onChange={({ currentTarget }) => {
          if (currentTarget.value) onChange(currentTarget.value);
        }}
      />
    </label>
  );
}
