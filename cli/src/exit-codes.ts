/** The exit codes. Scripts branch on them, so a number never changes its meaning. README.md has this table. */

export const exitCodes = {
  ok: { code: 0, meaning: 'It is done.' },
  failed: { code: 1, meaning: 'It failed for another reason, such as a file that cannot be written.' },
  usage: { code: 2, meaning: 'The command, an option or a value is wrong. Nothing was changed.' },
  refused: { code: 3, meaning: 'There is no key, it is not valid, or it lacks a scope.' },
  notFound: { code: 4, meaning: 'Something with this id does not exist, or the key cannot see it.' },
  conflict: { code: 5, meaning: 'The state does not allow it, such as an archived project.' },
  temporary: {
    code: 6,
    meaning: 'The API cannot be reached or is overloaded. Run the same command again later.',
  },
  jobFailed: {
    code: 7,
    meaning:
      'The job has failed or was cancelled. A rollout that was waited for was aborted or paused. A reply of `chat` has no answer.',
  },
  incomplete: {
    code: 8,
    meaning:
      'A part is not done: some files, documents or lines were refused or could not be read, parts of an export are gone, or scores are missing. The rest is done.',
  },
  heldBack: {
    code: 9,
    meaning:
      'The deployment stays staged, because a rollback has pinned its environment, or because a rollout runs in it.',
  },
  unchanged: { code: 10, meaning: 'With `--exit-code`: there was nothing to change.' },
  belowMinimum: { code: 11, meaning: 'With `knowledge test`: a measure is below its minimum.' },
  rolledBack: { code: 12, meaning: 'With a wait for a rollout: a guard has rolled it back.' },
  undecided: {
    code: 13,
    meaning: 'With a wait for a rollout: it was undecided when `--timeout` had passed. It goes on.',
  },
  interrupted: {
    code: 130,
    meaning:
      'Ctrl+C. `conversations export` and `knowledge sync` continue when you run them again. A job that has started continues.',
  },
  brokenPipe: { code: 141, meaning: 'The reader of the output has ended, such as `head`.' },
  terminated: { code: 143, meaning: 'SIGTERM. As with Ctrl+C.' },
} as const;

export type ExitName = keyof typeof exitCodes;
