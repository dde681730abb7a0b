#!/bin/sh
# What the public image of Kafka does when it starts, as far as the chart asks for it: KAFKA_NODE_ID is node.id, and so on.
set -eu
settings=/tmp/server.properties
env | grep '^KAFKA_' | grep -v '^KAFKA_HEAP_OPTS=' | while IFS='=' read -r name value; do
  echo "$(echo "${name#KAFKA_}" | tr 'A-Z_' 'a-z.')=$value"
done >"$settings"
run() { exec java ${KAFKA_HEAP_OPTS:-} -XX:+UseSerialGC -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp '/opt/kafka/libs/*' "$@"; }
(run kafka.tools.StorageTool format --ignore-formatted --cluster-id 5L6g3nShT-eMCtK--X86sw --config "$settings")
run kafka.Kafka "$settings"
