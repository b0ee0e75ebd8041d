/** The texts of commands that name a resource by the id of the caller. */

export const externalIdFilter = ['--external-id <id>', 'only the resource with this id of your own'] as const;

export const putHelp =
  'You can run the command again: it creates the resource once, and writes nothing if nothing has changed. Fields ' +
  'that you leave out get their defaults.';
