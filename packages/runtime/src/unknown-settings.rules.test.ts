import { expect, test } from 'vitest'
import { SETTING_NAMES } from './setting-names.ts'
import { unknownSettings } from './unknown-settings.rules.ts'

test.each([
  ['REGISTATIONS', 'REGISTATIONS is no setting: is REGISTRATIONS meant?'],
  ['BASE_ULR', 'BASE_ULR is no setting: is BASE_URL meant?'],
  ['base_url', 'base_url is no setting: is BASE_URL meant?'],
  ['DATABSE_URL', 'DATABSE_URL is no setting: is DATABASE_URL meant?'],
  ...['FEDERATION', 'INSTANCE', 'MEDIA', 'REMOTE_MEDIA', 'RPC', 'SMTP', 'STREAM', 'TRANSLATION', 'TRENDS', 'VAPID'].map((family) => [
    `${family}_OF_NONE`,
    `${family}_OF_NONE is no setting: docs/configuration.md has all.`,
  ]),
  ['SMTP_PASWORD', 'SMTP_PASWORD is no setting: docs/configuration.md has all.'],
  ['MEDIA_BUCKET_SECRET', 'MEDIA_BUCKET_SECRET is no setting: docs/configuration.md has all.'],
])('%s is named, without its value', (name, sentence) => {
  expect(unknownSettings({ [name]: 'hunter2' })).toEqual([sentence])
})

test('settings of every service are known, and empty ones are not looked at', () => {
  expect(unknownSettings({ ...Object.fromEntries(SETTING_NAMES.map((name) => [name, 'x'])), SMTP_PASWORD: '' })).toEqual([])
  expect(SETTING_NAMES).toEqual(
    expect.arrayContaining(['BASE_URL', 'STATUSES_ADDRESS', 'MEDIA_DATABASE_URL', 'ADMINISTRATOR_DATABASE_URL']),
  )
})

test('variables of other programs and of services in a cluster are left alone', () => {
  const theirs = {
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'pod-1',
    LANG: 'C.UTF-8',
    LOGNAME: 'rookery',
    SHELL: '/bin/sh',
    PWD: '/',
    TERM: 'xterm',
    EDITOR: 'vi',
    NODE_ENV: 'production',
    NODE_VERSION: '26.0.0',
    NODE_OPTIONS: '--inspect',
    HTTP_PROXY: 'http://proxy:3128',
    HTTPS_PROXY: 'http://proxy:3128',
    NO_PROXY: 'localhost',
    XDG_DATA_DIRS: '/usr/share',
    PGDATA: '/var/lib/postgresql',
    PGHOST: 'localhost',
    KAFKA_HOME: '/opt/kafka',
    PUSH_ADDRESS: 'http://127.0.0.1:8080',
    KAFKA_OPTS: '-Xmx1g',
    KUBECONFIG: '/root/.kube/config',
    OTEL_SERVICE_NAME: 'birds',
    OTEL_EXPORTER_OTLP_HEADERS: 'x=y',
    npm_config_registry: 'https://registry.example',
    INVOCATION_ID: 'x',
    JOURNAL_STREAM: '9:1',
    MEDIA_SERVICE_HOST: '10.0.0.1',
    MEDIA_SERVICE_PORT: '80',
    MEDIA_SERVICE_PORT_HTTP: '80',
    MEDIA_PORT: 'tcp://10.0.0.1:80',
    MEDIA_PORT_80_TCP: 'tcp://10.0.0.1:80',
    MEDIA_PORT_80_TCP_ADDR: '10.0.0.1',
    STATUSES_SERVICE_HOST: '10.0.0.2',
    REDIS_PORT: 'tcp://10.0.0.3:6379',
    HTTP_ORT_SERVICE_HOST: '10.0.0.4',
  }
  expect(unknownSettings(theirs)).toEqual([])
})

test.each([
  ['a letter that is missing', 'EDITON', ['EDITION']],
  ['a letter too many', 'EDITTION', ['EDITION']],
  ['another letter', 'EDITIOM', ['EDITION']],
  ['two letters in the wrong order', 'DEITION', ['EDITION']],
  ['two other letters of a short name', 'EDITXXN', []],
  ['one letter more, of a name of five', 'PORTS', []],
  ['one letter less, of a name of six', 'PORTSS', ['PORTSSS']],
  ['two other letters of a name of sixteen', 'STATUSES_ADDREXX', ['STATUSES_ADDRESS']],
  ['two letters less, of a name of fifteen', 'ADDRESS_OF_STAT', []],
  ['several that are similar, the most similar', 'STATUSES_ADDRESSE', ['STATUSES_ADDRESS']],
])('a name with %s is meant as: %#', (_what, name, meant) => {
  const known = ['EDITION', 'PORT', 'PORTSSS', 'ADDRESS_OF_STATUS', 'STATUSES_ADDRESSED_', 'STATUSES_ADDRESS']
  expect(unknownSettings({ [name]: 'x' }, known)).toEqual(meant.map((each) => `${name} is no setting: is ${each} meant?`))
})
