/** The port of the local service. */

import { type AddressInfo, createServer } from 'node:net';
import { UsageError } from '../shared/options.ts';

/** @throws UsageError if PORT is invalid */
export function portFrom(env: NodeJS.ProcessEnv): number {
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new UsageError(`PORT is "${env.PORT}", which is not a port. Use a number from 1 to 65535.`);
  }
  return port;
}

/**
 * @param command the command of the user, such as `npm run dev`
 * @returns the problem with the port in one sentence, or the error itself if it is about something else
 */
export function portError(error: NodeJS.ErrnoException, port: number, command: string): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const problem = error.code === 'EADDRINUSE' ? 'is in use' : 'is not allowed';
  return new UsageError(
    `Port ${port} ${problem}. Choose another one: PORT=${port === 3000 ? 3001 : 3002} ${command}.`,
  );
}

/** @throws UsageError if the port is in use */
export function mustBeFree(port: number, command: string): Promise<void> {
  return new Promise((done, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(portError(error, port, command)));
    server.listen(port, '127.0.0.1', () => server.close(() => done()));
  });
}

/** A port that nothing listens on. Another process may take it before it is used. */
export const freePort = (): Promise<number> =>
  new Promise((done, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
