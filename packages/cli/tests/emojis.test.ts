import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CustomEmoji, EmojiOperatorDefinition, type ImportEmojiRequest } from '@rookery/contracts/statuses'
import { Failure, invalid } from '@rookery/failures'
import { handler, serve } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../src/index.ts'

const emoji = (shortcode: string, category = ''): CustomEmoji => ({
  shortcode,
  category,
  url: `https://here.example/media/${shortcode}.png`,
  staticUrl: '',
  visibleInPicker: true,
})

describe('the operator’s emojis', () => {
  let folder: string
  let asked: ImportEmojiRequest[]
  let server: Awaited<ReturnType<typeof serve>>

  const operator = handler(EmojiOperatorDefinition, {
    import: async (_call, request) => {
      if (request.shortcode === 'bad-name') throw invalid('Shortcode is invalid')
      if (request.shortcode === 'away') throw new Failure('unavailable', 'Service Unavailable')
      asked.push(request)
      return emoji(request.shortcode, request.category)
    },
    list: async () => ({ emojis: [emoji('ant', 'animals'), emoji('blob')] }),
    remove: async (_call, { shortcode }) => emoji(shortcode),
  })

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'command-'))
    asked = []
    mkdirSync(join(folder, 'pictures'))
    for (const name of ['wave.PNG', 'ant.webp', 'notes.txt', 'bad-name.gif']) writeFileSync(join(folder, 'pictures', name), name)
    server = await serve([operator], `unix:${join(folder, 'operator.sock')}`)
  })
  afterEach(async () => {
    await server.stop(0)
    rmSync(folder, { recursive: true })
  })

  const run = async (...words: string[]) => {
    const [printed, complained]: [string[], string[]] = [[], []]
    const code = await runCommand(words, { print: (line) => printed.push(line), complain: (line) => complained.push(line) }, folder)
    return { code, printed, complained }
  }

  test('are imported from files and folders, named by the files', async () => {
    const file = join(folder, 'pictures', 'wave.PNG')
    expect(await run('emoji', 'import', file, '--category', 'hands')).toEqual({
      code: 0,
      complained: [],
      printed: ['1 imported, 0 failed.'],
    })
    expect(asked).toEqual([{ shortcode: 'wave', category: 'hands', picture: Buffer.from('wave.PNG') }])
    const { code, printed } = await run('emoji', 'import', join(folder, 'pictures'))
    expect(asked.map(({ shortcode }) => shortcode)).toEqual(['wave', 'ant', 'wave'])
    expect(printed).toEqual([
      `${join(folder, 'pictures', 'bad-name.gif')}\tValidation failed: Shortcode is invalid`,
      '2 imported, 1 failed.',
    ])
    expect(code).toBe(1)
  })

  test('stop at once when the server goes away or a file is missing', async () => {
    writeFileSync(join(folder, 'pictures', 'away.png'), 'away')
    expect((await run('emoji', 'import', join(folder, 'pictures'))).complained[0]).toContain('cannot be reached')
    expect((await run('emoji', 'import', join(folder, 'nowhere.png'))).complained[0]).toContain('ENOENT')
    expect((await run('emoji', 'import')).code).toBe(1)
  })

  test('are listed and removed', async () => {
    expect((await run('emoji', 'list')).printed).toEqual([
      'ant\tanimals\thttps://here.example/media/ant.png',
      'blob\t\thttps://here.example/media/blob.png',
    ])
    expect((await run('emoji', 'remove', 'blob')).printed).toEqual(['The emoji blob was removed.'])
  })
})
