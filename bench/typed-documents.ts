/** Rows and fields of public documents, typed by hand. */

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { npmPackage } from '../test/support/npm-package.ts';
import { type PackedFrom, realFiles } from '../test/support/real-texts.ts';

type Typed = { from: PackedFrom; file: string; source: string; licence: string };

/** The cells of a row are separated by `|`. Empty ones are left out. */
export type TypedTable = Typed & { rows: readonly string[] };

export const typedTables: readonly TypedTable[] = [
  {
    from: 'pdf-viewer@0.8.1',
    file: 'compressed.tracemonkey-pldi-09.pdf',
    source:
      'Gal et al., Trace-based Just-in-Time Type Specialization for Dynamic Languages, PLDI 2009, figure 13',
    licence: 'ACM, free copies for personal and classroom use',
    rows: [
      'Loops|Trees|Traces|Aborts|Flushes|Trees/Loop|Traces/Tree|Traces/Loop|Speedup',
      '3d-cube|25|27|29|3|0|1.1|1.1|1.2|2.20x',
      '3d-morph|5|8|8|2|0|1.6|1.0|1.6|2.86x',
      '3d-raytrace|10|25|100|10|1|2.5|4.0|10.0|1.18x',
      'access-binary-trees|0|0|0|5|0|-|-|-|0.93x',
      'access-fannkuch|10|34|57|24|0|3.4|1.7|5.7|2.20x',
      'access-nbody|8|16|18|5|0|2.0|1.1|2.3|4.19x',
      'access-nsieve|3|6|8|3|0|2.0|1.3|2.7|3.05x',
      'bitops-3bit-bits-in-byte|2|2|2|0|0|1.0|1.0|1.0|25.47x',
      'bitops-bits-in-byte|3|3|4|1|0|1.0|1.3|1.3|8.67x',
      'bitops-bitwise-and|1|1|1|0|0|1.0|1.0|1.0|25.20x',
      'bitops-nsieve-bits|3|3|5|0|0|1.0|1.7|1.7|2.75x',
      'controlflow-recursive|0|0|0|1|0|-|-|-|0.98x',
      'crypto-aes|50|72|78|19|0|1.4|1.1|1.6|1.64x',
      'crypto-md5|4|4|5|0|0|1.0|1.3|1.3|2.30x',
      'crypto-sha1|5|5|10|0|0|1.0|2.0|2.0|5.95x',
      'date-format-tofte|3|3|4|7|0|1.0|1.3|1.3|1.07x',
      'date-format-xparb|3|3|11|3|0|1.0|3.7|3.7|0.98x',
      'math-cordic|2|4|5|1|0|2.0|1.3|2.5|4.92x',
      'math-partial-sums|2|4|4|1|0|2.0|1.0|2.0|5.90x',
      'math-spectral-norm|15|20|20|0|0|1.3|1.0|1.3|7.12x',
      'regexp-dna|2|2|2|0|0|1.0|1.0|1.0|4.21x',
      'string-base64|3|5|7|0|0|1.7|1.4|2.3|2.53x',
      'string-fasta|5|11|15|6|0|2.2|1.4|3.0|1.49x',
      'string-tagcloud|3|6|6|5|0|2.0|1.0|2.0|1.09x',
      'string-unpack-code|4|4|37|0|0|1.0|9.3|9.3|1.20x',
      'string-validate-input|6|10|13|1|0|1.7|1.3|2.2|1.86x',
    ],
  },
  {
    from: 'pdf-parse@1.1.1',
    file: '04-valid.pdf',
    source:
      'Saygın, Acute effect of speed exercise on nitric oxide level of footballers, Turk J Med Sci 2009; 39 (3)',
    licence: 'TÜBİTAK, open access',
    rows: [
      'Arithmetic Mean|Standard Deviation|Minimum|Maximum',
      'Age (years)|24.21|3.41|18.00|32.00',
      'Height (cm)|173.2|7.04|162|185',
      'Weight (kg)|67.85|5.17|62.32|77.67',
      'Arithmetic Mean|Standard Deviation|t|p',
      'Before Exercise|25.59|1.59|1.980|.052',
      'Immediately After Exercise|21.45|2.08',
    ],
  },
  {
    from: 'docxtemplater@3.0.0',
    file: 'tag-intelligent-loop-table-expected.docx',
    source: 'tests of docxtemplater',
    licence: 'MIT',
    rows: [
      'John|Doe|+33647874513',
      'Jane|Doe|+33454540124',
      'Phil|Kiel|+44578451245',
      'Dave|Sto|+44548787984',
    ],
  },
  {
    from: 'mammoth@1.4.0',
    file: 'tables.docx',
    source: 'tests of mammoth',
    licence: 'BSD-2-Clause',
    rows: ['Top left|Top right', 'Bottom left|Bottom right'],
  },
];

/** What is written into a field, or a box that is checked, and how both stand in the text. */
type TypedField = { name: string; value: string | true; shown: string };

export type TypedForm = Typed & { fields: readonly TypedField[] };

const page = (number: number) => `topmostSubform[0].Page${number}[0]`;

/** The forms are empty, so what a person would write is written into their fields first. */
export const typedForms: readonly TypedForm[] = [
  {
    from: 'pdf2json@0.7.1',
    file: 'f1040ez.pdf',
    source: 'Internal Revenue Service, form 1040EZ of 2012',
    licence: 'public domain (17 U.S.C. 105)',
    fields: [
      { name: `${page(1)}.Entity[0].p1-t4[0]`, value: 'Robin Q.', shown: 'Robin Q.' },
      { name: `${page(1)}.Entity[0].p1-t5[0]`, value: 'Lakewood', shown: 'Lakewood' },
      { name: `${page(1)}.Entity[0].p1-t8[0]`, value: '12 Quay Road', shown: '12 Quay Road' },
      { name: `${page(1)}.Entity[0].p1-t10[0]`, value: 'Ruritania', shown: 'Ruritania' },
      { name: `${page(1)}.PresidentialElection[0].c1_02_0_[0]`, value: true, shown: '☒ You ☐ Spouse' },
      { name: `${page(1)}.f1_014_0_[0]`, value: '30,210', shown: '1 30,210' },
      { name: `${page(1)}.f1_016_0_[0]`, value: '415', shown: '2 415' },
      { name: `${page(1)}.f1_018_0_[0]`, value: '77', shown: '3 77' },
      { name: `${page(1)}.f1_020_0_[0]`, value: '30,702', shown: '4 30,702' },
    ],
  },
  {
    from: 'fill-pdf@1.1.0',
    file: 'test.pdf',
    source: 'Example of an Interactive PDF Form, tests of fill-pdf',
    licence: 'MIT',
    fields: [
      { name: 'Name_Last', value: 'Lakewood', shown: 'Lakewood' },
      { name: 'Name_First', value: 'Robin', shown: 'Robin' },
      { name: 'City', value: 'Strelsau', shown: 'Strelsau' },
      { name: 'Telephone_Home', value: '555-0100', shown: '555-0100' },
      { name: 'Emergency_Contact', value: 'Kim Shore', shown: 'Kim Shore' },
      { name: 'Birthdate', value: '02/29/1980', shown: '02/29/1980' },
      { name: 'HIGH SCHOOL DIPLOMA', value: true, shown: '☒ HIGH SCHOOL DIPLOMA' },
      { name: 'MASTERS DEGREE', value: true, shown: '☒ MASTER’S DEGREE' },
    ],
  },
];

export async function bytesOf({ from, file }: Typed): Promise<Buffer> {
  const [found] = await realFiles(`/${file}`, [from]);
  if (!found) throw new Error(`${from} has no ${file}`);
  return found.bytes;
}

type Form = {
  getTextField(name: string): { setText(text: string): void };
  getCheckBox(name: string): { check(): void };
};
type Document = { getForm(): Form; save(): Promise<Uint8Array> };
type PdfLib = { PDFDocument: { load(bytes: Uint8Array, options: object): Promise<Document> } };

/** @returns the form with its values, written by another program */
export async function filled(form: TypedForm): Promise<Uint8Array> {
  const require = createRequire(resolve(npmPackage('pdf-lib', '1.17.1'), 'package.json'));
  const { PDFDocument }: PdfLib = require('pdf-lib');
  const document = await PDFDocument.load(await bytesOf(form), { ignoreEncryption: true });
  const fields = document.getForm();
  for (const { name, value } of form.fields) {
    if (value === true) fields.getCheckBox(name).check();
    else fields.getTextField(name).setText(value);
  }
  return document.save();
}

/** @returns those whose words do not stand together in a line. The lines of tables have `|` between cells */
export function missingIn(text: string, shown: readonly string[]): string[] {
  const lines = text.split('\n').map(plain);
  return shown.filter((words) => !lines.some((line) => line.includes(plain(words))));
}

const plain = (line: string): string => ` ${line.replace(/[\s|]+/g, ' ').trim()} `;
