/** The pages of a text. */

/** A form feed ends a page, as in the output of pdftotext. */
export const pageEnd = '\f';

/** @returns the number of pages that end in the text */
export const pageEndsIn = (text: string): number => text.split(pageEnd).length - 1;
