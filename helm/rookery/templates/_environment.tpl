{{/* One variable with a text. Given: name, value. */}}
{{- define "rookery.variable" -}}
- name: {{ .name }}
  value: {{ .value | toString | quote }}
{{- end -}}

{{/* One variable out of a secret. Given: name, secret, key. */}}
{{- define "rookery.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* What a service's url of the database has behind its role and password. */}}
{{- define "rookery.databasePlace" -}}
{{- $postgres := (include "rookery.stores" . | fromYaml).postgres -}}
{{- if .Values.devStores.enabled -}}{{ include "rookery.name" . }}-postgres:5432/rookery
{{- else -}}{{ $postgres.host }}:{{ $postgres.port }}/{{ $postgres.database }}?{{ include "rookery.databaseParameters" . }}{{- end -}}
{{- end -}}

{{/* A service's way to the database. Given: root, service. */}}
{{- define "rookery.databaseEnvironment" -}}
{{- $password := printf "%s_DATABASE_PASSWORD" (upper .service) -}}
{{ include "rookery.secretVariable" (dict "name" $password "secret" (include "rookery.passwordsSecret" .root) "key" .service) }}
{{ include "rookery.variable" (dict "name" (printf "%s_DATABASE_URL" (upper .service)) "value" (printf "postgres://%s:$(%s)@%s" .service $password (include "rookery.databasePlace" .root))) }}
{{ include "rookery.variable" (dict "name" "DATABASE_CONNECTIONS" "value" .root.Values.stores.postgres.connections) }}
{{- end -}}

{{/* What people see and how they get in, for the services that ask. Given: root, service. */}}
{{- define "rookery.productEnvironment" -}}
{{- $values := .root.Values -}}
{{- if has .service (list "auth" "gateway") }}
{{ include "rookery.variable" (dict "name" "REGISTRATIONS" "value" $values.registrations) }}
{{ include "rookery.variable" (dict "name" "INVITES" "value" $values.invites) }}
{{- end }}
{{- if has .service (list "auth" "federation" "gateway" "media" "streaming") }}
{{ include "rookery.variable" (dict "name" "TRUSTED_PROXIES" "value" (join "," $values.trustedProxies)) }}
{{- end }}
{{- if eq .service "auth" }}
{{- if $values.cookies.keySecret }}
{{ include "rookery.secretVariable" (dict "name" "COOKIE_KEY" "secret" $values.cookies.keySecret "key" "key") }}
{{- end }}
{{ include "rookery.variable" (dict "name" "CONFIRMATION" "value" $values.confirmation) }}
{{ include "rookery.variable" (dict "name" "REQUIRE_SECOND_FACTOR" "value" $values.requireSecondFactor) }}
{{ include "rookery.variable" (dict "name" "BLOCKED_EMAIL_DOMAINS" "value" (join "," $values.blockedEmailDomains)) }}
{{- if $values.mail.secret.name }}
{{ include "rookery.secretVariable" (dict "name" "SMTP_URL" "secret" $values.mail.secret.name "key" $values.mail.secret.key) }}
{{ include "rookery.variable" (dict "name" "MAIL_FROM" "value" $values.mail.from) }}
{{- end }}
{{- end }}
{{- if eq .service "federation" }}
{{- $instance := $values.instance }}
{{ include "rookery.variable" (dict "name" "INSTANCE_TITLE" "value" $instance.title) }}
{{ include "rookery.variable" (dict "name" "INSTANCE_DESCRIPTION" "value" $instance.description) }}
{{ include "rookery.variable" (dict "name" "INSTANCE_EXTENDED_DESCRIPTION" "value" $instance.extendedDescription) }}
{{ include "rookery.variable" (dict "name" "INSTANCE_PRIVACY_POLICY" "value" $instance.privacyPolicy) }}
{{ include "rookery.variable" (dict "name" "INSTANCE_CONTACT_EMAIL" "value" $instance.contactEmail) }}
{{ include "rookery.variable" (dict "name" "INSTANCE_CONTACT_ACCOUNT" "value" $instance.contactAccount) }}
{{ include "rookery.variable" (dict "name" "INSTANCE_LANGUAGES" "value" (join "," $instance.languages)) }}
{{ include "rookery.variable" (dict "name" "INSTANCE_RULES" "value" (join "\n" $instance.rules)) }}
{{- end }}
{{- if eq .service "notifications" }}
{{ include "rookery.variable" (dict "name" "INSTANCE_CONTACT_EMAIL" "value" $values.instance.contactEmail) }}
{{- if $values.push.keySecret }}
{{ include "rookery.secretVariable" (dict "name" "VAPID_PRIVATE_KEY" "secret" $values.push.keySecret "key" "key") }}
{{- end }}
{{- end }}
{{- if and $values.encryption.keySecret (has .service (list "auth" "federation" "notifications")) }}
{{ include "rookery.secretVariable" (dict "name" "ENCRYPTION_KEY" "secret" $values.encryption.keySecret "key" "key") }}
{{- end }}
{{- if has .service (list "gateway" "statuses") }}
{{ include "rookery.variable" (dict "name" "TRANSLATION_PROVIDER" "value" $values.translation.provider) }}
{{- end }}
{{- if eq .service "statuses" }}
{{- if $values.translation.secret.name }}
{{ include "rookery.secretVariable" (dict "name" "TRANSLATION_KEY" "secret" $values.translation.secret.name "key" $values.translation.secret.key) }}
{{- end }}
{{- if $values.translation.url }}
{{ include "rookery.variable" (dict "name" "TRANSLATION_URL" "value" $values.translation.url) }}
{{- end }}
{{ include "rookery.variable" (dict "name" "PREVIEW_CARDS" "value" (ternary "on" "off" $values.previewCards)) }}
{{- end }}
{{- end -}}

{{/* The environment of a service's process. Given: root, workload. */}}
{{- define "rookery.environment" -}}
{{- $root := .root -}}
{{- $service := .workload.service -}}
{{ include "rookery.variable" (dict "name" "BASE_URL" "value" $root.Values.baseUrl) }}
{{ include "rookery.variable" (dict "name" "HOST" "value" "0.0.0.0") }}
{{ include "rookery.variable" (dict "name" "DATA_DIR" "value" "/data") }}
{{- /* Migrations of several services run in one pod, which has each port once; no one asks how they are. */}}
{{- if .workload.half }}
{{ include "rookery.variable" (dict "name" "HEALTH_PORT" "value" 9000) }}
{{- end }}
{{- with .workload.part }}
{{ include "rookery.variable" (dict "name" "PART" "value" .) }}
{{- end }}
{{- if has .workload.half (list "serve" "whole") }}
{{ include "rookery.variable" (dict "name" "DRAIN_SECONDS" "value" $root.Values.drain.pauseSeconds) }}
{{- end }}
{{- if eq $service "streaming" }}
{{ include "rookery.variable" (dict "name" "STREAM_DRAIN_SECONDS" "value" $root.Values.drain.streamSeconds) }}
{{- end }}
{{- if .workload.rpc }}
{{ include "rookery.variable" (dict "name" "RPC_PORT" "value" 7000) }}
{{- end }}
{{- if .workload.http }}
{{ include "rookery.variable" (dict "name" "HTTP_PORT" "value" 8080) }}
{{- end }}
{{- if .workload.half }}
{{ include "rookery.secretVariable" (dict "name" "RPC_KEY" "secret" (include "rookery.callsSecret" $root) "key" "key") }}
{{- if $root.Values.calls.certificatesSecret }}
{{ include "rookery.variable" (dict "name" "RPC_CA" "value" "/etc/rookery/calls/ca.crt") }}
{{ include "rookery.variable" (dict "name" "RPC_CERTIFICATE" "value" "/etc/rookery/calls/tls.crt") }}
{{ include "rookery.variable" (dict "name" "RPC_CERTIFICATE_KEY" "value" "/etc/rookery/calls/tls.key") }}
{{- end }}
{{- end }}
{{- if and .workload.half $root.Values.inspector }}
{{ include "rookery.variable" (dict "name" "NODE_OPTIONS" "value" "--inspect=127.0.0.1:9229") }}
{{- end }}
{{ include "rookery.variable" (dict "name" "LOG_LEVEL" "value" $root.Values.logLevel) }}
{{- if .workload.schema }}
{{ include "rookery.databaseEnvironment" (dict "root" $root "service" $service) }}
{{- end }}
{{- if ne (toString .workload.redis) "false" }}{{ include "rookery.redisEnvironment" (dict "root" $root) }}{{ end }}
{{- if .workload.kafka }}{{ include "rookery.kafkaEnvironment" (dict "root" $root) }}{{ end }}
{{- if .workload.files }}{{ include "rookery.filesEnvironment" (dict "root" $root) }}{{ end }}
{{- range $called := .workload.calls }}
{{ include "rookery.variable" (dict "name" (printf "%s_ADDRESS" (upper $called)) "value" (printf "dns:///%s-%s-calls:7000" (include "rookery.name" $root) $called)) }}
{{- end }}
{{- include "rookery.productEnvironment" (dict "root" $root "service" $service) }}
{{- if $root.Values.certificateAuthorities.secret }}
{{ include "rookery.variable" (dict "name" "NODE_EXTRA_CA_CERTS" "value" (printf "/etc/rookery/authorities/%s" $root.Values.certificateAuthorities.key)) }}
{{- end }}
{{- range $name, $value := $root.Values.settings }}
{{ include "rookery.variable" (dict "name" $name "value" $value) }}
{{- end }}
{{- end -}}
