/** Roman numerals. */

const letters = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const;

/** The numbers from 1 to this one have a Roman numeral. */
export const maxRoman = 3999;

/** @returns the Roman numeral in lower case */
export function roman(number: number): string {
  let [text, rest] = ['', number];
  for (const [sign, value] of letters) {
    for (; rest >= value; rest -= value) text += sign;
  }
  return text;
}
