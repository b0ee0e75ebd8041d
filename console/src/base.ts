/** The address of the console is `<base URL>/console`, below any base path. */

import type { SignIn } from '../../lib/http/sign-in.ts';

/** The base URL of the API, without a slash at the end. */
export const baseUrl: string = location.origin + location.pathname.replace(/\/console\/?$/, '');

/** The OIDC client that the stage names for the console; null without such a client. */
export const signInSettings = (): SignIn | null =>
  JSON.parse(document.body.dataset.signIn || 'null') as SignIn | null;
