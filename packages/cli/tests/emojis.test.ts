import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CustomEmoji, EmojiOperatorDefinition, type ImportEmojiRequest } from '@rookery/contracts/statuses'
import { Failure, invalid } from '@rookery/failures'
import { handler } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OperatorSocket, openOperatorSocket } from './operator-socket.ts'

const emoji = (shortcode: string, category = ''): CustomEmoji => ({
  shortcode,
  category,
  url: `https://here.example/media/${shortcode}.png`,
  staticUrl: '',
  visibleInPicker: true,
})

const elsewhere = (domain: string, shortcode: string) => ({
  domain,
  shortcode,
  url: `https://here.example/media/remote/${shortcode}`,
  staticUrl: '',
})

describe('the operator’s emojis', () => {
  let socket: OperatorSocket
  let asked: ImportEmojiRequest[]

  const operator = handler(EmojiOperatorDefinition, {
    import: async (_call, request) => {
      if (request.shortcode === 'bad-name') throw invalid('Shortcode is invalid')
      if (request.shortcode === 'away') throw new Failure('unavailable', 'Service Unavailable')
      asked.push(request)
      return emoji(request.shortcode, request.category)
    },
    list: async () => ({ emojis: [emoji('ant', 'animals'), emoji('blob')] }),
    remove: async (_call, { shortcode }) => emoji(shortcode),
    setDisabled: async (_call, { shortcode, isDisabled }) => ({ ...emoji(shortcode), isDisabled }),
    listRemote: async (_call, { domain, afterDomain }) =>
      afterDomain
        ? { emojis: [elsewhere(domain || 'b.example', 'wren')], nextAfterDomain: '', nextAfterShortcode: '' }
        : { emojis: [elsewhere(domain || 'a.example', 'robin')], nextAfterDomain: 'a.example', nextAfterShortcode: 'robin' },
    copyRemote: async (_call, { shortcode, newShortcode, category }) => emoji(newShortcode || shortcode, category),
    removeRemote: async (_call, { domain, shortcode }) => elsewhere(domain, shortcode),
  })

  beforeEach(async () => {
    socket = await openOperatorSocket(operator)
    asked = []
    mkdirSync(join(socket.folder, 'pictures'))
    for (const name of ['wave.PNG', 'ant.webp', 'notes.txt', 'bad-name.gif']) writeFileSync(join(socket.folder, 'pictures', name), name)
  })
  afterEach(() => socket.close())

  const run = (...words: string[]) => socket.run(...words)

  test('are imported from files and folders, named by the files', async () => {
    const file = join(socket.folder, 'pictures', 'wave.PNG')
    expect(await run('emoji', 'import', file, '--category', 'hands')).toEqual({
      code: 0,
      complained: [],
      printed: ['1 imported, 0 failed.'],
    })
    expect(asked).toEqual([{ shortcode: 'wave', category: 'hands', picture: Buffer.from('wave.PNG'), staffId: '' }])
    const { code, printed } = await run('emoji', 'import', join(socket.folder, 'pictures'))
    expect(asked.map(({ shortcode }) => shortcode)).toEqual(['wave', 'ant', 'wave'])
    expect(printed).toEqual([
      `${join(socket.folder, 'pictures', 'bad-name.gif')}\tValidation failed: Shortcode is invalid`,
      '2 imported, 1 failed.',
    ])
    expect(code).toBe(1)
  })

  test('stop at once when the server goes away or a file is missing', async () => {
    writeFileSync(join(socket.folder, 'pictures', 'away.png'), 'away')
    expect((await run('emoji', 'import', join(socket.folder, 'pictures'))).complained[0]).toContain('cannot be reached')
    const nowhere = join(socket.folder, 'nowhere.png')
    expect((await run('emoji', 'import', nowhere)).complained).toEqual([`There is no file ${nowhere}.`])
    expect((await run('emoji', 'import')).code).toBe(1)
  })

  test('are listed and removed', async () => {
    expect((await run('emoji', 'list')).printed).toEqual([
      'ant\tanimals\thttps://here.example/media/ant.png',
      'blob\t\thttps://here.example/media/blob.png',
    ])
    expect((await run('emoji', 'remove', 'blob')).printed).toEqual(['The emoji blob was removed.'])
    expect((await run('emoji', 'disable', 'blob')).printed).toEqual(['The emoji blob is disabled.'])
    expect((await run('emoji', 'enable', 'blob')).printed).toEqual(['The emoji blob is enabled.'])
  })

  test('of other servers are listed page by page, copied and removed', async () => {
    const line = (domain: string, shortcode: string) => `${domain}\t${shortcode}\thttps://here.example/media/remote/${shortcode}`
    expect((await run('emoji', 'list-remote')).printed).toEqual([line('a.example', 'robin'), line('b.example', 'wren')])
    expect((await run('emoji', 'list-remote', 'c.example')).printed).toEqual([line('c.example', 'robin'), line('c.example', 'wren')])
    expect((await run('emoji', 'copy', 'a.example', 'robin')).printed).toEqual(['The emoji robin was added.'])
    expect((await run('emoji', 'copy', 'a.example', 'robin', 'redbreast')).printed).toEqual(['The emoji redbreast was added.'])
    expect((await run('emoji', 'remove-remote', 'a.example', 'robin')).printed).toEqual(['The emoji robin of a.example was removed.'])
  })
})
