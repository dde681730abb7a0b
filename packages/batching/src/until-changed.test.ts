import { beforeEach, describe, expect, test } from 'vitest'
import { type Remembered, untilChanged } from './index.ts'

let time = 0
let stamp: number | undefined
let loads: string[][] = []
let answer: (key: string) => string | undefined
let meanwhile: () => void
const kept = new Map<string, Remembered<string>>()
const memory = {
  get: (key: string, isUsable: (entry: Remembered<string>) => boolean) => {
    const entry = kept.get(key)
    return entry && isUsable(entry) ? entry : undefined
  },
  set: (key: string, entry: Remembered<string>) => void kept.set(key, entry),
}
const read = untilChanged(
  async (keys) => {
    loads.push(keys)
    meanwhile()
    return new Map(keys.flatMap((key) => (answer(key) === undefined ? [] : [[key, answer(key)!]])))
  },
  { stamp: () => stamp, memory, isKept: (value) => value !== 'no one', now: () => time },
)
const loadsOf = async (...keys: string[]) => {
  loads = []
  await read(keys)
  return loads
}

beforeEach(() => {
  ;[time, stamp, loads, answer, meanwhile] = [0, 1, [], (key) => key.toUpperCase(), () => {}]
  kept.clear()
})

describe('what is remembered until it changes', () => {
  test('is loaded once, and what is asked for with it alone', async () => {
    expect(await read(['a', 'b'])).toEqual(
      new Map([
        ['a', 'A'],
        ['b', 'B'],
      ]),
    )
    expect(await read(['b'])).toEqual(new Map([['b', 'B']]))
    expect(await loadsOf('a', 'b', 'c')).toEqual([['c']])
  })

  test('is loaded again once the stamp is another', async () => {
    await read(['a'])
    stamp = 2
    expect([await loadsOf('a'), await loadsOf('a')]).toEqual([[['a']], []])
  })

  test('is loaded again after a second, counted from the question, however often it was read', async () => {
    await read(['a'])
    for (const moment of [300, 600, 999]) {
      time = moment
      expect(await loadsOf('a')).toEqual([])
    }
    time = 1000
    expect(await loadsOf('a')).toEqual([['a']])
  })

  test('is not kept longer for an answer that took its time', async () => {
    meanwhile = () => {
      time = 700
    }
    await read(['a'])
    time = 1000
    expect(await loadsOf('a')).toEqual([['a']])
  })

  test('is not given again when a change came while it was loaded', async () => {
    meanwhile = () => {
      stamp = 2
    }
    await read(['a'])
    meanwhile = () => {}
    expect(await loadsOf('a')).toEqual([['a']])
  })

  test('is not given again when changes could go unseen before or after the answer', async () => {
    stamp = undefined
    expect([await loadsOf('a'), await loadsOf('a')]).toEqual([[['a']], [['a']]])
    stamp = 3
    meanwhile = () => {
      stamp = undefined
    }
    await read(['a'])
    meanwhile = () => {}
    stamp = 4
    expect(await loadsOf('a')).toEqual([['a']])
  })

  test('is neither what was not answered nor what is not to be kept', async () => {
    answer = (key) => (key === 'nothing' ? undefined : 'no one')
    expect(await read(['nothing', 'stranger'])).toEqual(new Map([['stranger', 'no one']]))
    expect(await loadsOf('nothing', 'stranger')).toEqual([['nothing', 'stranger']])
  })
})
