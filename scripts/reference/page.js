/**
 * The script of the API reference, which runs in a browser: Scalar, with the document beside the page. Addresses are relative to
 * the page, so that it works at any base path. A key that is entered stays in memory.
 */

import { createApiReference } from '../../node_modules/@scalar/api-reference/dist/browser/standalone.esm.js';
import './page.css';
import { repairAccessibility } from './accessibility.js';

const beside = (path) => new URL(path, document.baseURI).href;

async function openApiDocument() {
  const [response, install] = await Promise.all([fetch(beside('openapi.json')), installSection()]);
  const description = await response.json();
  description.info.description += install;
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
  const own = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...own, ...Object.values(description.components.parameters)]) switchOff(parameter);
  return description;
}

/** By kind of download. */
const downloadNames = {
  cli: 'The command line',
  typescript: 'The TypeScript client',
  python: 'The Python client',
};

/** The commands that install the command line and the clients from this deployment. The page is complete without them. */
async function installSection() {
  try {
    const response = await fetch(beside('downloads'), { signal: AbortSignal.timeout(5000) });
    const { items } = (await response.json()).data;
    const current = items.filter(({ version }) => version === items[0].version);
    const commands = current.map(({ kind, install }) => `# ${downloadNames[kind]}\n${install}`);
    return `\n\n## Install\n\n\`\`\`sh\n${commands.join('\n\n')}\n\`\`\`\n`;
  } catch {
    return '';
  }
}

/**
 * Scalar sends each parameter that has an example: an Idempotency-Key that is the same for everybody, or an ETag that no
 * resource has. Optional parameters are shown, but not sent until the reader ticks them.
 */
function switchOff(parameter) {
  const value = parameter.example ?? parameter.schema?.examples?.[0];
  if (parameter.required || parameter.$ref || value === undefined) return;
  delete parameter.example;
  parameter.examples = { example: { value, 'x-disabled': true } };
}

createApiReference('#reference', {
  content: await openApiDocument(),
  // The document says /api/v1, and a custom domain may have another base path.
  servers: [{ url: beside('.').replace(/\/$/, '') }],
  generateOperationSlug: ({ operationId }) => operationId,
  documentDownloadType: 'json',
  // Only the samples of the document, which the tests run.
  hiddenClients: true,
  defaultOpenAllTags: true,
  hideModels: true,
  persistAuth: false,
  // Nothing of other hosts. The Content-Security-Policy refuses it, too.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
});

repairAccessibility();
