/**
 * A load is an item that a path names. An endpoint declares its loads; the pipeline reads them side by side with the
 * credential, so that they cost no round trip of their own. A load can only get single items, by what the path says.
 *
 *   export const avatarInPath = load({ from: [avatars], read: (get, { avatar_id }: AvatarPath) => get(avatars, avatar_id) });
 */

import type { Collection } from './collection.ts';
import type { TableName } from './tables.ts';
import type { Item } from './write.ts';

/** Gets one item, strongly consistent. */
export type Get = <Kind extends Item, Parents extends readonly string[]>(
  from: Collection<Kind, Parents>,
  id: string,
  ...parents: Parents
) => Promise<Kind | undefined>;

export type Load<Params, Context, Found> = {
  readonly tables: readonly TableName[];
  /** Otherwise an item that is not there answers `not_found`. */
  readonly isOptional?: boolean;
  /**
   * Runs before the caller is known: what it returns stays closed until the request has been let in.
   * @param callingKeyId which API key the request claims to be sent with; undefined for an access token
   * @returns what finds the item in what was read, or undefined where there is none for this caller and time
   */
  readonly read: (
    get: Get,
    params: Params,
    callingKeyId: string | undefined,
  ) => Promise<(context: Context) => Found | undefined>;
};

type Source<Params, Read> = {
  /** The collections that it reads from. */
  from: readonly { table: TableName }[];
  /** Reads single items, side by side where there are several. */
  read: (get: Get, params: Params, callingKeyId: string | undefined) => Promise<Read>;
};

/** Declares a load. `find`, where it is given, decides what the caller sees of what was read; it does no I/O. */
export function load<Params, Read, Context, Found>(
  source: Source<Params, Read> & { find: (read: Read, context: Context) => Found | undefined },
): Load<Params, Context, Found>;
export function load<Params, Read>(source: Source<Params, Read>): Load<Params, unknown, NonNullable<Read>>;
export function load<Params, Read>({
  from,
  read,
  find = (found) => found,
}: Source<Params, Read> & { find?: (read: Read, context: unknown) => unknown }): Load<
  Params,
  unknown,
  unknown
> {
  return {
    tables: from.map(({ table }) => table),
    async read(get, params, callingKeyId) {
      const found = await read(get, params, callingKeyId);
      return (context) => find(found, context);
    },
  };
}

/** The same load for an endpoint whose handler decides what it means that there is none. */
export const optional = <Params, Context, Found>(
  declared: Load<Params, Context, Found>,
): Load<Params, Context, Found> & { readonly isOptional: true } => ({ ...declared, isOptional: true });

/** What an endpoint loads, by the name that its handler knows it by. */
export type Loads<Params, Context> = Readonly<Record<string, Load<Params, Context, unknown>>>;

/** What the handler gets. */
export type Loaded<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends {
    read: (...input: never) => Promise<(context: never) => infer Found>;
  }
    ? Declared[Name] extends { isOptional: true }
      ? Found | undefined
      : NonNullable<Found>
    : never;
};
