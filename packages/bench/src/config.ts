import { parseArgs } from 'node:util'
import { CONNECTIONS } from './load.ts'
import { SIZES, type SizeName } from './sizes.ts'

/** Another server of this API, and tokens of people there. */
export type Peer = { url: string; tokens: readonly string[] }

/** The options of the benchmark. */
export type Options = {
  isApart: boolean
  /** Measure the cost of posts by followers, and extrapolate to ten million people, instead of the table of pages. */
  isScaling: boolean
  /** For the measurement of scaling: the numbers of partitions to measure, and the followers of a post. */
  partitions: readonly number[]
  followers: number
  size: SizeName
  seconds: number
  connections: number
  only: string
  port: number
  path: string
  peer: Peer | undefined
}

const sizeNamed = (name: string): SizeName => {
  if (Object.hasOwn(SIZES, name)) return name as SizeName
  throw new Error(`--size is one of ${Object.keys(SIZES).join(', ')}`)
}

const peerOf = (url: string, tokens: readonly string[]): Peer | undefined => {
  if (!url) return undefined
  if (!URL.canParse(url) || tokens.length === 0 || tokens.includes(''))
    throw new Error('--peer takes the URL of a server, and --peer-token a token for it')
  return { url: new URL(url).origin, tokens }
}

const countOf = (option: string, text: string): number => {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new Error(`${option} takes whole numbers above 0`)
}

/** The usage text of the command. */
export const USAGE = `npm run bench -- [options]
  --size NAME         how many statuses the server holds: ${Object.keys(SIZES).join(', ')}
  --seconds N         how long each line is measured
  --connections N     over how many connections requests come at once
  --only WORDS        lines that have these words; or sockets, servers, films, million or upkeep
  --services          the services apart, in place of one process
  --peer URL          another server of this API, in turn with this one; with --peer-token TOKEN, several times
                      for homes of several people
  --scaling           what a post costs by its followers, over --partitions N,N and --followers N
  --port N            where the server listens`

/**
 * Parses the command's options.
 * @throws Error for an unknown option or size, for connections, partitions and followers that are not numbers, and for a peer without a
 * token
 */
export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      services: { type: 'boolean', default: false },
      scaling: { type: 'boolean', default: false },
      partitions: { type: 'string', default: '1,2,4' },
      followers: { type: 'string', default: '300000' },
      size: { type: 'string', default: '20k' },
      seconds: { type: 'string', default: '8' },
      connections: { type: 'string', default: String(CONNECTIONS) },
      only: { type: 'string', default: '' },
      port: { type: 'string', default: '3999' },
      peer: { type: 'string', default: '' },
      'peer-token': { type: 'string', multiple: true, default: [] },
    },
  })
  return {
    isApart: values.services,
    isScaling: values.scaling,
    partitions: values.partitions.split(',').map((count) => countOf('--partitions', count)),
    followers: countOf('--followers', values.followers),
    size: sizeNamed(values.size),
    seconds: Number(values.seconds),
    connections: countOf('--connections', values.connections),
    only: values.only,
    port: Number(values.port),
    path: process.env['PATH'] ?? '',
    peer: peerOf(values.peer, values['peer-token']),
  }
}
