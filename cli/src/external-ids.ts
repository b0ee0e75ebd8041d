/** Commands that name a resource by the caller's own id. */

export const externalIdFilter = ['--external-id <id>', 'only the one with this id of your own'] as const;

export const putHelp =
  'You can run it again: it creates one, and writes nothing if nothing has changed. What you leave out gets its default.';
