/** When a recording shows what: commands are typed, and long waits are cut. */

import type { Output } from './terminal.ts';

const prompt = '\u001b[32m$\u001b[39m ';
const keySeconds = 0.045;
/** For reading, after the output of a command and before the first one. */
const pauseSeconds = 1;
/** Outputs that follow each other faster are one picture: no reader sees the first ones. */
const togetherSeconds = 0.04;

/** A command, and what it printed: seconds since its start. */
export type Ran = { command: string; outputs: readonly Output[] };

/** @returns what a terminal shows in which somebody types the commands, one after the other */
export function session(commands: readonly Ran[], longestWaitSeconds = 1): Output[] {
  const shown: Output[] = [{ seconds: 0, text: prompt }];
  let seconds = 0;
  for (const { command, outputs } of commands) {
    seconds += pauseSeconds;
    for (const key of command) {
      shown.push({ seconds, text: key });
      seconds += keySeconds;
    }
    seconds += 5 * keySeconds;
    shown.push({ seconds, text: '\r\n' });
    let before = 0;
    for (const output of outputs) {
      seconds += Math.min(output.seconds - before, longestWaitSeconds);
      before = output.seconds;
      shown.push({ seconds, text: output.text });
    }
    shown.push({ seconds, text: `\r\n${prompt}` });
  }
  return together(shown);
}

/** Each picture is shown from its first output on, with all that follows at once. */
function together(outputs: readonly Output[]): Output[] {
  const joined: Output[] = [];
  for (const { seconds, text } of outputs) {
    const last = joined.at(-1);
    if (last && seconds - last.seconds < togetherSeconds) last.text += text;
    else joined.push({ seconds, text });
  }
  return joined;
}
