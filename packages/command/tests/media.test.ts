import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileOperatorDefinition } from '@rookery/contracts/media'
import { Failure } from '@rookery/failures'
import { handler, serve } from '@rookery/rpc'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../src/index.ts'

let dataDir: string
let stop: () => Promise<void>
const pages = new Map([
  ['', { lookedAt: 2, copied: 2, lastKey: 'b' }],
  ['b', { lookedAt: 1, copied: 0, lastKey: 'c' }],
  ['c', { lookedAt: 0, copied: 0, lastKey: 'c' }],
])
let isMoving: boolean

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'command-'))
  isMoving = true
  const files = handler(FileOperatorDefinition, {
    copy: async (_call, { afterKey }) => {
      if (!isMoving) throw new Failure('invalid', 'Files do not move: MEDIA_STORAGE must be moving.')
      return pages.get(afterKey)!
    },
  })
  const server = await serve([files], `unix:${join(dataDir, 'media.operator.sock')}`)
  stop = () => server.stop(0)
})
afterEach(async () => {
  await stop()
  rmSync(dataDir, { recursive: true })
})

const type = async (...words: string[]) => {
  const lines: string[] = []
  const say = (line: string) => lines.push(line)
  return { code: await runCommand(words, { print: say, complain: say }, dataDir), lines }
}

test('files are copied page after page until there are no more', async () => {
  expect(await type('media', 'copy-to-bucket')).toEqual({
    code: 0,
    lines: ['3 files are on the disk; 2 of them were copied, the others were in the bucket.'],
  })
  expect(await type('media', 'copy-to-bucket', '--json')).toEqual({ code: 0, lines: ['{"lookedAt":3,"copied":2}'] })
})

test('a server whose files do not move says so', async () => {
  isMoving = false
  expect(await type('media', 'copy-to-bucket')).toEqual({ code: 1, lines: ['Files do not move: MEDIA_STORAGE must be moving.'] })
})
