import { FileOperatorDefinition, type MissingFile } from '@rookery/contracts/media'
import { operatorCall } from './servers.ts'
import type { Subcommand } from './subcommand.ts'

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

export const MEDIA_COMMANDS: readonly Subcommand[] = [copy, compare]
