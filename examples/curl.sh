#!/bin/sh
# Memoir with curl alone: remember something, add a text and a file, ask, stream, read the history.
set -eu
: "${MEMOIR_URL:?}" "${MEMOIR_KEY:?}" "${PERSONA:?}"

call() { # path, JSON
  curl --silent --show-error --fail-with-body "$MEMOIR_URL$1" \
    -H "x-api-key: $MEMOIR_KEY" -H 'content-type: application/json' -d "$2"
  echo
}

call /v1/memory "{\"DomainName\": \"$PERSONA\", \"SourceName\": \"diary\", \"Text\": \"The parrot is called Hopper.\"}"
call /v1/upload-text "{\"DomainName\": \"$PERSONA\", \"Title\": \"About the dog\", \"Text\": \"The dog is called Babbage.\"}"

echo '# The tortoise
The tortoise is called Boole.' | curl --silent --show-error --fail-with-body "$MEMOIR_URL/v1/upload-file" \
  -H "x-api-key: $MEMOIR_KEY" -F 'file=@-;filename=tortoise.md' -F "DomainName=$PERSONA"
echo

call /v1/message "{\"DomainName\": \"$PERSONA\", \"SessionId\": \"curl\", \"Text\": \"What is the parrot called?\"}"
call /v1/message/stream "{\"DomainName\": \"$PERSONA\", \"SessionId\": \"curl\", \"Text\": \"What is the dog called?\"}"
call /v1/conversation "{\"DomainName\": \"$PERSONA\", \"SessionId\": \"curl\"}"
