{{/* The name of the database's Cluster (CloudNativePG). */}}
{{- define "rookery.postgresCluster" -}}
{{ include "rookery.name" . }}-postgres
{{- end -}}

{{/* Whether the database is in the release itself, and so not there yet when hooks run ahead of an installation: "true" or nothing. */}}
{{- define "rookery.bringsDatabase" -}}
{{- if or .Values.devStores.enabled .Values.stores.postgres.cloudNativePg.enabled }}true{{ end -}}
{{- end -}}

{{/* Strimzi's own kinds, by the newest version that the cluster has. */}}
{{- define "rookery.strimziVersion" -}}
kafka.strimzi.io/{{ ternary "v1" "v1beta2" (.Capabilities.APIVersions.Has "kafka.strimzi.io/v1") }}
{{- end -}}

{{/* The stores as they are reached: values, and for those that an operator runs what follows from its names. */}}
{{- define "rookery.stores" -}}
{{- $stores := deepCopy .Values.stores -}}
{{- $name := include "rookery.name" . -}}
{{- if $stores.postgres.cloudNativePg.enabled -}}
  {{- $cluster := include "rookery.postgresCluster" . -}}
  {{- $peer := dict "podSelector" (dict "matchLabels" (dict "cnpg.io/cluster" $cluster)) -}}
  {{- $_ := mergeOverwrite $stores.postgres (dict
    "host" (printf "%s-rw" $cluster) "port" 5432 "sslMode" "verify-full" "peers" (list $peer)
    "authority" (dict "secret" (printf "%s-ca" $cluster) "key" "ca.crt")) -}}
{{- end -}}
{{- if $stores.kafka.strimzi.enabled -}}
  {{- $peer := dict "podSelector" (dict "matchLabels" (dict "strimzi.io/cluster" $name "strimzi.io/kind" "Kafka")) -}}
  {{- $user := printf "%s-kafka-user" $name -}}
  {{- $_ := mergeOverwrite $stores.kafka (dict
    "brokers" (list (printf "%s-kafka-bootstrap.%s:9093" $name .Release.Namespace)) "tls" true "peers" (list $peer)
    "authority" (dict "secret" (printf "%s-cluster-ca-cert" $name) "key" "ca.crt")
    "sasl" (dict "mechanism" "scram-sha-512" "username" $user "secret" (dict "name" $user "key" "password"))) -}}
{{- end -}}
{{ toYaml $stores }}
{{- end -}}
