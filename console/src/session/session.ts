/**
 * The signed-in session, and what its credential may do. The credential is in the closure of the client, and in the storage of this
 * tab only if the user asks for it. It is never in the address, the history or a log.
 */

import { computed, signal } from '@preact/signals';
import { ApiError, type Me, Platform } from '../../../clients/typescript/src/index.ts';
import { holds, type RequiredScopes } from '../../../lib/base/scopes.ts';
import { baseUrl } from '../base.ts';
import { forgetRequests, recordingFetch } from '../request/record.ts';
import { forgetAddresses } from '../router.ts';

export type Session = {
  platform: Platform;
  me: Me;
  /** The signal of every request and stream of the session. It aborts them when the session ends. */
  signal: AbortSignal;
};

type OpenSession = Session & { end: () => void };

const current = signal<OpenSession | undefined>(undefined);

/** The session; undefined before the sign-in. */
export const session = computed<Session | undefined>(() => current.value);

/** Why the last session ended, for the page of the sign-in. */
export const endReason = signal<string | undefined>(undefined);

/** The name in the storage of this tab. Other tabs and later sessions of the browser do not have the credential. */
const storageName = 'platform-console-credential';

/**
 * Signs in.
 * @param keep whether a reload of this tab stays signed in
 * @throws ApiError unauthorized, or ConnectionError
 */
export async function signIn(credential: string, keep: boolean): Promise<void> {
  const controller = new AbortController();
  const platform = new Platform({
    apiKey: credential,
    baseUrl,
    fetch: recordingFetch(controller.signal, () => signOut('The service no longer accepts this credential.')),
    onOutdated: () => {},
    maxRetries: 2,
    deadlineMs: 20_000,
  });
  const me = await platform.me.get();
  endReason.value = undefined;
  if (keep) sessionStorage.setItem(storageName, credential);
  current.value = {
    platform,
    me,
    signal: controller.signal,
    end: () => controller.abort(new DOMException('Signed out.', 'AbortError')),
  };
}

/** Signs in again after a reload, if the user has asked for it. */
export async function resume(): Promise<void> {
  const credential = sessionStorage.getItem(storageName);
  if (!credential) return;
  try {
    await signIn(credential, true);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      signOut('The service no longer accepts this credential.');
    else endReason.value = 'The service could not be reached. Sign in again.';
  }
}

/** The functions that remove what a session leaves behind, such as loaded lists. */
const cleanups = new Set<() => void>();

/** @param forget is called at the end of each session */
export const onSignOut = (forget: () => void): void => {
  cleanups.add(forget);
};

/** Forgets the credential and everything that was loaded with it. */
export function signOut(reason?: string): void {
  sessionStorage.removeItem(storageName);
  current.value?.end();
  current.value = undefined;
  endReason.value = reason;
  forgetRequests();
  forgetAddresses();
  for (const forget of cleanups) forget();
}

/** @returns whether the credential has a scope, or one of several sets of scopes */
export const can = (required: RequiredScopes): boolean => holds(current.value?.me.scopes ?? [], required);

/** @throws Error before the sign-in: pages exist only in a session */
export function platform(): Platform {
  const openSession = current.peek();
  if (!openSession) throw new Error('nobody is signed in');
  return openSession.platform;
}

/** The project that was opened last. The menu keeps it on the pages of the organisation. */
export const lastProject = signal<string | undefined>(undefined);
onSignOut(() => {
  lastProject.value = undefined;
});

/** Whether the project is archived; false until the project is loaded, and for a credential that may not read it. */
export const isArchived = signal(false);

/** @returns whether the credential has what is required, and the project of the page is not archived */
export const mayChange = (required: RequiredScopes): boolean => can(required) && !isArchived.value;
