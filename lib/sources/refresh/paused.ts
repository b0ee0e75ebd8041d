/** The refresh has to wait. The next step begins at `untilMs`. */
export class Paused extends Error {
  readonly untilMs: number;

  constructor(untilMs: number) {
    super('the refresh waits for a host');
    this.untilMs = untilMs;
  }
}
