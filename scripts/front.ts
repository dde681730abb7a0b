import { createLogger, runProcess, serveHttp } from '../packages/runtime/src/index.ts'
import { createFront } from '../services/all-in-one/src/front.ts'
import { readLocalConfig } from './services/config.ts'
import { remoteModule } from './services/front.ts'

/** Where skaffold.yaml leads the public side of each service to, on this machine. */
export const FORWARDED = { gateway: 3001, auth: 3002, media: 3003, streaming: 3004 } as const

const forwarded = (service: keyof typeof FORWARDED) => remoteModule(() => FORWARDED[service])

/** `npm run front`: one origin for services of a cluster whose ports are forwarded to this machine, as an ingress would make it. */
const log = createLogger({ name: 'front', level: 'warn' })
const onError = (error: unknown) => log.error({ err: error }, 'unhandled error in request')

export const runFront = (): Promise<void> =>
  runProcess(log, async (opened) => {
    const config = readLocalConfig(process.env)
    const front = createFront({
      auth: forwarded('auth'),
      media: forwarded('media'),
      streaming: forwarded('streaming'),
      gateway: forwarded('gateway'),
    })
    opened.add('front', await serveHttp({ http: front.answer, upgrade: front.upgrade, onError }, config))
    console.log(`${config.baseUrl} leads to the services whose ports are forwarded`)
  })
