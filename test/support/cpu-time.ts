/** @returns the milliseconds of CPU time that the thread takes for the work. A busy machine makes it wait, which does not count */
export function cpuMsOf(work: () => void): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}
