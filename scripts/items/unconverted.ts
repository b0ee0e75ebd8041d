/**
 * The rows of the tables whose kinds have no example yet. A domain that is converted to collections deletes its rows here, and
 * has a file with its kinds beside this one.
 */
export const unconvertedRows: readonly string[] = [
  '| knowledge | `org_…#live#proj_…` | `kdoc_…`: a document without its content | never | yes |',
  '| knowledge | `org_…#live#proj_…#content` | `kdoc_…`: its content | never | yes |',
  '| knowledge | `org_…#live#proj_…#external` | SHA-256 of an externalId and its source, if any: a pointer to the document | never | yes |',
  '| knowledge | `org_…#live#proj_…#deleted` | `kdoc_…`: deleted, but may still be in an index version | never | yes |',
  '| knowledgeIndexes | `org_…#live#proj_…` | `published`: the published version | never | no |',
  "| knowledgeIndexes | `org_…#live#proj_…#versions` | a version's hash: its build | 7 days after it was replaced, unless a deployment holds it | no |",
  '| knowledgeIndexes | `org_…#live#proj_…#build#job_…` | `block-…` (texts), `index-…` (the index) | as the version | no |',
  '| knowledgeIndexes | `org_…#live#proj_…#builds` | `job_…`: an incomplete build | never | no |',
  '| knowledgeIndexes | `org_…#live#proj_…#stored` | `job_…`: a build that may have stored parts | 37 days after it was replaced | no |',
  '| knowledgeIndexes | `org_…#live#proj_…#expunged` | `kdoc_…`: a tombstone; no search returns it | never | no |',
  '| knowledgeIndexes | `org_…#live#proj_…#expunged` | `job_…`: a build that an expunge has removed | after 90 days | no |',
  '| knowledgeIndexes | `org_…#live#proj_…#expunging` | `kdoc_…`: what a job still has to remove | when the job has ended | no |',
];
