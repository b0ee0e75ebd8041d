/** Starts the console. */

import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { signInSettings } from './base.ts';
import { endReason, resume } from './session/session.ts';

async function start(): Promise<void> {
  const returnUrl = new URL(location.href);
  const settings = signInSettings();
  if (returnUrl.search !== '') {
    // The code of a sign-in must not stay in the address or in the history.
    history.replaceState(null, '', location.pathname + location.hash);
    if (settings && (returnUrl.searchParams.has('code') || returnUrl.searchParams.has('error'))) {
      const { finishSignIn } = await import('./session/oidc.ts');
      await finishSignIn(settings, returnUrl).catch((error: unknown) => {
        endReason.value = `The sign-in failed: ${error instanceof Error ? error.message : 'unknown error'}`;
      });
    }
  }
  await resume();
  const host = document.getElementById('console');
  if (host) render(<App />, host);
}

void start();
