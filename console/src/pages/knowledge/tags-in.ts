/** The tags of a document, as people type them. */

/** @returns the tags between the commas, each of them once */
export const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];
