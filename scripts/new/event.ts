/** The changes of `npm run new -- event`. */

import { UsageError } from '../shared/options.ts';
import { type Change, insertBefore, type Read } from './change.ts';

const typeForm = /^([a-z]+(?:_[a-z]+)*)\.[a-z]+(?:_[a-z]+)*$/;
const file = 'lib/events/types.ts';

/**
 * @param types the types that there are
 * @throws UsageError with one sentence that says what is wrong
 */
export function newEvent(type: string, types: readonly string[], read: Read): Change {
  const [, family] = typeForm.exec(type) ?? [];
  if (family === undefined)
    throw new UsageError(
      `"${type}" is not a type of event: use <resource>.<what has happened>, such as avatar.archived.`,
    );
  if (types.includes(type)) throw new UsageError(`There is an event ${type} already.`);
  const families = [...new Set(types.map(familyIn))];
  const next = families[families.indexOf(family) + 1];
  if (!families.includes(family)) {
    throw new UsageError(
      `No event is about "${family}" yet: see "Add an event type" in CONTRIBUTING.md. There are ${families.join(', ')}.`,
    );
  }
  // Types of one resource stand together.
  const following = types.find((one) => familyIn(one) === next);
  const anchor = following ? `  '${following}':` : '} as const;\n\nexport type EventType';
  return {
    created: {},
    changed: { [file]: insertBefore(read(file), anchor, `  '${type}': 'Say here what has happened.',\n`) },
    next: [
      `Say in ${file} what the event says.`,
      'Say when it happens, in the rule of its table in lib/events/from-changes/store/changes.ts.',
      'Declare it in causes of the endpoints that cause it.',
      'Run npx vitest run test/promises/events.test.ts: it compares causes with the events that are written. npm run check leaves a part of it out.',
    ],
  };
}

const familyIn = (type: string) => type.slice(0, type.indexOf('.'));
