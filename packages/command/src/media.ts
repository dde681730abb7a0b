import { FileOperatorDefinition } from '@rookery/contracts/media'
import { operatorCall } from './servers.ts'
import type { Subcommand } from './subcommand.ts'

const copy: Subcommand = {
  name: 'media copy-to-bucket',
  usage: '',
  summary: 'Copies the files on the disk into the bucket, while MEDIA_STORAGE is moving. It may be ended and run again.',
  operands: [0, 0],
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

export const MEDIA_COMMANDS: readonly Subcommand[] = [copy]
