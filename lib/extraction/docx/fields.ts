/** Fields of Word (ECMA-376 part 1, 17.16): their results are shown, their codes are not. */

import { type AttributeReader, isOn, wholeNumber } from './xml.ts';

type Field = {
  isCode: boolean;
  /** A check box of a form has no result. */
  isChecked?: boolean;
  /** A list of a form has no result, either. It has the number of the chosen entry. */
  entries: string[];
  chosen: number;
};

/** @param ignoresCodes for a part in which a field does not end: its code would hide the rest */
export function openFields(ignoresCodes: boolean) {
  const fields: Field[] = [];
  let codes = 0;
  const endCode = (field: Field | undefined): void => {
    if (field?.isCode) codes -= 1;
    if (field) field.isCode = false;
  };
  return {
    /** Whether the code of a field is being read, which may contain fields. */
    inCode: (): boolean => codes > 0 && !ignoresCodes,
    /** @param type of `w:fldChar`. @returns what a field of a form shows */
    take(type: string | undefined): string {
      if (type === 'begin') {
        fields.push({ isCode: true, entries: [], chosen: 0 });
        codes += 1;
      }
      if (type === 'separate') endCode(fields.at(-1));
      if (type !== 'end') return '';
      const field = fields.pop();
      endCode(field);
      if (field?.isChecked !== undefined) return field.isChecked ? '☒' : '☐';
      return field?.entries[field.chosen] ?? '';
    },
    /** Takes a property of the field of a form that has begun. */
    takeProperty(name: string, parent: string, attribute: AttributeReader): void {
      const field = fields.at(-1);
      if (!field) return;
      const value = attribute('w:val');
      if (parent === 'w:checkBox') {
        if (name === 'w:checked' || field.isChecked === undefined) field.isChecked = false;
        if (name === 'w:checked' || name === 'w:default') field.isChecked = isOn(value);
      }
      if (parent === 'w:ddList' && name === 'w:listEntry') field.entries.push(value ?? '');
      if (parent === 'w:ddList' && name === 'w:result') field.chosen = wholeNumber(value) ?? 0;
    },
  };
}
