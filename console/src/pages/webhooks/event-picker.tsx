/** A choice of types of events: all types, the types of a kind of resource, or single types. */

import type { WebhookCreateRequest } from '../../../../clients/typescript/src/index.ts';
import { missingScopes, namedScopes } from '../../../../lib/base/scopes.ts';
import { scopesOfTypes } from '../../../../lib/events/scopes.ts';
import { type EventType, eventTypeNames, eventTypes, familyOf } from '../../../../lib/events/types.ts';
import { session } from '../../session/session.ts';

type Props = { value: readonly Pattern[]; onChange: (value: Pattern[]) => void };

export function EventPicker({ value, onChange }: Props) {
  const scopes = session.value?.me.scopes ?? [];
  const isAll = value.includes('*');
  const lackedScopes = missingFor(scopes, ['*']);
  return (
    <fieldset class="events">
      <legend>Events to send</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          disabled={lackedScopes.length > 0 && !isAll}
          onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
        />
        <span>
          All events
          {lackedScopes.length > 0 && (
            <small class="quiet"> Your credential lacks {namedScopes(lackedScopes)}.</small>
          )}
        </span>
      </label>
      {!isAll &&
        families.map((family) => (
          <FamilyChoice
            key={family.pattern}
            family={family}
            value={value}
            scopes={scopes}
            onChange={onChange}
          />
        ))}
      <small class="quiet" role="status">
        {value.length === 0 ? 'Choose at least one type of event.' : `Chosen: ${value.join(', ')}`}
      </small>
    </fieldset>
  );
}

type FamilyProps = Props & { family: Family; scopes: readonly string[] };

function FamilyChoice({ family, value, scopes, onChange }: FamilyProps) {
  const { pattern, title, types } = family;
  const familyTypes: readonly Pattern[] = types.map(({ type }) => type);
  const isWhole = value.includes(pattern);
  const otherPatterns = value.filter((type) => type !== pattern && !familyTypes.includes(type));
  const lackedScopes = missingFor(scopes, [pattern]);
  const isAllowed = lackedScopes.length === 0;
  const selectedTypes = value.filter((one) => familyTypes.includes(one));
  const toggle = (type: Pattern) =>
    onChange(value.includes(type) ? value.filter((one) => one !== type) : [...value, type]);
  return (
    <div class="family">
      <label class="check">
        <input
          type="checkbox"
          checked={isWhole}
          disabled={!isAllowed && !isWhole}
          onChange={(event) =>
            onChange(event.currentTarget.checked ? [...otherPatterns, pattern] : otherPatterns)
          }
        />
        <span>
          {title}{' '}
          {!isWhole && selectedTypes.length > 0 && <span class="quiet">({selectedTypes.length} types)</span>}
          {!isAllowed && <small class="quiet"> Your credential lacks {namedScopes(lackedScopes)}.</small>}
        </span>
      </label>
      {isAllowed && !isWhole && (
        <details open={selectedTypes.length > 0}>
          <summary>
            Single types<span class="sr-only"> of {title}</span>
          </summary>
          {types.map(({ type, text }) => (
            <label class="check" key={type}>
              <input type="checkbox" checked={value.includes(type)} onChange={() => toggle(type)} />
              <span>
                <code>{type}</code> <small class="quiet">{text}</small>
              </span>
            </label>
          ))}
        </details>
      )}
    </div>
  );
}

/** A type of events, or all types of a kind of resource. */
export type Pattern = WebhookCreateRequest['eventTypes'][number];

export type Family = {
  pattern: Pattern;
  title: string;
  types: readonly { type: EventType; text: string }[];
};

const titles: Readonly<Record<string, string>> = {
  api_key: 'API keys',
  document: 'Knowledge documents',
};

const titleOf = (family: string) =>
  titles[family] ?? `${family.replace(/^./, (first) => first.toUpperCase())}s`;

/** Each kind of resource, with its types of events. */
export const families: readonly Family[] = [...new Set(eventTypeNames.map(familyOf))].map((family) => ({
  pattern: `${family}.*` as Pattern,
  title: titleOf(family),
  types: eventTypeNames
    .filter((type) => familyOf(type) === family)
    .map((type) => ({ type, text: eventTypes[type] })),
}));

/** @returns the scopes that the credential lacks to send these events to a receiver */
export const missingFor = (scopes: readonly string[], patterns: readonly string[]) =>
  missingScopes(scopes, scopesOfTypes(patterns));
