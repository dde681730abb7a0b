{{/* A quiet moment is not the end of a rush, and a pod that goes takes its warm memory along. */}}
{{- define "rookery.scalingBehavior" -}}
scaleDown:
  stabilizationWindowSeconds: 600
{{- end -}}

{{/* Whether something scales by lag: "true" or nothing. */}}
{{- define "rookery.scalesByLag" -}}
{{- $found := "" -}}
{{- range include "rookery.workloads" . | fromYaml -}}
{{- if and .settings.autoscaling.enabled (eq .settings.autoscaling.by "lag") -}}{{- $found = "true" -}}{{- end -}}
{{- end -}}
{{- $found -}}
{{- end -}}

{{/* Whether something is scaled by KEDA: "true" or nothing. */}}
{{- define "rookery.scalesByKeda" -}}
{{- $found := include "rookery.scalesByLag" . -}}
{{- range include "rookery.workloads" . | fromYaml -}}
{{- if and .settings.autoscaling.enabled (eq .settings.autoscaling.by "queue") -}}{{- $found = "true" -}}{{- end -}}
{{- end -}}
{{- $found -}}
{{- end -}}

{{/* The queues that workloads scale by: whose jobs they are, their kinds, and which of the values says how many are for a pod. */}}
{{- define "rookery.queues" -}}
media-motion:
  schema: media
  jobs: [process-motion]
  perPod: filmsPerPod
federation-background:
  schema: federation
  jobs: [send-deliveries, work-activities]
  perPod: hostsPerPod
{{- end -}}

{{/* A trigger of KEDA: how many jobs wait or run, asked of the database as the pods' own role. Given: root, queue, scaling. */}}
{{- define "rookery.queueTrigger" -}}
{{- $postgres := (include "rookery.stores" .root | fromYaml).postgres -}}
{{- $isDev := .root.Values.devStores.enabled -}}
{{- $schema := .queue.schema -}}
metadata:
  host: {{ ternary (printf "%s-postgres.%s" (include "rookery.name" .root) .root.Release.Namespace) $postgres.host $isDev }}
  port: {{ ternary 5432 ($postgres.port | int) $isDev | toString | quote }}
  dbName: {{ ternary "rookery" $postgres.database $isDev }}
  userName: {{ $schema }}
  passwordFromEnv: {{ upper $schema }}_DATABASE_PASSWORD
  sslmode: {{ if or $isDev (eq $postgres.sslMode "disable") }}disable{{ else }}require{{ end }}
  query: >-
    select count(*) from {{ $schema }}_jobs._private_jobs job join {{ $schema }}_jobs._private_tasks task on task.id = job.task_id
    where task.identifier in ('{{ join "', '" .queue.jobs }}') and job.run_at <= now() and job.attempts < job.max_attempts
  targetQueryValue: {{ index .scaling .queue.perPod | int64 | toString | quote }}
{{- end -}}

{{/* Whether KEDA must show the brokers who it is, or needs an authority to believe them: "true" or nothing. */}}
{{- define "rookery.brokersAskWho" -}}
{{- $kafka := (include "rookery.stores" . | fromYaml).kafka -}}
{{- $asks := or $kafka.sasl.mechanism $kafka.authority.secret $kafka.certificate.secret -}}
{{- if and $asks (not .Values.devStores.enabled) (include "rookery.scalesByLag" .) }}true{{ end -}}
{{- end -}}

{{/* A trigger of KEDA: how far one consumer group is behind on its topic. Given: root, group, topic, lag. */}}
{{- define "rookery.lagTrigger" -}}
{{- $kafka := (include "rookery.stores" .root | fromYaml).kafka -}}
{{- $isDev := .root.Values.devStores.enabled -}}
metadata:
  bootstrapServers: {{ ternary (printf "%s-kafka.%s:9092" (include "rookery.name" .root) .root.Release.Namespace) (join "," $kafka.brokers) $isDev }}
  consumerGroup: {{ .group }}
  topic: {{ .topic }}
  lagThreshold: {{ .lag | toString | quote }}
  # A group that has not taken anything yet begins at the oldest.
  offsetResetPolicy: earliest
{{- if not $isDev }}
{{- with $kafka.sasl.mechanism }}
  sasl: {{ ternary "plaintext" (replace "-" "_" . | replace "scram_sha_" "scram_sha") (eq . "plain") }}
{{- end }}
{{- if $kafka.tls }}
  tls: enable
{{- end }}
{{- if include "rookery.brokersAskWho" .root }}
authenticationRef:
  name: {{ include "rookery.name" .root }}-kafka
{{- end }}
{{- end }}
{{- end -}}
