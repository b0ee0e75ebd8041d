/** How people sign in to the console without a key: the OIDC client of the stage, and the variable that contains it. */

export type SignIn = {
  issuer: string;
  clientId: string;
  /** The audience of the tokens: the resource that the console requests (RFC 8707). */
  resource: string;
};

/** A type, so that functions without a console have no code for it: lib/http/runtime.ts reads the variable. */
export type SignInVariables = { CONSOLE_SIGN_IN: string };

/** @returns the variable from which the page of the console reads its OIDC client */
export const signInVariables = (signIn: SignIn): SignInVariables => ({
  CONSOLE_SIGN_IN: JSON.stringify(signIn),
});
