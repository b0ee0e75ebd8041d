/** The title of a file in its properties. */

import { cutTo } from './sections.ts';

const maxLength = 200;

/** Programs write a title of their own, or the name of the file, if the author has written no title. */
const isOfProgram =
  /^(?:microsoft \w+ - |(?:untitled|unbenannt|sans titre|(?:untitled |word )?do[ck]ument)[\s\d-]*$)|\.(?:docx?|dotx?|html?|indd|odt|pdf|pptx?|qxp|rtf|tex|txt|xlsx?)$/i;

/** @returns undefined if no author has written the title */
export function writtenTitle(title: unknown): string | undefined {
  if (typeof title !== 'string') return undefined;
  const text = cutTo(
    title
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    maxLength,
  );
  return /[\p{L}\p{N}]/u.test(text) && !isOfProgram.test(text) ? text : undefined;
}
