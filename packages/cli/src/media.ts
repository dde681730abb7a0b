import { FileOperatorDefinition, type MissingFile } from '@rookery/contracts/media'
import { invalid } from '@rookery/failures'
import { operatorCall } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

const copy: Subcommand = {
  usage: 'copy-to-bucket',
  summary: 'Copies the files on the disk into the bucket, while MEDIA_STORAGE is moving. It may be ended and run again.',
  async run(servers) {
    const operator = await servers.of('media', FileOperatorDefinition)
    let [lookedAt, copied] = [0, 0]
    for (let afterKey = ''; ; ) {
      const page = await operator.copy(operatorCall(), { afterKey })
      if (page.lookedAt === 0) break
      lookedAt += page.lookedAt
      copied += page.copied
      afterKey = page.lastKey
    }
    return {
      lines: [`${lookedAt} files are on the disk; ${copied} of them were copied, the others were in the bucket.`],
      json: { lookedAt, copied },
    }
  },
}

const lineOf = ({ key, mediaId, ownerId }: MissingFile) => `${key}\tis missing\tmedia ${mediaId} of account ${ownerId}`

const compare: Subcommand = {
  usage: 'compare',
  summary: 'Compares files with the records that name them, and with --remove deletes files that none names.',
  options: { '--remove': 'delete files that no record names' },
  async run(servers, { options }) {
    const operator = await servers.of('media', FileOperatorDefinition)
    const remove = options['remove'] === true
    const [unknown, missing]: [string[], MissingFile[]] = [[], []]
    for (let afterKey = ''; ; ) {
      const page = await operator.compare(operatorCall(), { afterKey, remove })
      if (page.compared === 0) break
      unknown.push(...page.unknownKeys)
      missing.push(...page.missing)
      afterKey = page.lastKey
    }
    const end = remove && unknown.length > 0 ? ', and are deleted' : ''
    const lines = [
      ...unknown.map((key) => `${key}\tis named by no record`),
      ...missing.map(lineOf),
      `${missing.length} files are missing; ${unknown.length} are named by no record${end}.`,
    ]
    return { lines, json: { unknown, missing }, hasFailed: missing.length > 0 || (unknown.length > 0 && !remove) }
  },
}

/** Formats a number of bytes. */
const sizeOf = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

const usage: Subcommand = {
  usage: 'usage',
  summary: 'Says how many files there are, and what those of other servers take.',
  async run(servers) {
    const operator = await servers.of('media', FileOperatorDefinition)
    const { uploads, uploadedBytes, remoteFiles, remoteBytes, domains } = await operator.readUsage(operatorCall(), {})
    const lines = [
      `${uploads} uploads of people of this server, ${sizeOf(uploadedBytes)}; ${remoteFiles} files of other servers, ${sizeOf(remoteBytes)}.`,
      ...domains.map(({ domain, files, bytes }) => `${domain}\t${files} files\t${sizeOf(bytes)}`),
    ]
    return { lines, json: { uploads, uploadedBytes, remoteFiles, remoteBytes, domains } }
  },
}

const MAX_DAYS = 36_500

const prune: Subcommand = {
  usage: 'prune-remote',
  summary: 'Deletes files of other servers that no one asked for lately; they are fetched again when someone does.',
  options: {
    '--days <days>': 'those that no one asked for within so many days; all unless said',
    '--domain <domain>': 'of this server and those below it alone',
  },
  async run(servers, typed) {
    const days = Number(textOf(typed, 'days'))
    if (!Number.isInteger(days) || days < 0 || days > MAX_DAYS) throw invalid('--days must be a whole number')
    const domain = textOf(typed, 'domain').toLowerCase()
    const operator = await servers.of('media', FileOperatorDefinition)
    let [removed, bytes] = [0, 0]
    for (;;) {
      const page = await operator.pruneRemote(operatorCall(), { days, domain })
      if (page.removed === 0) break
      removed += page.removed
      bytes += page.bytes
    }
    return { lines: [`${removed} files of other servers are deleted, ${sizeOf(bytes)}.`], json: { removed, bytes } }
  },
}

export const MEDIA_COMMANDS: readonly Subcommand[] = [copy, compare, usage, prune]
