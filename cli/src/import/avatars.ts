/** The avatars that a map names. */

import { CliError } from '../errors.ts';
import { idOf } from '../resources.ts';
import type { Session } from '../session.ts';

/** The ids of avatars, each looked up once. */
export class Avatars {
  readonly #session: Session;
  readonly #ids = new Map<string, string | undefined>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** @returns undefined if there is no such avatar */
  async idOf(name: string): Promise<string | undefined> {
    if (!this.#ids.has(name)) this.#ids.set(name, await this.#find(name));
    return this.#ids.get(name);
  }

  async #find(name: string): Promise<string | undefined> {
    try {
      return await idOf(this.#session, 'avatar', name);
    } catch (error) {
      // It does not exist, or several have the name. An error of the API is no answer.
      if (error instanceof CliError) return undefined;
      throw error;
    }
  }
}
