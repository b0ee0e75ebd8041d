#!/bin/sh
# curl.sh FOLDER SHA FILE: the nightly job with curl and jq, one request after the other.
# BASE, KEY and PROJECT are in the environment.
set -eu
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
api() {
  method=$1 path=$2; shift 2
  curl -sS --fail-with-body --retry 5 -X "$method" "$BASE/projects/$PROJECT/$path" -H "Authorization: Bearer $KEY" "$@"
}
uri() { jq -rn --arg text "$1" '$text | @uri'; }

# Sends every Markdown file, and deletes the documents that have none.
find "$1" -name '*.md' | sed "s|^$1/||" | sort > "$work/here"
[ -s "$work/here" ] || { echo 'There is no Markdown here.' >&2; exit 1; }
while IFS= read -r file; do
  jq -n --arg title "$(basename "$file" .md)" --rawfile content "$1/$file" \
    '{$title, source: "handbook", $content, mimeType: "text/markdown"}' > "$work/body"
  api PUT "knowledge/documents/by-external-id/$(uri "$file")" \
    -H 'Content-Type: application/json' --data-binary "@$work/body" > "$work/response"
done < "$work/here"
cursor=
: > "$work/gone"
while :; do
  api GET "knowledge/documents?limit=100&source=handbook${cursor:+&cursor=$cursor}" > "$work/page"
  jq -r --rawfile here "$work/here" '.data.items[]
    | select(.externalId != null and [.externalId] - ($here / "\n") != []) | .id' "$work/page" >> "$work/gone"
  cursor=$(jq -r '.data.nextCursor // empty' "$work/page")
  [ -n "$cursor" ] || break
done
while read -r id; do
  # Another run may have just deleted it.
  api DELETE "knowledge/documents/$id" > "$work/response" || jq -e '.error.code == "not_found"' "$work/response" > "$work/known"
done < "$work/gone"

# Builds the index, and waits for it.
api POST knowledge/reindex -H "Idempotency-Key: reindex-$2" > "$work/job"
job=$(jq -r .data.id "$work/job")
until jq -e .data.finishedAt "$work/job" > "$work/ended"; do api GET "jobs/$job?waitSeconds=20" > "$work/job"; done
[ "$(jq -r .data.status "$work/job")" = succeeded ] || { jq .data.error "$work/job" >&2; exit 1; }

# Deploys if something has changed.
jq -n --arg sha "$2" '{environment: "production", ifChanged: true, git: {$sha, ref: "main"}}' > "$work/body"
api POST deployments -H 'Content-Type: application/json' -H "Idempotency-Key: deploy-$2" --data-binary "@$work/body" > "$work/deployment"

# Exports the conversations of yesterday (UTC) with their messages, one line each.
from=$(jq -nr 'now - 86400 | strftime("%Y-%m-%dT00:00:00Z")')
before=$(jq -nr 'now | strftime("%Y-%m-%dT00:00:00Z")')
cursor=
: > "$3.part"
while :; do
  api GET "conversations?startedFrom=$from&startedBefore=$before&order=oldest&limit=100${cursor:+&cursor=$cursor}" > "$work/page"
  for id in $(jq -r '.data.items[].id' "$work/page"); do
    seq=0
    : > "$work/messages"
    while :; do
      api GET "conversations/$id/transcript?afterSeq=$seq&limit=100" > "$work/part"
      jq -c '.data.messages[]' "$work/part" >> "$work/messages"
      [ "$(jq .data.final "$work/part")" = false ] || break
      next=$(jq .data.nextAfterSeq "$work/part")
      [ "$next" != "$seq" ] || break
      seq=$next
    done
    jq -c --arg id "$id" --slurpfile messages "$work/messages" \
      '.data.items[] | select(.id == $id) | . + {$messages}' "$work/page" >> "$3.part"
  done
  cursor=$(jq -r '.data.nextCursor // empty' "$work/page")
  [ -n "$cursor" ] || break
done
mv "$3.part" "$3"
