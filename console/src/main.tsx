/** Starts the console. */

import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { signInSettings } from './base.ts';
import { endReason, resume } from './session/session.ts';

async function start(): Promise<void> {
  const answered = new URL(location.href);
  const settings = signInSettings();
  if (answered.search !== '') {
    // The code of a sign-in must not stay in the address or in the history.
    history.replaceState(null, '', location.pathname + location.hash);
    if (settings && (answered.searchParams.has('code') || answered.searchParams.has('error'))) {
      const { finishSignIn } = await import('./session/oidc.ts');
      await finishSignIn(settings, answered).catch((error: unknown) => {
        endReason.value = `The sign-in failed: ${error instanceof Error ? error.message : 'unknown error'}`;
      });
    }
  }
  await resume();
  const place = document.getElementById('console');
  if (place) render(<App />, place);
}

void start();
