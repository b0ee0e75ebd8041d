/** Builds the OpenAPI 3.1 document from the declarations. */

import { withDiscriminator } from './choices.ts';
import { withConstants } from './constants.ts';
import { describeFields } from './describe.ts';
import { documented } from './documented.ts';
import { errorResponses, errorSchemas, errorsOf } from './errors.ts';
import { addEventSchemas, eventRequests, eventUnion, eventWebhooks } from './events.ts';
import { type Examples, storedExamples } from './examples.ts';
import { documentExtensions } from './extensions.ts';
import { operation } from './operation.ts';
import { describedTags, info, servers } from './overview.ts';
import { sharedHeaders, sharedParameters } from './parameters.ts';
import { Components, type Json } from './schemas.ts';

/** @param examples default: those that openapi.json has */
export function openApiDocument(examples: Examples = storedExamples()): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const endpoint of documented) {
    paths[endpoint.path] ??= {};
    Object.assign(paths[endpoint.path] as Json, {
      [endpoint.method.toLowerCase()]: operation(endpoint, components, examples[endpoint.id]),
    });
  }
  addEventSchemas(components);
  const { PlatformEvent } = components.schemas;
  if (PlatformEvent) components.add('PlatformEvent', eventUnion(PlatformEvent.description));
  return {
    openapi: '3.1.1',
    info,
    servers,
    security: [{ bearer: [] }],
    tags: describedTags,
    ...documentExtensions,
    paths,
    webhooks: eventWebhooks(),
    components: {
      schemas: schemasOf(components),
      responses: sorted(errorResponses(documented.flatMap(errorsOf))),
      headers: sharedHeaders,
      parameters: sharedParameters,
      pathItems: eventRequests(examples),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key (`sk_live_…` or `sk_test_…`), or an access token (JWT) of the configured OIDC issuer.',
        },
      },
    },
  };
}

/** @returns all named schemas, in which every field has a description */
function schemasOf(components: Components): Json {
  const schemas: Record<string, Json> = { ...components.schemas, ...errorSchemas };
  const finished = Object.entries(schemas).map(([name, schema]) => {
    const chosen = withDiscriminator(name, describeFields(schema, schemas), schemas);
    return [name, withConstants(name, chosen)] as const;
  });
  return sorted(Object.fromEntries(finished));
}

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
