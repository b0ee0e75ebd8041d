/**
 * The structures of requests and responses: which of their members have attribute values, which the client converts
 * between JavaScript and DynamoDB's JSON.
 */

/** `attributes` are the attributes of an item by name. */
export type Kind =
  | 'plain'
  | 'attributes'
  | { readonly list: Kind }
  | { readonly map: Kind }
  | { readonly structure: Structure };

/** The members of a structure, in the order in which the SDK sends them. */
export type Structure = { readonly [member: string]: Kind };

/** Converts an attribute value. */
export type Convert = (value: unknown) => unknown;

/**
 * A member that a structure lacks would not be sent, at any depth. A condition must not be lost, for example.
 * @throws Error for such a member, such as a parameter that DynamoDB has replaced
 */
export function assertMembers(structure: Structure, value: object, operation: string): void {
  for (const [member, given] of Object.entries(value)) {
    const kind = Object.hasOwn(structure, member) ? structure[member] : undefined;
    if (kind === undefined) throw new Error(`${operation} in a bundle has no parameter ${member}`);
    assertKind(kind, given, operation);
  }
}

function assertKind(kind: Kind, value: unknown, operation: string): void {
  if (kind === 'plain' || kind === 'attributes' || !value) return;
  if ('structure' in kind) {
    assertMembers(kind.structure, value, operation);
  } else {
    const member = 'list' in kind ? kind.list : kind.map;
    for (const one of Object.values(value)) assertKind(member, one, operation);
  }
}

/** @returns the members of the structure that have a value, converted */
export function convertStructure(structure: Structure, value: object, convert: Convert) {
  const members = new Map(Object.entries(value));
  const converted: Record<string, unknown> = {};
  for (const [member, kind] of Object.entries(structure)) {
    const given = members.get(member) ?? undefined;
    if (given !== undefined) converted[member] = convertKind(kind, given, convert);
  }
  return converted;
}

function convertKind(kind: Kind, value: unknown, convert: Convert): unknown {
  if (kind === 'plain') return value;
  const given = value as object;
  if (kind === 'attributes') return convertEach(given, convert);
  if ('list' in kind) return Object.values(given).map((one) => convertKind(kind.list, one, convert));
  if ('map' in kind) return convertEach(given, (one) => convertKind(kind.map, one, convert));
  return convertStructure(kind.structure, given, convert);
}

/** The SDK leaves out attributes that are undefined. */
function convertEach(values: object, convert: Convert): object {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, convert(value)]));
}
