import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Route } from './front.ts'
import { makeNamespace, removeNamespace } from './namespaces.ts'
import { apply, get, helm, type Json, kubectl } from './programs.ts'
import { CHART, valuesFlags } from './settings.ts'

/** Where the public's requests come from; values say so to the policies. */
export const FRONT = 'rookery-test-front'

/** How the public reaches a release. */
export type Reach = {
  /** Where this process reaches the stand-in for an ingress controller. */
  origin: string
  /** The address the release gives itself. */
  base: string
  /** Where pods reach it, at port 80. */
  address: string
  close(): Promise<void>
}

/** Which path the chart's Ingresses hand to which Service of the release. */
const routesOf = async (namespace: string, files: readonly string[]): Promise<Route[]> => {
  const flags = ['--set', 'ingress.enabled=true,ingress.className=tests', '--show-only', 'templates/ingress.yaml']
  const text = await helm('template', 'rookery', CHART, '--namespace', namespace, ...valuesFlags(...files), ...flags)
  const ingresses = parseAllDocuments(text).map((document) => document.toJS() as Json)
  return ingresses.flatMap((ingress) =>
    ingress.spec.rules[0].http.paths.map(({ path, backend }: Json) => ({ path, host: `${backend.service.name}.${namespace}`, port: 80 })),
  )
}

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

const frontOf = (image: string, environment: Record<string, string>) => [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'front' },
    data: { 'front.ts': readFileSync(join(import.meta.dirname, 'front.ts'), 'utf8') },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'front' },
    spec: { selector: { app: 'front' }, ports: [{ port: 80, targetPort: 'http' }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'front', labels: { app: 'front' } },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'front',
          image,
          command: ['node', '/front/front.ts'],
          env: Object.entries(environment).map(([name, value]) => ({ name, value })),
          ports: [{ name: 'http', containerPort: 8080 }],
          readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 1 },
          securityContext: restricted,
          volumeMounts: [{ name: 'front', mountPath: '/front' }],
        },
      ],
      volumes: [{ name: 'front', configMap: { name: 'front' } }],
    },
  },
]

/** A way from this process to a port of a pod, for as long as the pod is there. */
const forward = async (namespace: string, pod: string, port: number) => {
  const child = spawn('kubectl', ['port-forward', '--namespace', namespace, `pod/${pod}`, `:${port}`])
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ''
    const hear = (text: Buffer) => {
      said += text
      const [, local] = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(said) ?? []
      if (local) resolve(`http://127.0.0.1:${local}`)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('close', (code) => reject(new Error(`kubectl port-forward ended with ${code}: ${said}`)))
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  return {
    origin,
    close: async () => {
      child.kill()
      await ended
    },
  }
}

/** Puts the stand-in for an ingress controller before a release, which must be installed; in a namespace of its own. */
export const reach = async (namespace: string, files: readonly string[], front = FRONT): Promise<Reach> => {
  const { containers } = (await get('deployment', 'rookery-gateway', '--namespace', namespace)).spec.template.spec
  const { containers: auths } = (await get('deployment', 'rookery-auth', '--namespace', namespace)).spec.template.spec
  const base = auths[0].env.find(({ name }: Json) => name === 'BASE_URL').value as string
  const { host, protocol } = new URL(base)
  const routes = await routesOf(namespace, files)
  await makeNamespace(front)
  const reported = { ROUTES: JSON.stringify(routes), PUBLIC_HOST: host, PUBLIC_PROTOCOL: protocol.slice(0, -1) }
  await apply(front, ...frontOf(containers[0].image, reported))
  await kubectl('wait', '--namespace', front, '--for', 'condition=Ready', 'pod/front', '--timeout', '60s')
  const { spec } = await get('service', 'front', '--namespace', front)
  const way = await forward(front, 'front', 8080)
  return {
    origin: way.origin,
    base,
    address: spec.clusterIP,
    close: async () => {
      await way.close()
      await removeNamespace(front)
    },
  }
}
