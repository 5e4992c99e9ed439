#!/bin/sh
# Sends the lines of a file "id;name;phone" as leads: sh examples/send-leads.sh SOURCE FILE
# Needs curl, awk, HIGHSTREET_URL and HIGHSTREET_TOKEN (a token that may read and change). At most 500 lines.
set -eu
source_name=${1:?the name of the system whose ids these are, such as web-form}
file=${2:?a file with lines such as 4711;Rose & Thorn;0113 496 0001}
: "${HIGHSTREET_URL:?}" "${HIGHSTREET_TOKEN:?}"

body=$(awk -F ';' -v source="$source_name" '
  function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
  NF >= 2 { items = items (items == "" ? "" : ",") "{\"externalId\":" quoted($1) ",\"name\":" quoted($2) ",\"phone\":" quoted($3) "}" }
  END { print "{\"source\":" quoted(source) ",\"items\":[" items "]}" }' "$file")

# The token goes in by a file, so that no list of processes shows it. The same lines are sent once, however often this runs.
key=$(printf '%s' "$body" | cksum | tr ' ' '-')
printf 'header = "Authorization: Bearer %s"\n' "$HIGHSTREET_TOKEN" |
  curl --config - --silent --show-error --fail-with-body --retry 3 \
    --header 'Content-Type: application/json' --header "Idempotency-Key: lines-$key" \
    --data "$body" "$HIGHSTREET_URL/api/leads/upsert"
echo
