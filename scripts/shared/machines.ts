/** The machines that the libraries of native packages are for. */

/** A system and a processor, as Node names them. */
export type Machine = `${string}/${string}`;

/** The machine of Lambda, as infra/service-function.ts declares it. */
export const deployedMachine: Machine = 'linux/arm64';
export const localMachine: Machine = `${process.platform}/${process.arch}`;
