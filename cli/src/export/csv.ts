/** Comma-separated values (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180) for spreadsheets. */

import { stringify } from 'csv-stringify/sync';

/** The characters that may start a formula: `=`, `+`, `-` and `@`, also in full width, and every control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: spreadsheets skip some of them
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20\u0000-\u001f\u007f-\u009f]/;

/**
 * @param escapesFormulas whether a text that a spreadsheet may calculate gets a `'` in front of it: users type messages, and
 * `=HYPERLINK(…)` can send data elsewhere (https://owasp.org/www-community/attacks/CSV_Injection). Numbers stay numbers.
 * @returns the rows, with line ends
 */
export const csvRows = (rows: readonly (readonly unknown[])[], escapesFormulas: boolean): string =>
  stringify(
    rows.map((row) => [...row]),
    {
      cast: {
        boolean: String,
        string: (text) => (escapesFormulas && formula.test(text) ? `'${text}` : text),
      },
      record_delimiter: 'windows',
      // With a delimiter of our own, the library would not quote cells with only CR or LF.
      quote_record_delimiter: true,
    },
  );
