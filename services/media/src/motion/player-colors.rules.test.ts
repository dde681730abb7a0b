import { encode } from 'blurhash'
import { expect, test } from 'vitest'
import { playerColors } from './player-colors.rules.ts'

const blurhashOf = (...rgb: number[]) =>
  encode(
    new Uint8ClampedArray(
      Array(64)
        .fill([...rgb, 255])
        .flat(),
    ),
    8,
    8,
    4,
    4,
  )

test.each([
  ['dark', [20, 30, 60], '#ffffff'],
  ['light', [240, 230, 90], '#000000'],
])('a player is painted after its %s picture, with what can be read on it', (_, rgb, foreground) => {
  const colors = playerColors({ id: '1', blurhash: blurhashOf(...rgb) })
  const background = [1, 3, 5].map((at) => Number.parseInt(colors.background.slice(at, at + 2), 16))
  for (const [index, part] of background.entries()) expect(Math.abs(part - rgb[index]!)).toBeLessThan(3)
  expect(colors.foreground).toBe(foreground)
  expect(colors.accent).not.toBe(colors.background)
})

test('without a picture it has a colour of its own, always the same', () => {
  const of = (id: string) => playerColors({ id, blurhash: null })
  expect(of('7')).toEqual(of('7'))
  expect(of('7').background).not.toBe(of('187').background)
  expect(of('112233445566778899')).toMatchObject({ background: expect.stringMatching(/^#[0-9a-f]{6}$/), foreground: '#ffffff' })
})
