/** Chooses types of events: everything, all of a kind of resource, or single ones. */

import { namedScopes } from '../../../../lib/base/scopes.ts';
import { session } from '../../session/session.ts';
import { type Family, families, missingFor, type Pattern } from './picker-types.ts';

type Props = { value: readonly Pattern[]; onChange: (value: Pattern[]) => void };

export function EventPicker({ value, onChange }: Props) {
  const held = session.value?.me.scopes ?? [];
  const isAll = value.includes('*');
  const missing = missingFor(held, ['*']);
  return (
    <fieldset class="events">
      <legend>Events to send</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          disabled={missing.length > 0 && !isAll}
          onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
        />
        <span>
          All events
          {missing.length > 0 && <small class="quiet"> Your credential lacks {namedScopes(missing)}.</small>}
        </span>
      </label>
      {!isAll &&
        families.map((family) => (
          <FamilyChoice key={family.pattern} family={family} value={value} held={held} onChange={onChange} />
        ))}
      <small class="quiet" role="status">
        {value.length === 0 ? 'Choose at least one type of event.' : `Chosen: ${value.join(', ')}`}
      </small>
    </fieldset>
  );
}

type FamilyProps = Props & { family: Family; held: readonly string[] };

function FamilyChoice({ family, value, held, onChange }: FamilyProps) {
  const { pattern, title, types } = family;
  const own: readonly Pattern[] = types.map(({ type }) => type);
  const isWhole = value.includes(pattern);
  const others = value.filter((one) => one !== pattern && !own.includes(one));
  const missing = missingFor(held, [pattern]);
  const isAllowed = missing.length === 0;
  const chosen = value.filter((one) => own.includes(one));
  const toggle = (type: Pattern) =>
    onChange(value.includes(type) ? value.filter((one) => one !== type) : [...value, type]);
  return (
    <div class="family">
      <label class="check">
        <input
          type="checkbox"
          checked={isWhole}
          disabled={!isAllowed && !isWhole}
          onChange={(event) => onChange(event.currentTarget.checked ? [...others, pattern] : others)}
        />
        <span>
          {title} {!isWhole && chosen.length > 0 && <span class="quiet">({chosen.length} types)</span>}
          {!isAllowed && <small class="quiet"> Your credential lacks {namedScopes(missing)}.</small>}
        </span>
      </label>
      {isAllowed && !isWhole && (
        <details open={chosen.length > 0}>
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
