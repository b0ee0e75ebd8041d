/** The filters of a list. They are in the address, so a link shows the same list. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { query, setQuery } from '../router.ts';

/** @returns the value in the address; undefined without one */
export const filterValue = (name: string): string | undefined => query.value.get(name) || undefined;

/**
 * @param allowed the values that the API accepts
 * @returns the value in the address, if the API accepts it
 */
export const filterChoice = <Value extends string>(
  name: string,
  allowed: readonly Value[],
): Value | undefined => allowed.find((value) => value === query.value.get(name));

/** Sets filters. The list starts again at its first page. */
export const setFilters = (values: Readonly<Record<string, string | undefined>>): void =>
  setQuery({ ...values, page: undefined });

/** @param names the filters that the button clears */
export function Filters({ names, children }: { names: readonly string[]; children: ComponentChildren }) {
  const isSet = names.some((name) => query.value.get(name));
  return (
    <search class="filters">
      {children}
      {isSet && (
        <button
          type="button"
          onClick={() => setFilters(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          Clear filters
        </button>
      )}
    </search>
  );
}

type SelectProps = {
  name: string;
  label: string;
  /** The label of the option that sets no filter. */
  anyLabel: string;
  options: readonly (readonly [value: string, label: string])[];
};

export function SelectFilter({ name, label, anyLabel, options }: SelectProps) {
  const value = query.value.get(name) ?? '';
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => setFilters({ [name]: event.currentTarget.value })}>
        <option value="">{anyLabel}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

type TextProps = { name: string; label: string; placeholder?: string; suggestions?: readonly string[] };

/** A filter by a text. It takes effect with Enter, or when the focus leaves the field. */
export function TextFilter({ name, label, placeholder, suggestions }: TextProps) {
  const id = useId();
  const value = query.value.get(name) ?? '';
  // The text stays while the page loads something and is drawn again.
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <label>
      {label}
      <input
        type="text"
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        list={suggestions && id}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => setFilters({ [name]: event.currentTarget.value.trim() })}
      />
      {suggestions && (
        <datalist id={id}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </label>
  );
}

/** @returns the time in the zone of the browser, in the form of an input */
export function localTime(iso: string | undefined): string {
  const ms = iso === undefined ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(ms)) return '';
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @returns the time in UTC; undefined for an empty or incomplete input */
export function utcTime(local: string): string | undefined {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** A filter by a time, in the zone of the browser. The address has it in UTC. */
export function TimeFilter({ name, label }: { name: string; label: string }) {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={localTime(filterValue(name))}
        onChange={(event) => setFilters({ [name]: utcTime(event.currentTarget.value) })}
      />
    </label>
  );
}
