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
let removed: boolean
let pruned: { days: number; domain: string }[]

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'command-'))
  isMoving = true
  removed = false
  pruned = []
  const files = handler(FileOperatorDefinition, {
    copy: async (_call, { afterKey }) => {
      if (!isMoving) throw new Failure('invalid', 'Files do not move: MEDIA_STORAGE must be moving.')
      return pages.get(afterKey)!
    },
    compare: async (_call, { afterKey, remove }) => {
      removed ||= remove
      if (afterKey === 'd') return { compared: 0, unknownKeys: [], missing: [], lastKey: 'd' }
      return afterKey === ''
        ? { compared: 3, unknownKeys: ['b'], missing: [{ key: 'c', mediaId: '7', ownerId: '1' }], lastKey: 'c' }
        : { compared: 1, unknownKeys: ['d'], missing: [], lastKey: 'd' }
    },
    readUsage: async () => ({
      uploads: 3,
      uploadedBytes: 1_200_000,
      remoteFiles: 2,
      remoteBytes: 2_500_000,
      domains: [{ domain: 'far.example', files: 2, bytes: 2_500_000 }],
    }),
    pruneRemote: async (_call, request) => {
      pruned.push(request)
      return pruned.length < 3 ? { removed: 500, bytes: 1_000_000 } : { removed: 0, bytes: 0 }
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

test('files and records are compared page after page; a difference that stays is a failure', async () => {
  const reported = ['b\tis named by no record', 'd\tis named by no record', 'c\tis missing\tmedia 7 of account 1']
  expect(await type('media', 'compare')).toEqual({
    code: 1,
    lines: [...reported, '1 files are missing; 2 are named by no record.'],
  })
  expect(removed).toBe(false)
  expect((await type('media', 'compare', '--remove')).lines.at(-1)).toBe('1 files are missing; 2 are named by no record, and are deleted.')
  expect(removed).toBe(true)
})

test('what files take is said, those of other servers by domain', async () => {
  expect(await type('media', 'usage')).toEqual({
    code: 0,
    lines: ['3 uploads of people of this server, 1.2 MB; 2 files of other servers, 2.5 MB.', 'far.example\t2 files\t2.5 MB'],
  })
})

test('files of other servers are pruned until there are no more, those of one by name', async () => {
  expect(await type('media', 'prune-remote', '--days', '7', '--domain', 'Far.example')).toEqual({
    code: 0,
    lines: ['1000 files of other servers are deleted, 2.0 MB.'],
  })
  expect(pruned).toEqual(Array(3).fill({ days: 7, domain: 'far.example' }))
  expect((await type('media', 'prune-remote', '--days', '-1')).code).toBe(1)
})
