/** The commands that the open page adds to the palette. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export type Command = {
  label: string;
  run: () => void;
  /** The id of a resource. A user may type it, and it tells resources of the same name apart. */
  id?: string;
};

/** The commands of the open page. */
export const pageCommands = signal<readonly Command[]>([]);

/** Adds commands to the palette as long as the page is open. */
export function useCommands(commands: readonly Command[]): void {
  // The commands are new objects in each rendering. Only another label makes other commands
  useEffect(() => {
    pageCommands.value = commands;
    return () => {
      pageCommands.value = [];
    };
  }, [commands.map(({ label }) => label).join('\n')]);
}
