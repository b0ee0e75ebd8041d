/** The page of the sign-in, with a key or with the issuer that the stage names. */

import { useState } from 'preact/hooks';
import { signInSettings } from '../base.ts';
import { Field } from '../shared/dialog.tsx';
import { Problem } from '../shared/problem.tsx';
import { endReason, signIn } from './session.ts';

export function SignIn() {
  const [key, setKey] = useState('');
  const [isKept, setIsKept] = useState(false);
  const [state, setState] = useState<{ isPending: boolean; error?: unknown }>({ isPending: false });
  const attempt = async (work: () => Promise<void>) => {
    setState({ isPending: true });
    try {
      await work();
    } catch (error) {
      setState({ isPending: false, error });
    }
  };
  const settings = signInSettings();
  return (
    <main class="sign-in">
      <h1>Platform console</h1>
      {endReason.value && (
        <p class="notice" role="status">
          {endReason.value}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(() => signIn(key.trim(), isKept));
        }}
      >
        <Field
          label="API key"
          hint="The key stays in the memory of this page. The console shows what the key may do."
        >
          {(id) => (
            <input
              id={id}
              type="password"
              name="api-key"
              autocomplete="off"
              spellcheck={false}
              required
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
        <label class="check">
          <input
            type="checkbox"
            checked={isKept}
            onInput={(event) => setIsKept(event.currentTarget.checked)}
          />
          Keep the key for this tab, until it is closed
        </label>
        <Problem error={state.error} />
        <button type="submit" class="primary" disabled={state.isPending || key.trim() === ''}>
          {state.isPending ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
      {settings && (
        <button
          type="button"
          onClick={() => attempt(async () => (await import('./oidc.ts')).startSignIn(settings, isKept))}
        >
          Sign in with {new URL(settings.issuer).host}
        </button>
      )}
    </main>
  );
}
