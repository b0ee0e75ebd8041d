/**
 * Texts of others in a request to a model. A text is a field of JSON on one line, in which `<`, `>`, `[` and `]` are escaped. So no
 * text can end its block, start another one, or contain a token that has a meaning for a model. A text can still try to persuade
 * the model: no form prevents that.
 */

/** The values are no lists: in the JSON of such an object, the escaped characters are only inside of texts. */
type Fields = Readonly<Record<string, string | number | null>>;

/** @returns the JSON of the object, on one line */
export const materialOf = (fields: Fields): string =>
  JSON.stringify(fields).replace(
    /[<>[\]\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** @returns a JSON array of the objects, on one line */
export const materialList = (objects: readonly Fields[]): string => `[${objects.map(materialOf).join(',')}]`;
