{{/*
Secrets with certificates that a workload's pod has as files, by name: of each the secret and its items. An authority is ca.crt, a certificate
tls.crt and tls.key, regardless of their names in the secret. Given: root, workload.
*/}}
{{- define "rookery.certificates" -}}
{{- $found := dict -}}
{{- $stores := include "rookery.stores" .root | fromYaml -}}
{{- if not .root.Values.devStores.enabled -}}
{{- if .workload.schema }}{{ $_ := set $found "postgres" (dict "authority" $stores.postgres.authority) }}{{ end -}}
{{- if ne (toString .workload.redis) "false" }}{{ $_ := set $found "redis" $stores.redis }}{{ end -}}
{{- if .workload.kafka }}{{ $_ := set $found "kafka" $stores.kafka }}{{ end -}}
{{- end -}}
{{- if and .workload.files .root.Values.media.objectStorage.enabled }}{{ $_ := set $found "bucket" .root.Values.media.objectStorage }}{{ end -}}
{{- range $store, $it := $found }}
{{- with $it.authority }}{{ if .secret }}
{{ $store }}-authority: { secret: {{ .secret }}, items: { ca.crt: {{ .key }} } }
{{- end }}{{ end }}
{{- with $it.certificate }}{{ if .secret }}
{{ $store }}-certificate: { secret: {{ .secret }}, items: { tls.crt: {{ .certificateKey }}, tls.key: {{ .privateKey }} } }
{{- end }}{{ end }}
{{- end }}
{{- end -}}

{{- define "rookery.certificateMounts" -}}
{{- range $name, $_ := include "rookery.certificates" . | fromYaml }}
- name: {{ $name }}
  mountPath: /etc/rookery/{{ $name }}
  readOnly: true
{{- end }}
{{- end -}}

{{- define "rookery.certificateVolumes" -}}
{{- range $name, $it := include "rookery.certificates" . | fromYaml }}
- name: {{ $name }}
  secret:
    secretName: {{ $it.secret }}
    items:
{{- range $path, $key := $it.items }}
      - key: {{ $key }}
        path: {{ $path }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The settings that name those files. Given: prefix of the settings, store, authority, certificate. */}}
{{- define "rookery.certificateEnvironment" -}}
{{- if (.authority).secret }}
{{ include "rookery.variable" (dict "name" (printf "%s_CA" .prefix) "value" (printf "/etc/rookery/%s-authority/ca.crt" .store)) }}
{{- end }}
{{- if (.certificate).secret }}
{{ include "rookery.variable" (dict "name" (printf "%s_CERTIFICATE" .prefix) "value" (printf "/etc/rookery/%s-certificate/tls.crt" .store)) }}
{{ include "rookery.variable" (dict "name" (printf "%s_CERTIFICATE_KEY" .prefix) "value" (printf "/etc/rookery/%s-certificate/tls.key" .store)) }}
{{- end }}
{{- end -}}

{{/* How the database is spoken to, as parameters of its url. */}}
{{- define "rookery.databaseParameters" -}}
{{- $postgres := (include "rookery.stores" . | fromYaml).postgres -}}
sslmode={{ $postgres.sslMode }}{{ if $postgres.authority.secret }}&sslrootcert=/etc/rookery/postgres-authority/ca.crt{{ end }}
{{- end -}}

{{/* The settings of Redis in a workload. Given: root. */}}
{{- define "rookery.redisEnvironment" -}}
{{- $redis := .root.Values.stores.redis -}}
{{- if .root.Values.devStores.enabled }}
{{ include "rookery.variable" (dict "name" "REDIS_URL" "value" (printf "redis://%s-redis:6379" (include "rookery.name" .root))) }}
{{- else if $redis.secret.name }}
{{ include "rookery.secretVariable" (dict "name" "REDIS_URL" "secret" $redis.secret.name "key" $redis.secret.key) }}
{{- else }}
{{ include "rookery.variable" (dict "name" "REDIS_URL" "value" $redis.url) }}
{{- end }}
{{- if not .root.Values.devStores.enabled }}
{{- include "rookery.certificateEnvironment" (dict "prefix" "REDIS" "store" "redis" "authority" $redis.authority "certificate" $redis.certificate) }}
{{- end }}
{{- end -}}

{{/* Kafka. Given: root. */}}
{{- define "rookery.kafkaEnvironment" -}}
{{- $kafka := (include "rookery.stores" .root | fromYaml).kafka -}}
{{- if .root.Values.devStores.enabled }}
{{ include "rookery.variable" (dict "name" "KAFKA_BROKERS" "value" (printf "%s-kafka:9092" (include "rookery.name" .root))) }}
{{- else }}
{{ include "rookery.variable" (dict "name" "KAFKA_BROKERS" "value" (join "," $kafka.brokers)) }}
{{ include "rookery.variable" (dict "name" "KAFKA_TLS" "value" (ternary "on" "off" $kafka.tls)) }}
{{- include "rookery.certificateEnvironment" (dict "prefix" "KAFKA" "store" "kafka" "authority" $kafka.authority "certificate" $kafka.certificate) }}
{{- if $kafka.sasl.mechanism }}
{{ include "rookery.variable" (dict "name" "KAFKA_SASL" "value" $kafka.sasl.mechanism) }}
{{ include "rookery.variable" (dict "name" "KAFKA_USERNAME" "value" $kafka.sasl.username) }}
{{ include "rookery.secretVariable" (dict "name" "KAFKA_PASSWORD" "secret" $kafka.sasl.secret.name "key" $kafka.sasl.secret.key) }}
{{- end }}
{{- end }}
{{ include "rookery.variable" (dict "name" "KAFKA_PARTITIONS" "value" $kafka.partitions) }}
{{- end -}}

{{/* Where media keeps files. Given: root. */}}
{{- define "rookery.filesEnvironment" -}}
{{- $media := .root.Values.media -}}
{{- $store := $media.objectStorage -}}
{{- if $media.publicUrl }}
{{ include "rookery.variable" (dict "name" "MEDIA_URL" "value" $media.publicUrl) }}
{{- end }}
{{- if $store.enabled }}
{{ include "rookery.variable" (dict "name" "MEDIA_STORAGE" "value" (ternary "moving" "bucket" $store.moving)) }}
{{ include "rookery.variable" (dict "name" "MEDIA_BUCKET_ENDPOINT" "value" $store.endpoint) }}
{{ include "rookery.variable" (dict "name" "MEDIA_BUCKET" "value" $store.bucket) }}
{{ include "rookery.variable" (dict "name" "MEDIA_BUCKET_REGION" "value" $store.region) }}
{{ include "rookery.secretVariable" (dict "name" "MEDIA_BUCKET_KEY_ID" "secret" $store.secret.name "key" $store.secret.idKey) }}
{{ include "rookery.secretVariable" (dict "name" "MEDIA_BUCKET_KEY" "secret" $store.secret.name "key" $store.secret.key) }}
{{- include "rookery.certificateEnvironment" (dict "prefix" "MEDIA_BUCKET" "store" "bucket" "authority" $store.authority) }}
{{- end }}
{{- end -}}

{{/* Whether files are on a volume: "true" or nothing. */}}
{{- define "rookery.hasVolume" -}}
{{- if or .Values.media.persistence.enabled (not .Values.media.objectStorage.enabled) }}true{{ end -}}
{{- end -}}

{{/* The port of the store of files. */}}
{{- define "rookery.bucketPort" -}}
{{- $url := urlParse .Values.media.objectStorage.endpoint -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- $port | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- end -}}
