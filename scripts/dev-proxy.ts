import { createLogger, runProcess, serveHttp } from '../packages/runtime/src/index.ts'
import { createPublicRouter } from '../services/all-in-one/src/public-router.ts'
import { readLocalConfig } from './services/config.ts'
import { remoteModule } from './services/dev-proxy.ts'

/** The local ports to which skaffold.yaml forwards the public side of each service. */
export const FORWARDED = { gateway: 3001, auth: 3002, media: 3003, streaming: 3004, federation: 3005 } as const

const forwarded = (service: keyof typeof FORWARDED) => remoteModule(() => FORWARDED[service])

/** `npm run dev-proxy`: one origin for the forwarded services of a cluster, like its ingress. */
const log = createLogger({ name: 'dev-proxy', level: 'warn' })
const onError = (error: unknown) => log.error({ err: error }, 'unhandled error in request')

export const runDevProxy = (): Promise<void> =>
  runProcess(log, async (opened) => {
    const config = readLocalConfig(process.env)
    const router = createPublicRouter({
      auth: forwarded('auth'),
      federation: forwarded('federation'),
      media: forwarded('media'),
      streaming: forwarded('streaming'),
      gateway: forwarded('gateway'),
    })
    opened.add('dev-proxy', await serveHttp({ http: router.answer, upgrade: router.upgrade, onError }, config))
    console.log(`${config.baseUrl} leads to the services whose ports are forwarded`)
  })
