/**
 * What a caller writes with each generated client: a POST, the list that has what it created, and an error. The marked lines
 * must be refused by the compiler, so the types are those of the API. Each prints one line.
 */

/** The line that each program prints. */
export const printed = 'nightly, 1 project, not_found';

const heading = `
const { BASE_URL: baseUrl = '', API_KEY: key = '' } = process.env;
const name = 'nightly';
const project_id = 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
`;

export const openApiFetch = `
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.ts';
${heading}
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
const header = { 'Idempotency-Key': 'openapi-fetch' };
const created = await client.POST('/projects', { body: { name }, params: { header } });
const listed = await client.GET('/projects', { params: { query: { limit: 1 } } });
const refused = await client.GET('/projects/{project_id}', { params: { path: { project_id } } });
console.log(\`\${created.data?.data.name}, \${listed.data?.data.items.length} project, \${refused.error?.error.code}\`);
// @ts-expect-error a name is text
const wrongBody = () => client.POST('/projects', { body: { name: 1 } });
// @ts-expect-error there is no such field
const wrongField = () => created.data?.data.colour;
`;

export const heyApi = `
import { createClient } from './hey-api/client';
import { projectsCreate, projectsGet, projectsList } from './hey-api';
${heading}
const client = createClient({ baseUrl, auth: key });
const headers = { 'Idempotency-Key': 'hey-api' };
const created = await projectsCreate({ client, body: { name }, headers });
const listed = await projectsList({ client, query: { limit: 1 } });
const refused = await projectsGet({ client, path: { project_id } });
console.log(\`\${created.data?.data.name}, \${listed.data?.data.items.length} project, \${refused.error?.error.code}\`);
// @ts-expect-error a name is text
const wrongBody = () => projectsCreate({ client, body: { name: 1 } });
// @ts-expect-error there is no such field
const wrongField = () => created.data?.data.colour;
`;

export const python = `
import os

from platform_api import AuthenticatedClient
from platform_api.api.projects import projects_create, projects_get, projects_list
from platform_api.models import ErrorResponse, ProjectCreateRequest, ProjectListResponse, ProjectResponse

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])
created = projects_create.sync(
    client=client, body=ProjectCreateRequest(name="nightly"), idempotency_key="openapi-python-client"
)
assert isinstance(created, ProjectResponse)
listed = projects_list.sync(client=client, limit=1)
assert isinstance(listed, ProjectListResponse)
refused = projects_get.sync("proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E", client=client)
assert isinstance(refused, ErrorResponse)
print(f"{created.data.name}, {len(listed.data.items)} project, {refused.error.code}")
`;
