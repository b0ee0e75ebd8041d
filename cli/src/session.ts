/** The session of a command: its credentials, its client and its output. */

import { Platform, type ProjectResources, version } from '../../clients/typescript/src/index.ts';
import { type Credentials, findCredentials } from './config/credentials.ts';
import { usageError } from './errors.ts';
import { tokenFrom } from './oidc/token.ts';
import { Output } from './output/output.ts';
import { idOf } from './resources.ts';
import type { Shell } from './shell.ts';

/** The options that every command has. */
export type CommonOptions = {
  profile?: string;
  project?: string;
  json?: boolean;
  utc?: boolean;
  jq?: string;
  verbose?: boolean;
};

export class Session {
  readonly shell: Shell;
  readonly out: Output;
  readonly options: CommonOptions;
  #credentials: Credentials | undefined;
  #platform: Platform | undefined;
  #signal: AbortSignal | undefined;

  constructor(shell: Shell, options: CommonOptions) {
    this.shell = shell;
    this.options = options;
    const { json, jq, utc } = options;
    this.out = new Output(shell, { json: json === true || jq !== undefined, utc: utc === true });
  }

  /** Finds the key. A note names the dev server if the key is that of a dev server, because nobody has chosen it. */
  async open(): Promise<void> {
    const credentials = await findCredentials(this.shell, this.options);
    this.#credentials = credentials;
    if (credentials.from.kind === 'dev-server')
      this.out.note(`Using the dev server at ${credentials.baseUrl} (${credentials.from.file}).`);
    this.#platform = this.connect(credentials);
  }

  /** Replaces the name of the project by its id. */
  async findProject(): Promise<void> {
    const { credentials } = this;
    if (credentials.projectId) credentials.projectId = await idOf(this, 'project', credentials.projectId);
  }

  /** @returns a client for a key, or for a source of tokens, and for an address */
  connect({ secret, baseUrl }: Pick<Credentials, 'secret' | 'baseUrl'>): Platform {
    if ('apiKey' in secret && !/^[!-~]+$/.test(secret.apiKey))
      throw usageError('The key has a space, a line end or another invalid character.');
    const apiKey = 'apiKey' in secret ? secret.apiKey : () => tokenFrom(this.shell, secret.oidc);
    const log = (text: string) => this.options.verbose && this.out.note(text);
    return new Platform({
      apiKey,
      baseUrl,
      headers: { 'User-Agent': `platform-api-cli/${version}` },
      onResponse: ({ method, url, status, durationMs, requestId, deprecation }) => {
        log(`${method} ${url} ${status} ${Math.round(durationMs)} ms ${requestId ?? ''}`);
        if (deprecation !== undefined)
          log(`This operation is deprecated: update the command line (${installCommand(baseUrl)}).`);
      },
      onOutdated: (sentence) => this.out.note(`${sentence} Update: ${installCommand(baseUrl)}`),
      onRetry: ({ error, delayMs }) =>
        log(`${error.message} Trying again in ${Math.ceil(delayMs / 1000)} s.`),
    });
  }

  get credentials(): Credentials {
    if (!this.#credentials) throw new Error('the session is not open');
    return this.#credentials;
  }

  get platform(): Platform {
    if (!this.#platform) throw new Error('the session is not open');
    return this.#platform;
  }

  /** @returns the key, or a token for one request */
  bearer = async (): Promise<string> => {
    const { secret } = this.credentials;
    return 'apiKey' in secret ? secret.apiKey : tokenFrom(this.shell, secret.oidc);
  };

  get projectId(): string {
    const { projectId } = this.credentials;
    if (projectId !== undefined) return projectId;
    throw usageError(
      'Which project?',
      'Add --project ID, set PLATFORM_PROJECT, or run `platform projects use ID`. `platform projects list` shows them.',
    );
  }

  get project(): ProjectResources {
    return this.platform.projects(this.projectId);
  }

  /** @returns the signal of work that must be completed or undone after Ctrl+C */
  get signal(): AbortSignal {
    this.#signal ??= this.shell.interrupted();
    return this.#signal;
  }
}

/** The command installs the command line from the service, which has that of its own version. */
const installCommand = (baseUrl: string): string =>
  `npm install --global ${baseUrl}/downloads/platform-api-cli.tgz`;
