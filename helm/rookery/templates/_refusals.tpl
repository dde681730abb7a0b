{{/* Refuses values that could only lead to an installation that does not work or is not safe, all of them at once, each with advice. */}}
{{- define "rookery.refusals" -}}
{{- $faults := list -}}
{{- $values := .Values -}}
{{- $stores := $values.stores -}}
{{- $isDev := $values.devStores.enabled -}}
{{- if not $values.baseUrl -}}
  {{- $faults = append $faults "baseUrl is missing: the address people reach the server by, as in --set baseUrl=https://birds.example. It can never be changed later: every account and post is named after it." -}}
{{- else -}}
  {{- $url := urlParse $values.baseUrl -}}
  {{- $isLoopback := regexMatch "^(localhost|.+\\.localhost|127\\..+)$" (include "rookery.host" .) -}}
  {{- if and (eq $url.scheme "http") (not $isLoopback) -}}
    {{- $faults = append $faults (printf "baseUrl %s is not https: apps refuse servers without TLS, and passwords would travel in the clear. Only localhost may be http." $values.baseUrl) -}}
  {{- end -}}
  {{- if and $isDev (not $isLoopback) (not $values.devStores.acceptDataLoss) -}}
    {{- $faults = append $faults "devStores are for trying things out: without persistence they lose everything when a pod moves. For a public address give stores.*, or say devStores.acceptDataLoss=true." -}}
  {{- end -}}
{{- end -}}
{{- $postgres := $stores.postgres.cloudNativePg -}}
{{- $kafka := $stores.kafka.strimzi -}}
{{- if and $isDev (or $postgres.enabled $kafka.enabled) -}}
  {{- $faults = append $faults "devStores bring a database and a Kafka of their own: set devStores.enabled=false, or neither stores.postgres.cloudNativePg nor stores.kafka.strimzi." -}}
{{- end -}}
{{- if and $postgres.enabled $stores.postgres.host -}}
  {{- $faults = append $faults "stores.postgres.host is given and stores.postgres.cloudNativePg makes a database: one of them must go." -}}
{{- end -}}
{{- if and $postgres.enabled (eq $stores.postgres.roles "byHand") -}}
  {{- $faults = append $faults "stores.postgres.roles is byHand, but no one can make them before the Cluster is there: set job, which reads the secret of its administrator that CloudNativePG makes." -}}
{{- end -}}
{{- if and $postgres.enabled (not (.Capabilities.APIVersions.Has "postgresql.cnpg.io/v1")) -}}
  {{- $faults = append $faults "stores.postgres.cloudNativePg needs CloudNativePG, and the cluster does not have its kinds (postgresql.cnpg.io/v1): install it first. Without a cluster (helm template) say that they will be there: --api-versions postgresql.cnpg.io/v1." -}}
{{- end -}}
{{- if and $kafka.enabled $stores.kafka.brokers -}}
  {{- $faults = append $faults "stores.kafka.brokers is given and stores.kafka.strimzi makes brokers: one of them must go." -}}
{{- end -}}
{{- $hasStrimzi := or (.Capabilities.APIVersions.Has "kafka.strimzi.io/v1") (.Capabilities.APIVersions.Has "kafka.strimzi.io/v1beta2") -}}
{{- if and $kafka.enabled (not $hasStrimzi) -}}
  {{- $faults = append $faults "stores.kafka.strimzi needs Strimzi, and the cluster does not have its kinds (kafka.strimzi.io/v1 or v1beta2): install it first. Without a cluster (helm template) say that they will be there: --api-versions kafka.strimzi.io/v1." -}}
{{- end -}}
{{- if not $isDev -}}
  {{- if not (or $stores.postgres.host $postgres.enabled) -}}
    {{- $faults = append $faults "stores.postgres.host is missing: the Postgres (16 or newer) that keeps everything. To try things out without one: -f values-dev.yaml." -}}
  {{- end -}}
  {{- if not (or $stores.redis.url $stores.redis.secret.name) -}}
    {{- $faults = append $faults "stores.redis is missing: give stores.redis.url, as redis://host:6379, or with a password stores.redis.secret.name." -}}
  {{- end -}}
  {{- if not (or $stores.kafka.brokers $kafka.enabled) -}}
    {{- $faults = append $faults "stores.kafka.brokers is missing: give host:port of some brokers, as in --set 'stores.kafka.brokers={kafka-0.kafka:9092}'." -}}
  {{- end -}}
{{- end -}}
{{- if and $values.inspector (not $isDev) -}}
  {{- $faults = append $faults "inspector is for devStores only: anyone who reaches it can read and change everything a process holds." -}}
{{- end -}}
{{- if and $stores.redis.url (contains "@" $stores.redis.url) -}}
  {{- $faults = append $faults "stores.redis.url holds a password, which everyone who may read the release would see: put the url into a secret and name it in stores.redis.secret.name." -}}
{{- end -}}
{{- if and (eq $values.confirmation "mail") (not $values.mail.secret.name) -}}
  {{- $faults = append $faults "mail.secret.name is missing: addresses are confirmed by mail, so a secret with smtp://user:password@host:port under the key url is needed; or set confirmation=automatic, which lets in users with any address." -}}
{{- end -}}
{{- if and (eq $values.translation.provider "deepl") (not $values.translation.secret.name) -}}
  {{- $faults = append $faults "translation.secret.name is missing: deepl wants a key; put it into a secret under the key `key`." -}}
{{- end -}}
{{- if and (eq $values.translation.provider "libretranslate") (not $values.translation.url) -}}
  {{- $faults = append $faults "translation.url is missing: where LibreTranslate is reached." -}}
{{- end -}}
{{- $kafka := $stores.kafka -}}
{{- if and (or $kafka.authority.secret $kafka.certificate.secret) (not $kafka.tls) -}}
  {{- $faults = append $faults "stores.kafka.authority and certificate are for TLS: set stores.kafka.tls=true, with the brokers' port for it." -}}
{{- end -}}
{{- if and $kafka.sasl.mechanism (not (and $kafka.sasl.username $kafka.sasl.secret.name)) -}}
  {{- $faults = append $faults "stores.kafka.sasl.username and secret.name are missing: as whom, and by which password, the brokers know Rookery." -}}
{{- end -}}
{{- if and (not $kafka.sasl.mechanism) (or $kafka.sasl.username $kafka.sasl.secret.name) -}}
  {{- $faults = append $faults "stores.kafka.sasl.mechanism is missing: scram-sha-512, scram-sha-256 or plain." -}}
{{- end -}}
{{- if and (eq $kafka.sasl.mechanism "plain") (not $kafka.tls) -}}
  {{- $faults = append $faults "stores.kafka.sasl.mechanism is plain, which would send the password as it is: set stores.kafka.tls=true." -}}
{{- end -}}
{{- if and (or $stores.redis.authority.secret $stores.redis.certificate.secret) (hasPrefix "redis:" $stores.redis.url) -}}
  {{- $faults = append $faults "stores.redis.authority and certificate are for TLS: begin stores.redis.url with rediss://." -}}
{{- end -}}
{{- if and $stores.postgres.authority.secret (ne $stores.postgres.sslMode "verify-full") -}}
  {{- $faults = append $faults "stores.postgres.authority is looked at with stores.postgres.sslMode=verify-full only." -}}
{{- end -}}
{{- $files := $values.media.persistence -}}
{{- $bucket := $values.media.objectStorage -}}
{{- if $bucket.enabled -}}
  {{- range $name, $value := dict "endpoint" $bucket.endpoint "bucket" $bucket.bucket "secret.name" $bucket.secret.name -}}
    {{- if not $value -}}{{- $faults = append $faults (printf "media.objectStorage.%s is missing: the bucket needs endpoint, bucket and secret.name." $name) -}}{{- end -}}
  {{- end -}}
  {{- if and $files.enabled (not $bucket.moving) -}}
    {{- $faults = append $faults "media.persistence and media.objectStorage are both enabled: files are kept in one of them. Set media.persistence.enabled=false, or media.objectStorage.moving=true while files are moved (README)." -}}
  {{- end -}}
  {{- if and $bucket.moving (not $files.enabled) -}}
    {{- $faults = append $faults "media.objectStorage.moving needs the volume that files are moved from: set media.persistence.enabled=true, or moving=false when the move is over." -}}
  {{- end -}}
{{- else if or $bucket.endpoint $bucket.bucket $bucket.secret.name -}}
  {{- $faults = append $faults "media.objectStorage names a bucket and is not enabled: set media.objectStorage.enabled=true." -}}
{{- end -}}
{{- range $name, $workload := include "rookery.workloads" . | fromYaml -}}
  {{- $most := $workload.settings.replicas | int -}}
  {{- if $workload.settings.autoscaling.enabled -}}{{- $most = $workload.settings.autoscaling.maxReplicas | int -}}{{- end -}}
  {{- if and (eq $name "media") (gt $most 1) (include "rookery.hasVolume" $) (or (not $files.enabled) (eq $files.accessMode "ReadWriteOnce")) -}}
    {{- $faults = append $faults "workloads.media may have one replica only while its files are on a volume of one node: set media.persistence.accessMode=ReadWriteMany with a storage class that can do it, or workloads.media.replicas=1 without autoscaling." -}}
  {{- end -}}
  {{- if and $workload.settings.autoscaling.enabled (gt ($workload.settings.autoscaling.minReplicas | int) ($workload.settings.autoscaling.maxReplicas | int)) -}}
    {{- $faults = append $faults (printf "workloads.%s.autoscaling: minReplicas is above maxReplicas." $name) -}}
  {{- end -}}
{{- end -}}
{{- range $name, $workload := include "rookery.workloads" . | fromYaml -}}
  {{- $scaling := $workload.settings.autoscaling -}}
  {{- if $scaling.enabled -}}
    {{- if and (eq $scaling.by "connections") (ne $name "streaming") -}}
      {{- $faults = append $faults (printf "workloads.%s.autoscaling.by is connections: only streaming holds any." $name) -}}
    {{- end -}}
    {{- if and (eq $scaling.by "queue") (not (hasKey (include "rookery.queues" $ | fromYaml) $name)) -}}
      {{- $faults = append $faults (printf "workloads.%s.autoscaling.by is queue: only federation-background and media-motion have one." $name) -}}
    {{- end -}}
    {{- if and (eq $scaling.by "lag") (not $workload.groups) -}}
      {{- $faults = append $faults (printf "workloads.%s.autoscaling.by is lag: it takes no events from Kafka, so none can wait for it. Set cpu." $name) -}}
    {{- end -}}
    {{- if and (eq $scaling.by "lag") (gt ($scaling.maxReplicas | int) ($stores.kafka.partitions | int)) -}}
      {{- $faults = append $faults (printf "workloads.%s.autoscaling.maxReplicas is %d, above the %d of stores.kafka.partitions: pods beyond that number are given nothing. Topics that are there already keep the partitions they have." $name ($scaling.maxReplicas | int) ($stores.kafka.partitions | int)) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if and (include "rookery.scalesByKeda" .) (not (.Capabilities.APIVersions.Has "keda.sh/v1alpha1")) -}}
  {{- $faults = append $faults "autoscaling by lag or queue needs KEDA, and the cluster does not have its kinds (keda.sh/v1alpha1): install KEDA first, or scale by cpu. Without a cluster (helm template) say that they will be there: --api-versions keda.sh/v1alpha1." -}}
{{- end -}}
{{- if and (not $files.enabled) (not $bucket.enabled) (not $isDev) -}}
  {{- $faults = append $faults "media.persistence.enabled is false: pictures would be lost with their pod. That is for devStores only; give a volume, or media.objectStorage." -}}
{{- end -}}
{{- $known := include "rookery.workloads" . | fromYaml -}}
{{- range $name, $_ := $values.workloads -}}
  {{- if not (hasKey $known $name) -}}
    {{- $faults = append $faults (printf "workloads.%s is no workload; there are %s." $name (keys $known | sortAlpha | join ", ")) -}}
  {{- end -}}
{{- end -}}
{{- $own := include "rookery.ownSettings" . | fromYaml -}}
{{- range $name, $_ := $values.settings -}}
  {{- if hasKey $own $name -}}
    {{- $faults = append $faults (printf "settings.%s is made by the chart from %s: set that." $name (index $own $name)) -}}
  {{- end -}}
{{- end -}}
{{- if and $values.httpRoute.enabled (not $values.httpRoute.parentRefs) -}}
  {{- $faults = append $faults "httpRoute.parentRefs is missing: name the Gateway that takes the requests, as [{name: public, namespace: gateways}]." -}}
{{- end -}}
{{- if and $values.ingress.enabled (not $values.ingress.className) -}}
  {{- $faults = append $faults "ingress.className is missing: the class of the controller that takes the requests, as nginx." -}}
{{- end -}}
{{- if $faults -}}
  {{- fail (printf "\n\nThese values cannot be used:\n%s\n" (join "\n  - " (prepend $faults "") | trimPrefix "\n")) -}}
{{- end -}}
{{- end -}}

{{/* Settings of processes that the chart sets itself, and the value each is made from. */}}
{{- define "rookery.ownSettings" -}}
BASE_URL: baseUrl
BLOCKED_EMAIL_DOMAINS: blockedEmailDomains
CONFIRMATION: confirmation
COOKIE_KEY: cookies.keySecret
DATABASE_CONNECTIONS: stores.postgres.connections
DATA_DIR: media.persistence
DRAIN_SECONDS: drain.pauseSeconds
ENCRYPTION_KEY: encryption.keySecret
HEALTH_PORT: the chart's ports
HOST: the chart's ports
HTTP_PORT: the chart's ports
INSTANCE_CONTACT_ACCOUNT: instance.contactAccount
INSTANCE_CONTACT_EMAIL: instance.contactEmail
INSTANCE_DESCRIPTION: instance.description
INSTANCE_EXTENDED_DESCRIPTION: instance.extendedDescription
INSTANCE_LANGUAGES: instance.languages
INSTANCE_PRIVACY_POLICY: instance.privacyPolicy
INSTANCE_RULES: instance.rules
INSTANCE_TITLE: instance.title
INVITES: invites
KAFKA_BROKERS: stores.kafka.brokers
KAFKA_CA: stores.kafka.authority
KAFKA_CERTIFICATE: stores.kafka.certificate
KAFKA_CERTIFICATE_KEY: stores.kafka.certificate
KAFKA_PARTITIONS: stores.kafka.partitions
KAFKA_PASSWORD: stores.kafka.sasl
KAFKA_SASL: stores.kafka.sasl
KAFKA_TLS: stores.kafka.tls
KAFKA_USERNAME: stores.kafka.sasl
LOG_LEVEL: logLevel
PART: the chart's workloads
MAIL_FROM: mail.from
MEDIA_BUCKET: media.objectStorage
MEDIA_BUCKET_CA: media.objectStorage
MEDIA_BUCKET_ENDPOINT: media.objectStorage
MEDIA_BUCKET_KEY: media.objectStorage
MEDIA_BUCKET_KEY_ID: media.objectStorage
MEDIA_BUCKET_REGION: media.objectStorage
MEDIA_STORAGE: media.objectStorage
MEDIA_URL: media.publicUrl
PREVIEW_CARDS: previewCards
REDIS_CA: stores.redis.authority
REDIS_CERTIFICATE: stores.redis.certificate
REDIS_CERTIFICATE_KEY: stores.redis.certificate
REDIS_URL: stores.redis
REGISTRATIONS: registrations
REQUIRE_SECOND_FACTOR: requireSecondFactor
RPC_CA: calls.certificatesSecret
RPC_CERTIFICATE: calls.certificatesSecret
RPC_CERTIFICATE_KEY: calls.certificatesSecret
RPC_KEY: calls.keySecret
RPC_PORT: the chart's ports
STREAM_DRAIN_SECONDS: drain.streamSeconds
SMTP_URL: mail.secret
TRANSLATION_KEY: translation.secret
TRANSLATION_PROVIDER: translation.provider
TRANSLATION_URL: translation.url
TRUSTED_PROXIES: trustedProxies
VAPID_PRIVATE_KEY: push.keySecret
{{- end -}}
