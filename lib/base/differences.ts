/** Where two values of JSON differ. */

/** A name may have many characters. A path that would be longer ends at the value in which it lies. */
const maxPathLength = 100;

/**
 * Takes time in proportion to the size of the values. The order of the fields of an object does not matter.
 * @param path the path of both values; empty for objects that are the whole
 * @returns the paths of the parts that differ, with dots: `tools.0.name`
 */
export function* differences(before: unknown, after: unknown, path = ''): Generator<string> {
  if (!isParent(before) || !isParent(after) || Array.isArray(before) !== Array.isArray(after)) {
    if (before !== after) yield path;
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inner = path === '' ? name : `${path}.${name}`;
    const paths = differences(ownOf(before, name), ownOf(after, name), inner);
    if (inner.length <= maxPathLength) yield* paths;
    else if (!paths.next().done) {
      yield path;
      return;
    }
  }
}

type Parent = Readonly<Record<string, unknown>>;

const isParent = (value: unknown): value is Parent => typeof value === 'object' && value !== null;

/** A name may be that of a member which every object inherits, such as `toString`. */
const ownOf = (parent: Parent, name: string): unknown =>
  Object.hasOwn(parent, name) ? parent[name] : undefined;
