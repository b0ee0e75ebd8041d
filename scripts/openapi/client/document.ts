/** The parts of the OpenAPI document that the client's generator reads. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  'x-extensible-enum'?: unknown[];
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
  deprecated?: boolean;
  default?: unknown;
  /** Why the argument deletes or ends something, and the value that does. Default: any. */
  'x-removes'?: { why: string; if?: unknown };
};

export type Field = {
  name: string;
  description?: string;
  deprecated?: boolean;
  required: boolean;
  schema: Schema;
};

type Parameter = Field & { in: string };
type Body = { content?: Record<string, { schema?: Schema }> };
type Ref = { $ref: string };

export type OpenApi = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary?: string;
        description?: string;
        parameters?: (Parameter | Ref)[];
        requestBody?: Body | Ref;
        responses: Record<string, Body | Ref>;
        /** Empty if the operation is public. */
        security?: readonly object[];
        'x-errors'?: readonly string[];
        /** A list in the list has scopes that are needed together. */
        'x-scopes'?: readonly (string | readonly string[])[];
        'x-removes'?: { why: string };
      }
    >
  >;
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, Schema> };
};

export const isRef = (value: object): value is Ref => '$ref' in value && typeof value.$ref === 'string';

/** `#/components/schemas/Project` as `Project`. */
export const nameIn = ({ $ref }: Ref) => $ref.split('/').at(-1) ?? '';

export function resolveRef<Value extends object>(document: OpenApi, value: Value | Ref): Value {
  const ref = refIn(value);
  if (!ref) return value as Value;
  const [, , kind = '', name = ''] = ref.$ref.split('/');
  const found = document.components[kind]?.[name];
  if (!found) throw new Error(`openapi.json has no ${ref.$ref}`);
  return resolveRef(document, found as Value | Ref);
}

/** openapi.json has some references in `allOf` (nullable.ts). */
function refIn(value: object): Ref | undefined {
  if (isRef(value)) return value;
  const [only, ...more]: readonly object[] =
    'allOf' in value && Array.isArray(value.allOf) ? value.allOf : [];
  return only && more.length === 0 && isRef(only) ? only : undefined;
}
