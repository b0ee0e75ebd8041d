/** The command `platform`. */

import { type Command, CommanderError } from 'commander';
import { ValidationError } from '../../client/src/index.ts';
import { commonLast } from './arguments.ts';
import { completionText } from './commands/completion.ts';
import { optionFor } from './derived/options.ts';
import { describe, type Failure } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import { paintFor, safeJson, safeText } from './output/text.ts';
import { createProgram } from './program.ts';
import type { Shell } from './shell.ts';

const shell: Shell = {
  env: process.env,
  cwd: process.cwd(),
  platform: process.platform,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  nowMs: Date.now,
};

// The reader has seen enough, such as `head`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.brokenPipe.code);
    // Such as a full disk.
    report({ exit: 'failed', message: `The output cannot be written: ${error.message}` });
    process.exit();
  });

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ValidationError) return { ...describe(error), message: explained(error) };
  if (!(error instanceof CommanderError)) return describe(error);
  // --help and --version have been printed.
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '');
  // A command with commands below it, without one of them: its help has been left out.
  if (error.code === 'commander.help') return { exit: 'usage', message: 'Which command?', next: helpHint() };
  return { exit: 'usage', message: message.replace(/^./, (first) => first.toUpperCase()), next: helpHint() };
}

/** Each invalid field on a line, with its option. */
function explained({ message, details }: ValidationError): string {
  const [first = ''] = message.split('\n');
  const { command } = commandMeant();
  const lines = details.map(({ path, message: problem }) => {
    const option = optionFor(command, path);
    return `\n  ${option ? `${option.long} (${path})` : path}: ${problem}`;
  });
  return first + lines.join('');
}

/** The help of the command that was meant: `platform keys create --help`. */
const helpHint = (): string => [...commandMeant().names, '--help'].join(' ');

function commandMeant(): { command: Command; names: string[] } {
  let command = program;
  const names = ['platform'];
  for (const word of commonLast(program, process.argv.slice(2))) {
    const below = command.commands.find((one) => one.name() === word);
    if (!below) break;
    command = below;
    names.push(word);
  }
  return { command, names };
}

function report({ exit, message, code, status, requestId, next }: Failure): void {
  const { stderr } = shell;
  process.exitCode = exitCodes[exit].code;
  if (process.argv.includes('--json')) {
    const error = { message, code, status, requestId, next, exitCode: exitCodes[exit].code };
    stderr.write(`${safeJson({ error })}\n`);
    return;
  }
  const paint = paintFor(shell, stderr);
  const details = [code, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  // What --exit-code tells is no error.
  const label = exit === 'unchanged' || exit === 'interrupted' ? '' : `${paint('red', 'Error:')} `;
  stderr.write(`${label}${safeText(message)}${details && ` (${safeText(details)})`}\n`);
  if (next) stderr.write(`${paint('dim', 'Next:')}  ${safeText(next)}\n`);
}

const program = createProgram(shell);
try {
  const args = commonLast(program, process.argv.slice(2));
  const [first, ...words] = args;
  if (first === undefined) program.help();
  else if (first === '__complete') {
    const text = await completionText(program, shell, words);
    if (text === undefined) process.exitCode = 1;
    else shell.stdout.write(text);
  } else await program.parseAsync(args, { from: 'user' });
} catch (error) {
  const failure = failureOf(error);
  if (failure) report(failure);
}
