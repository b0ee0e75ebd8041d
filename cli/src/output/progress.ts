/** Progress bars, on stderr and only in a terminal: scripts and logs get none. */

import cliProgress from 'cli-progress';
import type { Shell } from '../shell.ts';
import { safeLine } from './text.ts';

export type ProgressBar = {
  /** @param total undefined while it is not known */
  update: (done: number, total: number | undefined, detail?: string) => void;
  stop: () => void;
};

const none: ProgressBar = { update() {}, stop() {} };

/**
 * @param isQuiet whether no bar is shown
 * @param format turns a number into a text
 */
export function progressBar(
  { env, stderr }: Pick<Shell, 'env' | 'stderr'>,
  title: string,
  isQuiet: boolean,
  format: (count: number) => string = String,
): ProgressBar {
  const canShow = stderr.isTTY || (env.FORCE_COLOR && env.FORCE_COLOR !== '0');
  if (isQuiet || !canShow || env.TERM === 'dumb') return none;
  const bar = new cliProgress.SingleBar({
    stream: stderr,
    format: `${title} {bar} {count} {detail}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    linewrap: true,
    noTTYOutput: !stderr.isTTY,
    gracefulExit: false,
  });
  const payload = (done: number, total: number | undefined, detail: string) => ({
    count: total === undefined ? format(done) : `${format(done)}/${format(total)}`,
    detail: safeLine(detail).slice(0, 40),
  });
  bar.start(1, 0, payload(0, undefined, ''));
  let isStopped = false;
  return {
    update(done, total, detail = '') {
      if (isStopped) return;
      bar.setTotal(Math.max(total ?? done + 1, 1));
      bar.update(done, payload(done, total, detail));
    },
    stop() {
      if (!isStopped) bar.stop();
      isStopped = true;
    },
  };
}

/** Turns bytes into the text of a bar. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
