/**
 * A load is an item that a path names. An endpoint declares its loads, and the pipeline reads them in parallel with the
 * credential, so they add no round trip. A load can only get single items, by parameters of the path.
 *
 *   export const avatarInPath = load({
 *     from: [avatars],
 *     read: (get, { avatar_id }: { avatar_id: string }) => get(avatars, avatar_id),
 *   });
 */

import type { Collection } from './collection.ts';
import type { TableName } from './tables.ts';
import type { Item } from './write.ts';

export type Get = <Kind extends Item, Parents extends readonly string[]>(
  from: Collection<Kind, Parents>,
  id: string,
  ...parents: Parents
) => Promise<Kind | undefined>;

export type Load<Params, Context, Found> = {
  readonly tables: readonly TableName[];
  /** Without this property, a missing item is a `not_found`. */
  readonly isOptional?: boolean;
  /**
   * It runs before the caller is known. Its result is hidden until the request has passed all checks.
   * @param callingKeyId the API key that the request claims to use; undefined for an access token
   * @returns a function that selects the item for this caller and time, or undefined if there is none
   */
  readonly read: (
    get: Get,
    params: Params,
    callingKeyId: string | undefined,
  ) => Promise<(context: Context) => Found | undefined>;
};

type Source<Params, Read> = {
  from: readonly { table: TableName }[];
  /** It reads single items, in parallel if there are several. */
  read: (get: Get, params: Params, callingKeyId: string | undefined) => Promise<Read>;
};

/** Declares a load. `find`, if given, decides what the caller sees of the item. It does no I/O. */
export function load<Params, Read, Context, Found>(
  source: Source<Params, Read> & { find: (read: Read, context: Context) => Found | undefined },
): Load<Params, Context, Found>;
export function load<Params, Read>(source: Source<Params, Read>): Load<Params, unknown, NonNullable<Read>>;
export function load<Params, Read>({
  from,
  read,
  find = (result) => result,
}: Source<Params, Read> & { find?: (read: Read, context: unknown) => unknown }): Load<
  Params,
  unknown,
  unknown
> {
  return {
    tables: from.map(({ table }) => table),
    async read(get, params, callingKeyId) {
      const result = await read(get, params, callingKeyId);
      return (context) => find(result, context);
    },
  };
}

/** @returns the same load for an endpoint whose handler accepts a missing item */
export const optional = <Params, Context, Found>(
  load: Load<Params, Context, Found>,
): Load<Params, Context, Found> & { readonly isOptional: true } => ({ ...load, isOptional: true });

/** The loads of an endpoint, by the handler's name for them. */
export type Loads<Params, Context> = Readonly<Record<string, Load<Params, Context, unknown>>>;

/** The loaded items, as the handler gets them. */
export type Loaded<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends {
    read: (...input: never) => Promise<(context: never) => infer Found>;
  }
    ? Declared[Name] extends { isOptional: true }
      ? Found | undefined
      : NonNullable<Found>
    : never;
};
