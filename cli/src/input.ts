/** Reads the input of users: from the terminal, from a pipe, or from a file. */

import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { PreviousSecretValidError } from '../../clients/typescript/src/index.ts';
import { utf8Text } from '../../clients/typescript/src/node.ts';
import { readJson } from '../../lib/base/json-syntax.ts';
import { CliError, Interrupted, usageError } from './errors.ts';
import type { Shell } from './shell.ts';

/** @throws CliError if standard input is not UTF-8 */
export const readStdin = async ({ stdin }: Pick<Shell, 'stdin'>): Promise<string> =>
  utf8From(await buffer(stdin), 'Standard input');

/** Asks on stderr, because stdout is for results. */
async function ask(shell: Shell, question: string, isSecret: boolean): Promise<string> {
  const { stdin, stderr } = shell;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: isSecret ? silent : stderr, terminal: true });
  stderr.write(question);
  try {
    return await new Promise((answer, reject) => {
      lines.once('line', answer);
      lines.once('SIGINT', () => reject(new Interrupted('SIGINT')));
      lines.once('close', () => reject(new CliError('usage', 'Nothing was entered.')));
    });
  } finally {
    lines.close();
    if (isSecret) stderr.write('\n');
  }
}

/** Reads a secret from a terminal without showing it, or from a pipe. No argument is a secret, because `ps` shows arguments. */
export async function readSecret(shell: Shell, question: string): Promise<string> {
  const secret = shell.stdin.isTTY ? await ask(shell, question, true) : await readStdin(shell);
  return secret.trim();
}

/**
 * @param option the option with which scripts agree
 * @throws CliError unless the user agrees
 */
export async function confirm(
  shell: Shell,
  question: string,
  yes: boolean | undefined,
  option = '--yes',
): Promise<void> {
  if (yes) return;
  if (!shell.stdin.isTTY) throw usageError(question, `Add ${option} to do it without a question.`);
  const answer = await ask(shell, `${question} [y/N] `, false);
  if (!/^y(es)?$/i.test(answer.trim())) throw usageError('Nothing was changed.');
}

/**
 * Rotates a secret. If the rotation would end the previous secret before its announced end, the user is asked.
 * @throws CliError unless the user agrees
 */
export async function endingPrevious<Rotated>(
  shell: Shell,
  rotate: (end?: { endPrevious: true }) => Promise<Rotated>,
): Promise<Rotated> {
  try {
    return await rotate();
  } catch (error) {
    if (!(error instanceof PreviousSecretValidError)) throw error;
    const end = error.details?.[0]?.message;
    const question = `The secret from before the last rotation is valid until ${end}. End it now?`;
    await confirm(shell, question, false, '--end-previous');
    return rotate({ endPrevious: true });
  }
}

/** @param source `-` for standard input, `@file`, or the text itself */
export async function readData(shell: Shell, source: string): Promise<string> {
  if (source === '-') return readStdin(shell);
  return source.startsWith('@') ? readTextFile(source.slice(1)) : source;
}

/** @throws CliError if the file cannot be read */
export const readBytes = (file: string): Promise<Uint8Array> =>
  readFile(file).catch((error: Error) => {
    throw usageError(`The file cannot be read: ${error.message}`);
  });

/** @throws CliError if the file cannot be read, or is not UTF-8 */
export const readTextFile = async (file: string, hint?: string): Promise<string> =>
  utf8From(await readBytes(file), file, hint);

/** Bytes that are not UTF-8 are refused: other characters would be stored in their place. */
function utf8From(bytes: Uint8Array, name: string, hint = 'Convert it to UTF-8.'): string {
  const text = utf8Text(bytes);
  if (text === undefined) throw usageError(`${name} is not UTF-8 text.`, hint);
  return text;
}

/**
 * @param fields the fields of the other options; undefined fields are left out
 * @returns the body of a request: --data, in which the fields of the other options replace those of --data. The API checks it
 */
export async function bodyFrom<Body extends object>(
  shell: Shell,
  data: string | undefined,
  fields: { [Name in keyof Body]?: unknown },
): Promise<Body> {
  const values = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (data === undefined) return values as Body;
  return { ...objectFrom(await readData(shell, data)), ...values } as Body;
}

function objectFrom(text: string): object {
  const value = jsonIn('--data', text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw usageError('--data must be a JSON object, @file, or - for standard input.');
}

/**
 * @param source `-` for standard input, `@file`, or the JSON itself
 * @returns the value; undefined without a source
 */
export const jsonFrom = async (shell: Shell, option: string, source: string | undefined): Promise<unknown> =>
  source === undefined ? undefined : jsonIn(option, await readData(shell, source));

/** @throws CliError that names the line, also for a number that would change on its way to the API */
function jsonIn(option: string, text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    const { message } = error as Error;
    throw usageError(`${option} must be JSON, @file, or - for standard input. ${message}.`);
  }
}

/** @param pairs texts such as `key=value` */
export function metadataFrom(pairs: readonly string[] | undefined): Record<string, string> | undefined {
  return (
    pairs &&
    Object.fromEntries(
      pairs.map((pair) => {
        const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
        if (key === undefined || value === undefined)
          throw usageError(`--metadata must be key=value: ${pair}`);
        return [key, value];
      }),
    )
  );
}
