{{/* Which paths are whose; everything else is the gateway's. The longest fitting path wins. A test holds this against the one process. */}}
{{- define "rookery.routes" -}}
- path: /oauth
  service: auth
- path: /oauth/userinfo
  service: gateway
- path: /auth
  service: auth
- path: /disputes
  service: auth
- path: /invite
  service: auth
- path: /.well-known/oauth-authorization-server
  service: auth
- path: /media
  service: media
- path: /users
  service: federation
- path: /inbox
  service: federation
- path: /actor
  service: federation
- path: /
  service: gateway
{{- end -}}

{{/* Where files come in. */}}
{{- define "rookery.uploads" -}}
- path: /api/v1/media
  service: gateway
- path: /api/v2/media
  service: gateway
- path: /api/v1/statuses
  service: gateway
- path: /api/v1/accounts/update_credentials
  service: gateway
- path: /api/v1/profile
  service: gateway
- path: /admin/emojis
  service: gateway
- path: /admin/domains/imports
  service: gateway
- path: /auth/account/data
  service: auth
{{- end -}}

{{/* One path of an Ingress. Given: root, path, service. */}}
{{- define "rookery.ingressPath" -}}
- path: {{ .path }}
  pathType: Prefix
  backend:
    service:
      name: {{ include "rookery.name" .root }}-{{ .service }}
      port:
        name: http
{{- end -}}

{{/* An Ingress for some paths. Given: root, suffix, annotations, paths (path and service each). */}}
{{- define "rookery.ingress" -}}
{{- $root := .root -}}
{{- $ingress := $root.Values.ingress -}}
{{- $host := include "rookery.host" $root -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "rookery.name" $root }}{{ .suffix }}
  labels:
    {{- include "rookery.labels" (dict "root" $root "component" "ingress") | nindent 4 }}
{{- with .annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
{{- end }}
spec:
  ingressClassName: {{ $ingress.className }}
{{- if $ingress.tlsSecret }}
  tls:
    - hosts: [{{ $host | quote }}]
      secretName: {{ $ingress.tlsSecret }}
{{- end }}
  rules:
    - host: {{ $host | quote }}
      http:
        paths:
{{- range .paths }}
          {{- include "rookery.ingressPath" (dict "root" $root "path" .path "service" .service) | nindent 10 }}
{{- end }}
{{- end -}}
