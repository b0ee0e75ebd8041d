/** The parts of `npm run generate`, in their order: a part may read files that earlier parts have written. */

/** The text of each file by its path, relative to the root. */
export type Files = Readonly<Record<string, string>>;

type Part = () => Promise<{ generate(): Files | Promise<Files> }>;

export const parts: Readonly<Record<string, Part>> = {
  index: () => import('./index-files.ts'),
  examples: () => import('./examples.ts'),
  openapi: () => import('./openapi.ts'),
  items: () => import('./items.ts'),
  documents: () => import('./documents.ts'),
  costs: () => import('./costs.ts'),
  stacks: () => import('./stacks.ts'),
};

export const partNames: readonly string[] = Object.keys(parts);
