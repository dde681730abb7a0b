import { parseArgs } from 'node:util'
import { SIZES, type SizeName } from './sizes.ts'

/** Another server of this API, and a token for it. */
export type Peer = { url: string; token: string }

/** What is measured, and how long each line takes. */
export type Options = {
  isApart: boolean
  /** What posts cost by their followers, and what follows for ten million people, in place of the table of pages. */
  isScaling: boolean
  size: SizeName
  seconds: number
  only: string
  port: number
  path: string
  peer: Peer | undefined
}

const sizeNamed = (name: string): SizeName => {
  if (Object.hasOwn(SIZES, name)) return name as SizeName
  throw new Error(`--size is one of ${Object.keys(SIZES).join(', ')}`)
}

const peerOf = (url: string, token: string): Peer | undefined => {
  if (!url) return undefined
  if (!URL.canParse(url) || !token) throw new Error('--peer takes the URL of a server, and --peer-token a token for it')
  return { url: new URL(url).origin, token }
}

/**
 * Reads the command's parameters: --services, --scaling, --size NAME, --seconds N, --only WORD, --port N, --peer URL with --peer-token TOKEN.
 * @throws Error for a size that there is not, and for a peer without a token
 */
export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      services: { type: 'boolean', default: false },
      scaling: { type: 'boolean', default: false },
      size: { type: 'string', default: '20k' },
      seconds: { type: 'string', default: '8' },
      only: { type: 'string', default: '' },
      port: { type: 'string', default: '3999' },
      peer: { type: 'string', default: '' },
      'peer-token': { type: 'string', default: '' },
    },
  })
  return {
    isApart: values.services,
    isScaling: values.scaling,
    size: sizeNamed(values.size),
    seconds: Number(values.seconds),
    only: values.only,
    port: Number(values.port),
    path: process.env['PATH'] ?? '',
    peer: peerOf(values.peer, values['peer-token']),
  }
}
