{{/* What every object's name begins with. */}}
{{- define "rookery.name" -}}
{{- if contains "rookery" .Release.Name -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-rookery" .Release.Name | trunc 40 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{/* What an object is found by. Given: root, component. */}}
{{- define "rookery.selector" -}}
app.kubernetes.io/name: rookery
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* All labels of an object. Given: root, component. */}}
{{- define "rookery.labels" -}}
{{ include "rookery.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: rookery
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* The host people reach, from baseUrl. */}}
{{- define "rookery.host" -}}
{{- get (urlParse .Values.baseUrl) "host" | splitList ":" | first -}}
{{- end -}}

{{/* The image of a service. Given: root, service. */}}
{{- define "rookery.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s/%s/%s" $image.registry $image.repository .service -}}
{{- $digest := index $image.digests .service -}}
{{- $reference := index $image.references .service -}}
{{- if $reference -}}{{ $reference }}{{- else if $digest -}}{{ $name }}@{{ $digest }}{{- else -}}{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}{{- end -}}
{{- end -}}

{{/* The services as files/services.yaml has them. */}}
{{- define "rookery.services" -}}
{{ .Files.Get "files/services.yaml" }}
{{- end -}}

{{/*
Every workload by name: its service, its half, and what follows from the service. The half that serves has the service's name, the other
one "-background" behind it, and each part of that which scales apart the part's own name. Where `roles` is together, both halves and the parts
are one workload with the service's name, but for parts that are `alone`. `groups` are what it takes from Kafka: topics by
consumer group, which has the name of the workload that its part is by itself. `settings` are those of workloadDefaults and workloads together.
*/}}
{{- define "rookery.workloads" -}}
{{- $root := . -}}
{{- $workloads := dict -}}
{{- range $service, $events := include "rookery.services" . | fromYaml -}}
  {{- $groups := dict -}}
  {{- range $part, $topics := $events.topics -}}
    {{- $group := printf "%s-%s" $service (ternary "background" $part (eq $part "rest")) -}}
    {{- $_ := set $groups $part (ternary (dict $group $topics) dict (gt (len $topics) 0)) -}}
  {{- end -}}
  {{- $halves := list (dict "name" $service "half" "serve") -}}
  {{- $alone := $events.alone | default list -}}
  {{- if and $events.background (eq $root.Values.roles "together") -}}
    {{- $all := dict -}}
    {{- range $part, $its := $groups }}{{ if not (has $part $alone) }}{{ $all = merge $all (deepCopy $its) }}{{ end }}{{ end -}}
    {{- $halves = list (merge (dict "name" $service "half" "whole" "groups" $all) (ternary (dict "part" "rest") dict (gt (len $alone) 0))) -}}
    {{- $left := dict -}}
    {{- range $alone }}{{ $_ := set $left . (index $groups . | default dict) }}{{ end -}}
    {{- $groups = $left -}}
  {{- else if $events.background -}}
    {{- $rest := dict "name" (printf "%s-background" $service) "half" "background" "groups" ($groups.rest | default dict) -}}
    {{- $halves = append $halves (merge $rest (ternary (dict "part" "rest") dict (gt (len $groups) 1))) -}}
  {{- end -}}
  {{- range $part, $its := omit $groups "rest" -}}
    {{- $halves = append $halves (dict "name" (printf "%s-%s" $service $part) "half" "background" "part" $part "groups" $its) -}}
  {{- end -}}
  {{- range $each := $halves -}}
    {{- $half := $each.half -}}
    {{- $isServing := ne $half "background" -}}
    {{- $isBackground := ne $half "serve" -}}
    {{- $isApart := not (has (default "rest" $each.part) (list "rest")) -}}
    {{- $name := $each.name -}}
    {{- $settings := mergeOverwrite (deepCopy $root.Values.workloadDefaults) (deepCopy (index $root.Values.workloads $name | default dict)) -}}
    {{- $outside := $events.outside | default list -}}
    {{- if $isServing }}{{ $outside = concat $outside ($events.serveOutside | default list) }}{{ end -}}
    {{- if $isBackground }}{{ $outside = concat $outside ($events.backgroundOutside | default list) }}{{ end -}}
    {{- if eq $half "whole" }}{{ range $part, $its := $events.partOutside }}{{ $outside = concat $outside $its }}{{ end }}{{ end -}}
    {{- if $isApart -}}{{- $outside = index ($events.partOutside | default dict) $each.part | default list -}}{{- end -}}
    {{- $_ := set $workloads $name (dict
      "name" $name "service" $service "half" $half "part" ($each.part | default "") "groups" ($each.groups | default dict) "calls" $events.calls "settings" $settings "outside" $outside
      "rpc" (and $isServing (default false $events.rpc)) "http" (and $isServing (default false $events.http))
      "schema" (default false $events.schema) "kafka" (and $isBackground (or (not $isApart) (gt (len $each.groups) 0))) "files" (default false $events.files) "redis" (ne (toString $events.redis) "false")) -}}
  {{- end -}}
{{- end -}}
{{ toYaml $workloads }}
{{- end -}}

{{/* The services that keep something, as a list in YAML under "names". */}}
{{- define "rookery.stored" -}}
names:
{{- range $service, $events := include "rookery.services" . | fromYaml }}
{{- if $events.schema }}
  - {{ $service }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The secret with the passwords of the services' roles. */}}
{{- define "rookery.passwordsSecret" -}}
{{ .Values.stores.postgres.passwordsSecret | default (printf "%s-database" (include "rookery.name" .)) }}
{{- end -}}

{{/* The secret with the key by which services know each other. */}}
{{- define "rookery.callsSecret" -}}
{{ .Values.calls.keySecret | default (printf "%s-calls" (include "rookery.name" .)) }}
{{- end -}}

{{/* A peer of a NetworkPolicy: pods of the release itself. Given: root, component. */}}
{{- define "rookery.peer" -}}
podSelector:
  matchLabels:
    {{- include "rookery.selector" . | nindent 4 }}
{{- end -}}
