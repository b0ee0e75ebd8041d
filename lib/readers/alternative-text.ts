/** The alternative text of a picture: its author's words for what it shows. */

/** Programs describe pictures by themselves, also by their addresses and the names of their files. */
const generated =
  /^https?:|description automatically generated|ai-generated content may be incorrect|\.(?:avif|bmp|emf|gif|jpe?g|png|svg|tiff?|webp|wmf)$/i;

/** @returns the text in one line; empty if no author has written it */
export function alternativeText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return generated.test(line) ? '' : line;
}
