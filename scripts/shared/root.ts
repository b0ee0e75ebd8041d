import { resolve } from 'node:path';

/** The project's folder. */
export const root: string = resolve(import.meta.dirname, '../..');
