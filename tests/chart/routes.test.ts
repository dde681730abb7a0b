import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../services/all-in-one/src/public-router.ts'
import { endpoints } from '../../services/gateway/src/routes/index.ts'
import { type Json, ofKind, one, render } from './render.ts'
import { named, whyNo } from './tools.ts'

const noHelm = whyNo('helm')

const PATHS = [
  '/api/v1/timelines/home',
  '/api/v2/instance',
  '/api/v1/media/1',
  '/api/v2/media',
  '/api/v1/accounts/update_credentials',
  '/api/v1/streaming',
  '/api/v1/streaming/user',
  '/api/v1/streaming/health',
  '/oauth/authorize',
  '/oauth/token',
  '/oauth/userinfo',
  '/auth/sign_up',
  '/auth/account/data',
  '/disputes/strikes/1',
  '/invite/abc',
  '/api/v1/invites/abc',
  '/.well-known/oauth-authorization-server',
  '/.well-known/webfinger',
  '/nodeinfo/2.0',
  '/media/abc.png',
  '/avatars/original/missing.png',
  '/@mara',
  '/authorize_interaction',
  '/inbox',
  '/actor',
  '/users/mara',
  '/users/mara/inbox',
  '/users/mara/statuses/7/activity',
  '/actors',
]

/** The service of the longest prefix that fits whole parts of a path. */
const longest = (routes: readonly { path: string; service: string }[], path: string) =>
  routes
    .filter((route) => route.path === '/' || path === route.path || path.startsWith(`${route.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]?.service

describe.skipIf(noHelm)(named('the chart’s routes', noHelm), () => {
  const ingresses = noHelm ? [] : ofKind(render('ingress'), 'Ingress')
  const byIngress = ingresses.flatMap(({ spec }) =>
    spec.rules[0].http.paths.map(({ path, backend }: Json) => ({ path, service: backend.service.name.replace('rookery-', '') })),
  )
  const byRoute = noHelm
    ? []
    : ofKind(render('large'), 'HTTPRoute')[0]!['spec'].rules.map(({ matches, backendRefs }: Json) => ({
        path: matches[0].path.value,
        service: backendRefs[0].name.replace('rookery-', ''),
      }))

  it.each(PATHS)('take %s to whom the one process takes it', (path) => {
    expect(longest(byIngress, path)).toBe(ownerOf(path))
    expect(longest(byRoute, path)).toBe(ownerOf(path))
  })

  it('keep streams open, hold nothing back and send nothing twice', () => {
    const { metadata } = one(ingresses, 'Ingress', 'rookery-streaming')
    expect(metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
      'nginx.ingress.kubernetes.io/proxy-next-upstream': 'off',
    })
    const [route] = ofKind(render('large'), 'HTTPRoute')
    expect(route!['spec'].rules[0].timeouts).toEqual({ request: '1h', backendRequest: '1h' })
    for (const rule of route!['spec'].rules) expect(rule).not.toHaveProperty('retry')
  })

  it('take large bodies only where files come in', () => {
    const uploads = one(ingresses, 'Ingress', 'rookery-uploads')['spec'].rules[0].http.paths.map(({ path }: Json) => path)
    for (const { files, path } of endpoints.filter((endpoint) => endpoint.files.length > 0))
      expect(
        longest(
          uploads.map((upload: string) => ({ path: upload, service: 'uploads' })),
          path,
        ),
        files.join(),
      ).toBe('uploads')
    for (const { metadata } of ingresses)
      expect('nginx.ingress.kubernetes.io/proxy-body-size' in (metadata.annotations ?? {})).toBe(metadata.name === 'rookery-uploads')
  })

  it('ask cert-manager once for the one certificate', () => {
    const asking = ingresses.filter(({ metadata }) => metadata.annotations?.['cert-manager.io/cluster-issuer'])
    expect(asking.map(({ metadata }) => metadata.name)).toEqual(['rookery'])
    for (const { spec } of ingresses) expect(spec.tls).toEqual([{ hosts: ['birds.example'], secretName: 'rookery-tls' }])
  })
})
