/** A stage tells the console its OIDC client, for people without a key, and the origin that gets files. */

export type SignIn = {
  issuer: string;
  clientId: string;
  /** The audience of the tokens: the resource that the console requests (RFC 8707). */
  resource: string;
};

/** This is a type, so that functions without a console have no code for it. lib/http/runtime.ts reads the variable. */
export type SignInVariables = { CONSOLE_SIGN_IN: string };

/** @returns the variable from which the page of the console reads its OIDC client */
export const signInVariables = (signIn: SignIn): SignInVariables => ({
  CONSOLE_SIGN_IN: JSON.stringify(signIn),
});

/** The origin of the bucket to which the console sends files. Its Content-Security-Policy allows it. */
export type UploadVariables = { CONSOLE_UPLOAD_ORIGIN: string };

export const uploadVariables = (origin: string): UploadVariables => ({ CONSOLE_UPLOAD_ORIGIN: origin });
