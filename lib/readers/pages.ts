/** The pages of a text. */

/** A form feed ends a page, as in the output of pdftotext. */
export const pageEnd = '\f';

export const pageEndsIn = (text: string): number => text.split(pageEnd).length - 1;
