/** Builds the OpenAPI 3.1 document from the declarations. */

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

/**
 * @returns a choice (`oneOf`), with the field whose constant value decides: generated clients read it instead of trying one schema after
 *   another. Other schemas stay the same
 * @throws Error if no field decides
 */
function withDiscriminator(name: string, schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (!schema.oneOf || schema.discriminator) return schema;
  const choices = (schema.oneOf as Json[]).map(({ $ref }) => {
    const ref = String($ref);
    return { ref, constants: constantsOf(schemas[ref.split('/').at(-1) ?? '']) };
  });
  const [first] = choices;
  const propertyName = [...(first?.constants.keys() ?? [])].find((field) => {
    const values = choices.map(({ constants }) => constants.get(field));
    return !values.includes(undefined) && new Set(values).size === values.length;
  });
  if (!propertyName) throw new Error(`No field decides between the schemas of ${name}.`);
  const mapping = choices.map(({ ref, constants }) => [constants.get(propertyName), ref]);
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

/** @returns the constant texts of a schema, by the names of their fields */
function constantsOf({ properties = {} }: Json = {}): Map<string, string> {
  return new Map(
    Object.entries(properties as Record<string, Json>).flatMap(([name, { const: value }]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/**
 * @returns the schema, with a name for each value of an enum of texts: `JobStatusFailed` for `failed` of `JobStatus`. In Go, all
 *   constants of a client share one namespace, and many enums have a value such as `failed`
 */
function withConstants(schemaName: string, schema: Json): Json {
  const values = schema.enum;
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return schema;
  return { ...schema, 'x-enum-varnames': values.map((value) => `${schemaName}${inPascalCase(value)}`) };
}

/** @returns `ApiKeysRead` for `api-keys:read` */
const inPascalCase = (value: string): string =>
  value.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
