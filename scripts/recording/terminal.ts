/** A terminal: what a command prints, and when; what the terminal then shows. */

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import headless from '@xterm/headless';

export type Size = { columns: number; rows: number };

/** What the terminal gets, in seconds since the start. */
export type Output = { seconds: number; text: string };

/** A character with its looks: an index of the 16 colours of terminals, undefined for that of text. */
export type Cell = { text: string; colour: number | undefined; isBold: boolean; isDim: boolean };

export type Screen = {
  /** In seconds since the start. */
  seconds: number;
  rows: Cell[][];
  /** Undefined while it is hidden. */
  cursor: { row: number; column: number } | undefined;
};

/**
 * Runs a command in a pseudo-terminal. Needs Python, whose library has one.
 * @throws Error with what the command printed, if it fails
 */
export function runInTerminal(
  command: readonly string[],
  { columns, rows }: Size,
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Output[] {
  const args = [resolve(import.meta.dirname, 'terminal.py'), `${columns}`, `${rows}`, ...command];
  const { status, stdout, stderr, error } = spawnSync('python3', args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as [number, string, string])
    .map(([seconds, , text]) => ({ seconds, text }));
}

/** @returns what the terminal shows after each output */
export async function screens(outputs: readonly Output[], { columns, rows }: Size): Promise<Screen[]> {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const shown: Screen[] = [];
  let isCursorShown = true;
  // DECTCEM, the private mode 25, shows and hides the cursor.
  for (const final of ['h', 'l'])
    terminal.parser.registerCsiHandler({ prefix: '?', final }, (params) => {
      if (params.includes(25)) isCursorShown = final === 'h';
      return false;
    });
  for (const { seconds, text } of outputs) {
    await new Promise<void>((done) => terminal.write(text, done));
    shown.push({ seconds, rows: cellsOf(terminal), cursor: isCursorShown ? cursorOf(terminal) : undefined });
  }
  terminal.dispose();
  return shown;
}

const cursorOf = ({ buffer: { active } }: headless.Terminal) => ({
  row: active.cursorY,
  column: active.cursorX,
});

function cellsOf({ rows, cols, buffer: { active } }: headless.Terminal): Cell[][] {
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    return Array.from({ length: cols }, (_, column) => {
      const cell = line?.getCell(column);
      return {
        text: cell?.getChars() || ' ',
        colour: cell?.isFgPalette() ? cell.getFgColor() : undefined,
        isBold: Boolean(cell?.isBold()),
        isDim: Boolean(cell?.isDim()),
      };
    });
  });
}
