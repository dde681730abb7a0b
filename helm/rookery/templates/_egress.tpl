{{/* Addresses that are no one's on the internet: those of clouds' metadata, of clusters, of offices. */}}
{{- define "rookery.internet" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/4, 240.0.0.0/4]
- ipBlock:
    cidr: 2000::/3
{{- end -}}

{{/* A store: the release's own pods, the peers that values name, or else any address on its port. Given: root, name, ports, peers. */}}
{{- define "rookery.storeEgress" -}}
- ports:
{{- range .ports }}
    - port: {{ . }}
{{- end }}
{{- if .root.Values.devStores.enabled }}
  to:
    - {{- include "rookery.peer" (dict "root" .root "component" .name) | nindent 6 }}
{{- else if .peers }}
  to:
    {{- toYaml .peers | nindent 4 }}
{{- end }}
{{- end -}}

{{- define "rookery.brokerPorts" -}}
ports:
{{- if .Values.devStores.enabled }}
  - 9092
{{- else }}
{{- $ports := list }}
{{- range (include "rookery.stores" . | fromYaml).kafka.brokers }}{{- $ports = append $ports (splitList ":" . | last | int) }}{{- end }}
{{- range uniq $ports }}
  - {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Where a workload may go, everything else being closed. Given: root, workload, calls. */}}
{{- define "rookery.egress" -}}
{{- $root := .root -}}
{{- $stores := include "rookery.stores" $root | fromYaml -}}
{{- $isDev := $root.Values.devStores.enabled -}}
# Names.
- ports:
{{- range $root.Values.networkPolicies.namesPorts }}
    - port: {{ . }}
      protocol: UDP
    - port: {{ . }}
      protocol: TCP
{{- end }}
  to:
    {{- toYaml $root.Values.networkPolicies.namesFrom | nindent 4 }}
{{- if .calls }}
# The services it calls.
- ports:
    - port: 7000
  to:
{{- range .calls }}
    - {{- include "rookery.peer" (dict "root" $root "component" .) | nindent 6 }}
{{- end }}
{{- end }}
{{- if .workload.schema }}
{{ include "rookery.storeEgress" (dict "root" $root "name" "postgres" "ports" (list (ternary 5432 ($stores.postgres.port | int) $isDev)) "peers" $stores.postgres.peers) }}
{{- end }}
{{- if ne (toString .workload.redis) "false" }}
{{ include "rookery.storeEgress" (dict "root" $root "name" "redis" "ports" (list (ternary 6379 ($stores.redis.port | int) $isDev)) "peers" $stores.redis.peers) }}
{{- end }}
{{- if .workload.kafka }}
{{ include "rookery.storeEgress" (dict "root" $root "name" "kafka" "ports" (include "rookery.brokerPorts" $root | fromYaml).ports "peers" $stores.kafka.peers) }}
{{- end }}
{{- if and .workload.files $root.Values.media.objectStorage.enabled }}
# The store of files.
- ports:
    - port: {{ include "rookery.bucketPort" $root }}
{{- with $root.Values.media.objectStorage.peers }}
  to:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}
{{- if and (has "mail" .workload.outside) $root.Values.mail.secret.name }}
# The mail server.
- ports:
    - port: {{ $root.Values.mail.port }}
  to:
    {{- if $root.Values.mail.peers }}{{ toYaml $root.Values.mail.peers | nindent 4 }}{{ else }}{{ include "rookery.internet" $root | nindent 4 }}{{ end }}
{{- end }}
{{- if and (has "web" .workload.outside) $root.Values.previewCards }}
# The pages that posts link to.
- ports:
    - port: 80
    - port: 443
  to:
    {{- include "rookery.internet" $root | nindent 4 }}
{{- end }}
{{- if has "servers" .workload.outside }}
# Other servers.
- ports:
    - port: 443
  to:
    {{- include "rookery.internet" $root | nindent 4 }}
{{- end }}
{{- if has "push" .workload.outside }}
# Push services, wherever the devices of people have theirs.
- ports:
    - port: 443
  to:
    {{- include "rookery.internet" $root | nindent 4 }}
{{- end }}
{{- if and (has "translation" .workload.outside) (ne $root.Values.translation.provider "off") }}
# Who translates.
- ports:
    - port: {{ $root.Values.translation.port }}
  to:
    {{- if $root.Values.translation.peers }}{{ toYaml $root.Values.translation.peers | nindent 4 }}{{ else }}{{ include "rookery.internet" $root | nindent 4 }}{{ end }}
{{- end }}
{{- end -}}
