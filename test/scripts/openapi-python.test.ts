/** The generator of the Python client: names, types, methods, exceptions and the synchronous variant. */

import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenApi, Schema } from '../../scripts/openapi/client/document.ts';
import { operationsIn } from '../../scripts/openapi/client/operations.ts';
import { jobType } from '../../scripts/openapi/python/jobs.ts';
import { methods } from '../../scripts/openapi/python/methods.ts';
import { resources } from '../../scripts/openapi/python/resources.ts';
import { shapesOf } from '../../scripts/openapi/python/shapes.ts';
import { unasync } from '../../scripts/openapi/python/synchronous.ts';
import { docstring, pythonName } from '../../scripts/openapi/python/text.ts';
import { typesOf } from '../../scripts/openapi/python/types.ts';
import { errorClasses } from '../../scripts/openapi/python.ts';
import { root } from '../../scripts/shared/root.ts';

const enveloped = (data: Schema) => ({
  content: { 'application/json': { schema: { type: 'object', properties: { data } } } },
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const parameter = (name: string, place: string, schema: Schema = { type: 'string' }) => ({
  name,
  in: place,
  required: place === 'path',
  schema,
});

const seats: Schema = { type: 'object', properties: { atFront: { type: 'integer' } }, required: [] };

const carFields: Record<string, Schema> = {
  madeAt: { type: 'string', format: 'date-time', description: 'When. Not `createdAt`.' },
  from: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  seats: ref('Seats'),
  labels: { type: 'object', additionalProperties: { type: 'string' } },
};

const document: OpenApi = {
  paths: {
    '/projects/{project_id}/old-cars': {
      get: {
        operationId: 'old-cars.list',
        summary: 'List cars',
        parameters: [
          parameter('project_id', 'path'),
          parameter('isNew', 'query', { type: 'string', enum: ['true', 'false'] }),
          { ...parameter('old', 'query'), deprecated: true },
        ],
        responses: { 200: enveloped(ref('CarList')) },
      },
      post: {
        operationId: 'old-cars.import-one',
        summary: 'Add a car',
        description: 'A "quoted" \\ text with """.',
        parameters: [parameter('project_id', 'path'), parameter('Idempotency-Key', 'header')],
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object', properties: carFields, required: ['madeAt'] } },
          },
        },
        responses: { 201: enveloped(ref('Car')) },
      },
    },
    '/projects/{project_id}/old-cars/{car_id}/doors/{number}': {
      get: {
        operationId: 'old-cars.doors.get',
        summary: 'Get a door',
        parameters: [
          parameter('project_id', 'path'),
          parameter('car_id', 'path'),
          parameter('number', 'path', { type: 'integer' }),
          parameter('If-None-Match', 'header'),
        ],
        responses: { 200: enveloped({ type: 'object', properties: { isOpen: { type: 'boolean' } } }) },
      },
    },
  },
  components: {
    schemas: {
      Car: { type: 'object', description: 'A car.', properties: carFields, required: ['madeAt', 'seats'] },
      CarList: {
        type: 'object',
        properties: { items: { type: 'array', items: ref('Car') }, nextCursor: { type: 'string' } },
      },
      Seats: seats,
    },
  },
};

const operations = operationsIn(document);

function generated(source: OpenApi = document) {
  const context = {
    document: source,
    types: typesOf(source, operationsIn(source)),
    shapes: shapesOf(source),
  };
  const code = methods(operationsIn(source), context);
  return { code, types: context.types.file(), shapes: context.shapes.file() };
}

describe('methods', () => {
  const { code } = generated();

  test('a list takes its query by keyword, without what is deprecated', () => {
    expect(code).toContain(
      'def list(self, *, is_new: bool = NOT_GIVEN, **options: Unpack[RequestOptions]) -> AsyncPages[t.Car]:',
    );
    expect(code).toContain('return self._pages("/old-cars", options, {"isNew": is_new})');
  });

  test('a body becomes arguments, the required ones first, with the names of the wire', () => {
    expect(code).toMatch(
      /async def import_one\(\s*self,\s*\*,\s*made_at: str \| datetime,\s*from_: str \| None = NOT_GIVEN,\s*seats: t\.SeatsParam = NOT_GIVEN,/,
    );
    expect(code).toContain(
      'body={"madeAt": made_at, "from": from_, "seats": to_wire(seats, shapes.Seats), "labels": labels}',
    );
    expect(code).toContain('takes="idempotency_key"');
  });

  test('a docstring has the description, each argument, and nothing that ends it', () => {
    expect(code).toContain("A \"quoted\" \\\\ text with '''.");
    expect(code).toContain(':param made_at: When. Not `created_at`.');
  });

  test('ids are positional, and with if_none_match the result may be None', () => {
    expect(code).toContain('path_of("/old-cars/", car_id, "/doors/", number)');
    expect(code).toMatch(
      /car_id: str,\s*number: int,\s*\*,\s*if_none_match: str \| None,[^)]*\) -> t\.OldCarsDoorsGetData \| None: \.\.\./,
    );
  });

  test('an argument with the name of an option of the call is refused', () => {
    const [path = ''] = Object.keys(document.paths);
    const source = structuredClone(document);
    source.paths[path]?.get?.parameters?.push(parameter('timeout', 'query'));
    expect(() => generated(source)).toThrow('two arguments of old-cars.list have the same name');
  });
});

describe('types', () => {
  const { types, shapes } = generated();

  test('what is received is a class, and what is sent a TypedDict with the same names', () => {
    expect(types).toContain(
      'class Car(Object):\n    """A car.\n\n    Fields: made_at, from_, seats, labels.\n    """\n\n    made_at: str\n',
    );
    expect(types).toContain('    labels: Map[str]\n');
    expect(types).toContain('class Seats(Object):\n    """Fields: at_front."""\n\n    at_front: int\n');
    expect(types).toContain(
      'class SeatsParam(TypedDict):\n    """Fields: at_front (optional)."""\n\n    at_front: NotRequired[int]\n',
    );
  });

  test('shapes have the names that differ', () => {
    expect(shapes).toContain('Seats: Shape = {"at_front": "atFront"}');
  });

  test('a schema may contain itself', () => {
    const source = structuredClone(document);
    source.components.schemas.Seats = { type: 'object', properties: { nextOne: ref('Seats') } };
    expect(JSON.stringify(generated(source))).toContain('next_one');
  });
});

test('resources are nested, and those with helpers extend them', () => {
  const text = resources(operations, ['old-cars']);
  expect(text).toContain('from .old_cars import AsyncOldCarsHelpers\n');
  expect(text).toMatch(
    /class AsyncOldCars\(AsyncOldCarsHelpers\):[\s\S]*self\.doors = AsyncOldCarsDoorsMethods\(transport, base\)/,
  );
  expect(text).toMatch(/class AsyncProjectResources:[\s\S]*self\.old_cars = AsyncOldCars\(transport, base\)/);
});

describe('exceptions', () => {
  const rows = {
    not_found: { status: 404, message: 'No.' },
    last_key: { status: 409, message: 'Last.' },
    internal_error: { status: 500, message: 'Sorry.' },
  };

  test('a code extends its status, unless both have the same name', () => {
    const text = errorClasses(rows);
    expect(text).toContain('class NotFoundError(ApiError):\n');
    expect(text).toContain('class ConflictError(ApiError):\n    """409 Conflict."""\n');
    expect(text).toContain('class LastKeyError(ConflictError):\n    """409 `last_key`: Last."""\n');
    expect(text).toContain('class InternalError(InternalServerError):\n');
    expect(text.match(/class NotFoundError/g)).toHaveLength(1);
    expect(text).toContain('    "not_found": NotFoundError,\n');
  });

  test('two classes of the same name are refused', () => {
    const conflict = { ...rows, not_found_error: { status: 409, message: '' } };
    expect(() => errorClasses(conflict)).toThrow('the same name');
  });
});

describe('jobs', () => {
  test('an operation that starts one has its type', () => {
    expect(jobType('conversations.import-file')).toBe('ConversationsImportJob');
    expect(jobType('jobs.get')).toBe('Job');
  });
});

test.each([
  ['createdAt', 'created_at'],
  ['contentSha256', 'content_sha256'],
  ['import-file', 'import_file'],
  ['project_id', 'project_id'],
  ['from', 'from_'],
])('%s is %s in Python', (wireName, name) => {
  expect(pythonName(wireName)).toBe(name);
});

test('a name that Python could not turn back is refused', () => {
  expect(() => pythonName('Created')).toThrow('Created has no name in Python');
});

test('a long description is wrapped, and keeps its lines', () => {
  const text = docstring(`${'word '.repeat(40)}\n\n:param a: ${'more '.repeat(40)}`, '    ');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  expect(text).toMatch(/^ {4}"""word[\s\S]*\n\n {4}:param a: more[\s\S]*\n {8}more[\s\S]*\n {4}"""\n$/);
  expect(docstring('', '')).toBe('');
});

describe('the synchronous variant', () => {
  test.each([
    ['async def get(self) -> str:', 'def get(self) -> str:'],
    ['return await self._get(await a)', 'return self._get(a)'],
    ['[one async for one in AsyncPages()]', '[one for one in Pages()]'],
    ['async with AsyncPlatform() as _AsyncThing:', 'with Platform() as _Thing:'],
    ['Callable[[str], Awaitable[dict[str, list[Awaitable[int]]]]]', 'Callable[[str], dict[str, list[int]]]'],
    ['from .io import AsyncHttp, sleep', 'from .._blocking.io import Http, sleep'],
    ['from typing import Any, Awaitable, Callable', 'from typing import Any, Callable'],
    [
      'async def __aexit__(self) -> AsyncIterator[str]: await self.aclose()',
      'def __exit__(self) -> Iterator[str]: self.close()',
    ],
    ['a: str | Iterable[A] | AsyncIterable[A]', 'a: str | Iterable[A]'],
    ['Callable[[], str | Awaitable[str]]', 'Callable[[], str]'],
    ['a: Page | Pages | b.Pages', 'a: Page | Pages | b.Pages'],
    ['"""An asynchronous word, awaited."""', '"""An asynchronous word, awaited."""'],
  ])('%s', (source, expected) => {
    expect(unasync(source)).toBe(expected);
  });

  test('a bracket that is not closed is refused, and a large text is fast', () => {
    expect(() => unasync('Awaitable[int')).toThrow('not closed');
    const start = performance.now();
    unasync('await Async_'.repeat(100_000));
    unasync('from a import '.repeat(70_000));
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('it has every module of the asynchronous one but those of its own, which have the same names', () => {
    const modules = (folder: string) =>
      globSync(`clients/python/src/platform_api/${folder}/*.py`, { cwd: root })
        .map((path) => basename(path))
        .sort();
    expect([...modules('_sync'), 'io.py', 'work.py'].sort()).toEqual(modules('_async'));
    expect(modules('_blocking')).toEqual(['__init__.py', 'io.py', 'work.py']);
  });
});
