// Written by `npm run openapi`.

export const version = '0.1.0';
