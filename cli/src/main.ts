/** The command `platform`. */

import { CommanderError } from 'commander';
import { completionText } from './commands/completion.ts';
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
  if (!(error instanceof CommanderError)) return describe(error);
  // --help and --version have been printed.
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '');
  // A command with commands below it, without one of them: its help has been left out.
  if (error.code === 'commander.help') return { exit: 'usage', message: 'Which command?', next: helpHint() };
  return { exit: 'usage', message: message.replace(/^./, (first) => first.toUpperCase()), next: helpHint() };
}

/** The help of the command that was meant: `platform keys create --help`. */
function helpHint(): string {
  let command = program;
  const names = ['platform'];
  for (const word of process.argv.slice(2)) {
    const below = command.commands.find((one) => one.name() === word);
    if (!below) break;
    command = below;
    names.push(word);
  }
  return [...names, '--help'].join(' ');
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
  const [first, ...words] = process.argv.slice(2);
  if (first === undefined) program.help();
  else if (first === '__complete') shell.stdout.write(completionText(program, words));
  else await program.parseAsync(process.argv);
} catch (error) {
  const failure = failureOf(error);
  if (failure) report(failure);
}
