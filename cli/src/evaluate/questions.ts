/** The file of `knowledge test`: questions, and the documents that answer them. */

import type { EvaluationQuestion, ExpectedDocument } from '../../../clients/typescript/src/index.ts';
import { usageError } from '../errors.ts';
import { type Row, rowsFrom } from './csv.ts';

/** `line` is where the question stands in the file. */
export type Asked = EvaluationQuestion & { line: number };

const columns = ['q', 'externalId', 'source', 'documentId', 'grade', 'contains'] as const;
type Column = (typeof columns)[number];

/**
 * @param text CSV, or JSON lines
 * @param source the source of documents that the file names only by their externalId
 * @throws CliError that names the line
 */
export function questionsFrom(text: string, source: string | undefined): Asked[] {
  const questions = text.trimStart().startsWith('{') ? fromJsonLines(text) : fromCsv(text);
  if (questions.length === 0) throw usageError('The file has no question.');
  return questions.map((question) => ({
    ...question,
    expect: question.expect.map((document) => withSource(document, source)),
  }));
}

/** Adds the source, unless the document has one, or is named by its id. */
const withSource = (document: ExpectedDocument, source: string | undefined): ExpectedDocument =>
  source === undefined || document.externalId === undefined || document.source !== undefined
    ? document
    : { ...document, source };

function fromJsonLines(text: string): Asked[] {
  return text.split(/\r?\n/).flatMap((json, at) => {
    if (json.trim() === '') return [];
    const line = at + 1;
    const value = valueIn(json);
    if (!isQuestion(value))
      throw usageError(`line ${line}: must be JSON such as {"q":"…","expect":[{"externalId":"…"}]}.`);
    // The API checks the rest.
    return [{ ...value, line }];
  });
}

function valueIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isQuestion = (value: unknown): value is EvaluationQuestion =>
  isObject(value) &&
  typeof value.q === 'string' &&
  Array.isArray(value.expect) &&
  value.expect.every((one) => isObject(one));

function fromCsv(text: string): Asked[] {
  const [head, ...rows] = rowsFrom(text);
  if (!head) return [];
  const names = head.cells.map((cell) => cell.trim());
  const hint = `The columns are ${columns.join(', ')}.`;
  for (const name of names)
    if (!isColumn(name)) throw usageError(`line 1: ${JSON.stringify(name)} is not a column. ${hint}`);
  if (new Set(names).size < names.length) throw usageError(`line 1: a column is there twice. ${hint}`);
  if (!names.includes('q') || !(names.includes('externalId') || names.includes('documentId')))
    throw usageError(`line 1: must name q, and externalId or documentId. ${hint}`);

  const byQuestion = new Map<string, Asked>();
  let last: Asked | undefined;
  for (const row of rows) {
    if (row.cells.length > names.length)
      throw usageError(`line ${row.line}: has more cells than the first line.`);
    const cell = (name: Column) => (row.cells[names.indexOf(name)] ?? '').trim();
    // A question may span lines in a spreadsheet.
    const q = cell('q').replace(/\s+/g, ' ');
    const question: Asked | undefined =
      q === '' ? last : (byQuestion.get(q) ?? { q, expect: [], line: row.line });
    if (!question) throw usageError(`line ${row.line}: has no question, and neither has a line above it.`);
    question.expect.push(documentFrom(row, cell));
    byQuestion.set(question.q, question);
    last = question;
  }
  return [...byQuestion.values()];
}

const isColumn = (name: string): name is Column => columns.some((one) => one === name);

function documentFrom({ line }: Row, cell: (name: Column) => string): ExpectedDocument {
  const [documentId, externalId, source, grade, contains] = (
    ['documentId', 'externalId', 'source', 'grade', 'contains'] as const
  ).map(cell);
  if (!documentId && !externalId)
    throw usageError(`line ${line}: names no document: externalId or documentId.`);
  if (documentId && externalId)
    throw usageError(`line ${line}: has an externalId and a documentId. Leave one out.`);
  if (grade && !/^[1-3]$/.test(grade)) throw usageError(`line ${line}: grade must be 1, 2 or 3.`);
  return {
    ...(documentId ? { documentId } : { externalId }),
    ...(source && !documentId && { source }),
    ...(grade && { grade: Number(grade) }),
    ...(contains && { contains }),
  };
}
