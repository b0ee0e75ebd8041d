/** The formats in which Word numbers lists and notes (ECMA-376 part 1, 17.18.59). */

import { maxRoman, roman } from './roman.ts';

type Format = (number: number) => string;

/** After the last letter, each letter is written twice: y, z, aa, bb. */
const letters =
  (alphabet: string): Format =>
  (number) => {
    const each = [...alphabet];
    const letter = each[(number - 1) % each.length] ?? '';
    return letter.repeat(Math.ceil(number / each.length));
  };

const latin = letters('abcdefghijklmnopqrstuvwxyz');
const russian = letters('абвгдежзиклмнопрстуфхцчшщыэюя');
const chicago = letters('*†‡§');

const upper =
  (format: Format): Format =>
  (number) =>
    format(number).toUpperCase();

const ordinal: Format = (number) => {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${(!isTeen && ['th', 'st', 'nd', 'rd'][number % 10]) || 'th'}`;
};

const chineseDigits = [...'〇一二三四五六七八九'];
/** To 99, which lists rarely exceed. */
const chinese: Format = (number) => {
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  if (tens > 9) return [...String(number)].map((digit) => chineseDigits[Number(digit)]).join('');
  const ten = tens === 0 ? '' : `${tens === 1 ? '' : chineseDigits[tens]}十`;
  return `${ten}${ones === 0 && tens > 0 ? '' : chineseDigits[ones]}`;
};

/** ① to ⑳, which follow each other in Unicode. */
const circled: Format = (number) =>
  number <= 20 ? String.fromCodePoint(0x2460 + number - 1) : String(number);

const formats: Readonly<Record<string, Format>> = {
  aiueoFullWidth: letters(
    'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  ),
  arabicAlpha: letters('أبتثجحخدذرزسشصضطظعغفقكلمنهوي'),
  chicago,
  chineseCounting: chinese,
  chineseCountingThousand: chinese,
  decimalEnclosedCircle: circled,
  decimalEnclosedCircleChinese: circled,
  decimalZero: (number) => String(number).padStart(2, '0'),
  ganada: letters('가나다라마바사아자차카타파하'),
  hebrew2: letters('אבגדהוזחטיכלמנסעפצקרשת'),
  ideographDigital: chinese,
  japaneseCounting: chinese,
  lowerLetter: latin,
  lowerRoman: roman,
  none: () => '',
  numberInDash: (number) => `- ${number} -`,
  ordinal,
  russianLower: russian,
  russianUpper: upper(russian),
  taiwaneseCountingThousand: chinese,
  upperLetter: upper(latin),
  upperRoman: upper(roman),
};

/** @returns the number in this format; as digits if the format is not known, has no such number, or would write it in many letters */
export function formatNumber(number: number, format: string): string {
  const write = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return write && (format === 'none' || (number > 0 && number <= maxRoman)) ? write(number) : String(number);
}
