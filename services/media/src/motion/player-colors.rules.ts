import type { PlayerColors } from '../database/tables/attachment.ts'

type Rgb = readonly [red: number, green: number, blue: number]

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'

/** The average colour of a picture, which is encoded in four digits of its blurhash (Blurhash, algorithm). */
const averageOf = (blurhash: string): Rgb => {
  const value = [...blurhash.slice(2, 6)].reduce((sum, digit) => sum * 83 + Math.max(0, DIGITS.indexOf(digit)), 0)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/** A muted colour for audio without a cover, with a hue by its id. */
const colorOfId = (id: string): Rgb => {
  const hue = Number(BigInt(id) % 360n)
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12
    return Math.round(255 * (0.3 - 0.12 * Math.max(-1, Math.min(place - 3, 9 - place, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

const hex = (color: Rgb) => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** Perceived luminance, from 0 to 255 (ITU-R BT.601). */
const lightnessOf = ([red, green, blue]: Rgb) => 0.299 * red + 0.587 * green + 0.114 * blue

const between = (color: Rgb, other: Rgb, part: number): Rgb => {
  const mix = (index: 0 | 1 | 2) => Math.round(color[index] + (other[index] - color[index]) * part)
  return [mix(0), mix(1), mix(2)]
}

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** The colours of an audio player: by its cover if there is one, with readable contrast. */
export const playerColors = ({ id, blurhash }: { id: string; blurhash: string | null }): PlayerColors => {
  const background = blurhash ? averageOf(blurhash) : colorOfId(id)
  const opposite = lightnessOf(background) > 140 ? BLACK : WHITE
  return { background: hex(background), foreground: hex(opposite), accent: hex(between(background, opposite, 0.6)) }
}
