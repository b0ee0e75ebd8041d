/** A port that nothing listens on. Another process may take it before it is used. */

import { type AddressInfo, createServer } from 'node:net';

export const freePort = (): Promise<number> =>
  new Promise((done, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
