/** The text of a piece that the encoder gets. */

import { cutTo } from '../../readers/sections.ts';

/** A long title or path of headings would leave no room for the text, because the encoder reads about 1 200 characters. */
const maxTitleLength = 200;

/** @returns title, headings and text, each on a line of its own. The headings leave out the title, which they often repeat */
export function pieceText({
  title,
  heading,
  text,
}: {
  title: string;
  heading: string;
  text: string;
}): string {
  const headings = heading.split(' › ').filter((part) => part !== title);
  return [title, headings.join(' › '), text]
    .map((part, at) => (at < 2 ? cutTo(part, maxTitleLength) : part).trim())
    .filter(Boolean)
    .join('\n');
}
