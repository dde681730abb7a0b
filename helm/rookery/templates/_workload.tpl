{{/* What no pod of ours may do: the restricted profile of Pod Security. */}}
{{- define "rookery.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "rookery.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* A probe of the health port. Given: path, period, failures. */}}
{{- define "rookery.probe" -}}
httpGet:
  path: {{ .path }}
  port: health
periodSeconds: {{ .period }}
timeoutSeconds: 5
failureThreshold: {{ .failures }}
{{- end -}}

{{/* Folders that are written to; everything else is read-only. Given: root, files (whether pictures are kept here), calls (whether it calls or is called). */}}
{{- define "rookery.mounts" -}}
- name: data
  mountPath: /data
- name: temporary
  mountPath: /tmp
{{- if .files }}
- name: files
  mountPath: /data/media
{{- end }}
{{- if .root.Values.certificateAuthorities.secret }}
- name: authorities
  mountPath: /etc/rookery/authorities
  readOnly: true
{{- end }}
{{- if and .calls .root.Values.calls.certificatesSecret }}
- name: calls
  mountPath: /etc/rookery/calls
  readOnly: true
{{- end }}
{{- with .workload }}{{ include "rookery.certificateMounts" (dict "root" $.root "workload" .) }}{{ end }}
{{- end -}}

{{- define "rookery.volumes" -}}
- name: data
  emptyDir:
    sizeLimit: 64Mi
- name: temporary
  emptyDir:
    sizeLimit: 2Gi
{{- if .files }}
{{- $persistence := .root.Values.media.persistence }}
- name: files
{{- if $persistence.enabled }}
  persistentVolumeClaim:
    claimName: {{ $persistence.existingClaim | default (printf "%s-media" (include "rookery.name" .root)) }}
{{- else if include "rookery.hasVolume" .root }}
  emptyDir: {}
{{- else }}
  # Uploads while they come in; files are in the bucket.
  emptyDir:
    sizeLimit: 2Gi
{{- end }}
{{- end }}
{{- if .root.Values.certificateAuthorities.secret }}
- name: authorities
  secret:
    secretName: {{ .root.Values.certificateAuthorities.secret }}
{{- end }}
{{- if and .calls .root.Values.calls.certificatesSecret }}
- name: calls
  secret:
    secretName: {{ .root.Values.calls.certificatesSecret }}
{{- end }}
{{- with .workload }}{{ include "rookery.certificateVolumes" (dict "root" $.root "workload" .) }}{{ end }}
{{- end -}}

{{/* The container of a workload's process. Given: root, workload. */}}
{{- define "rookery.container" -}}
{{- $root := .root -}}
{{- $workload := .workload -}}
name: {{ $workload.service }}
image: {{ include "rookery.image" (dict "root" $root "service" $workload.service) }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
args: [services/{{ $workload.service }}/src/{{ $workload.half }}.ts]
env:
  {{- include "rookery.environment" . | nindent 2 }}
ports:
  - name: health
    containerPort: 9000
{{- if $workload.rpc }}
  - name: rpc
    containerPort: 7000
{{- end }}
{{- if $workload.http }}
  - name: http
    containerPort: 8080
{{- end }}
startupProbe:
  {{- include "rookery.probe" (dict "path" "/health/started" "period" 2 "failures" 150) | nindent 2 }}
{{- if not $root.Values.inspector }}
livenessProbe:
  {{- include "rookery.probe" (dict "path" "/health/live" "period" 10 "failures" 6) | nindent 2 }}
{{- end }}
readinessProbe:
  {{- include "rookery.probe" (dict "path" "/health/ready" "period" 5 "failures" 2) | nindent 2 }}
resources:
  {{- toYaml $workload.settings.resources | nindent 2 }}
securityContext:
  {{- include "rookery.containerSecurity" . | nindent 2 }}
volumeMounts:
  {{- include "rookery.mounts" (dict "root" $root "files" $workload.files "calls" true "workload" $workload) | nindent 2 }}
{{- end -}}

{{/* Brings a schema up to date and ends. Given: root, service; phase, or both without one. */}}
{{- define "rookery.migration" -}}
{{- $events := index (include "rookery.services" .root | fromYaml) .service -}}
{{- $workload := dict "service" .service "calls" $events.calls "schema" true "redis" false "rpc" false "http" false -}}
name: migrate-{{ .service }}
image: {{ include "rookery.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [services/{{ .service }}/src/migrate.ts{{ with .phase }}, {{ . }}{{ end }}]
env:
  {{- include "rookery.environment" (dict "root" .root "workload" $workload) | nindent 2 }}
resources:
  {{- toYaml .root.Values.jobs.resources | nindent 2 }}
securityContext:
  {{- include "rookery.containerSecurity" . | nindent 2 }}
volumeMounts:
  {{- include "rookery.mounts" (dict "root" .root "files" false "workload" $workload) | nindent 2 }}
{{- end -}}

{{/* A process exits by itself 25 seconds after its drain periods; the kubelet waits a little longer. Given: root, workload. */}}
{{- define "rookery.graceSeconds" -}}
{{- $drain := .root.Values.drain -}}
{{- add 30 (ternary $drain.pauseSeconds 0 (ne .workload.half "background")) (ternary $drain.streamSeconds 0 (eq .workload.service "streaming")) -}}
{{- end -}}

{{/* A workload: the one shape of them all. Given: root, workload. */}}
{{- define "rookery.workload" -}}
{{- $root := .root -}}
{{- $workload := .workload -}}
{{- $settings := $workload.settings -}}
{{- $names := dict "root" $root "component" $workload.name -}}
{{- $isTied := and $workload.files (include "rookery.hasVolume" $root) (or (not $root.Values.media.persistence.enabled) (eq $root.Values.media.persistence.accessMode "ReadWriteOnce")) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "rookery.name" $root }}-{{ $workload.name }}
  labels:
    {{- include "rookery.labels" $names | nindent 4 }}
spec:
{{- if not $settings.autoscaling.enabled }}
  replicas: {{ $settings.replicas }}
{{- end }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- include "rookery.selector" $names | nindent 6 }}
  strategy:
{{- if and $isTied (ne $workload.half "background") }}
    # A volume of one node cannot be mounted by the next pod on another.
    type: Recreate
{{- else }}
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
{{- end }}
  template:
    metadata:
      labels:
        {{- include "rookery.labels" $names | nindent 8 }}
{{- with $settings.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
{{- end }}
    spec:
      {{- include "rookery.podSecurity" $root | nindent 6 }}
{{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
{{- end }}
      terminationGracePeriodSeconds: {{ include "rookery.graceSeconds" (dict "root" $root "workload" $workload) }}
{{- with $settings.priorityClassName }}
      priorityClassName: {{ . }}
{{- end }}
{{- if and (include "rookery.bringsDatabase" $root) $workload.schema }}
      initContainers:
        # In production a hook does this before anything starts; here the database is only just starting.
        - {{- include "rookery.migration" (dict "root" $root "service" $workload.service) | nindent 10 }}
{{- end }}
      containers:
        - {{- include "rookery.container" . | nindent 10 }}
      volumes:
        {{- include "rookery.volumes" (dict "root" $root "files" $workload.files "calls" true "workload" $workload) | nindent 8 }}
      topologySpreadConstraints:
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: ScheduleAnyway
          matchLabelKeys: [pod-template-hash]
          labelSelector:
            matchLabels:
              {{- include "rookery.selector" $names | nindent 14 }}
{{- end }}
{{- if and $isTied (eq $workload.half "background") }}
      affinity:
        # The volume is on the node where files are received.
        podAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              labelSelector:
                matchLabels:
                  {{- include "rookery.selector" (dict "root" $root "component" "media") | nindent 18 }}
{{- else }}
{{- with $settings.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
{{- end }}
{{- end }}
{{- with $settings.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
{{- end }}
{{- with $settings.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
{{- end }}
{{- end -}}
