/** The fields that a call has changed, with their values. */

import type { AuditEvent } from '../../../../clients/typescript/src/index.ts';
import { Value, ValueDifference } from '../../shared/diff.tsx';

type Changes = NonNullable<AuditEvent['changes']>;

/** @returns `Expires at` of `expiresAt` */
const fieldName = (field: string): string =>
  field
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());

export function ChangedFields({ changes }: { changes: Changes | null }) {
  if (!changes) return <p class="quiet">The log has no fields of this event.</p>;
  const { fields, before, after } = changes;
  if (fields.length === 0) return <p class="quiet">No field has changed.</p>;
  return (
    <>
      {before === null && after !== null && <p class="quiet">The resource is new.</p>}
      {after === null && before !== null && (
        <p class="quiet">The resource was deleted. These were its values.</p>
      )}
      <table class="changed">
        <caption class="sr-only">Changed fields</caption>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{fieldName(field)}</th>
              <td>
                <Change field={field} changes={changes} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const has = (values: Readonly<Record<string, unknown>> | null, field: string): boolean =>
  values !== null && Object.hasOwn(values, field);

function Change({ field, changes: { before, after, omitted } }: { field: string; changes: Changes }) {
  if (omitted.includes(field)) return <span class="quiet">too long for the log</span>;
  const [hadValue, hasValue] = [has(before, field), has(after, field)];
  if (!hadValue && !hasValue) return <span class="quiet">the log does not keep its value</span>;
  if (before === null) return <Value value={after?.[field]} />;
  if (after === null) return <Value value={before[field]} />;
  return <ValueDifference before={before[field]} after={after[field]} />;
}
