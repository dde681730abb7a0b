import type { PlayerColors } from '../database/tables/attachment.ts'

type Rgb = readonly [red: number, green: number, blue: number]

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'

/** The average colour of a picture, which its blurhash carries in four of its digits (Blurhash, algorithm). */
const averageOf = (blurhash: string): Rgb => {
  const value = [...blurhash.slice(2, 6)].reduce((sum, digit) => sum * 83 + Math.max(0, DIGITS.indexOf(digit)), 0)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/** A quiet colour of its own for what comes without a picture: another hue for another id. */
const colorOfId = (id: string): Rgb => {
  const hue = Number(BigInt(id) % 360n)
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12
    return Math.round(255 * (0.3 - 0.12 * Math.max(-1, Math.min(place - 3, 9 - place, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

const hex = (color: Rgb) => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** Luminance as people see it, from 0 to 255 (ITU-R BT.601). */
const lightnessOf = ([red, green, blue]: Rgb) => 0.299 * red + 0.587 * green + 0.114 * blue

const between = (color: Rgb, other: Rgb, part: number): Rgb => {
  const mix = (index: 0 | 1 | 2) => Math.round(color[index] + (other[index] - color[index]) * part)
  return [mix(0), mix(1), mix(2)]
}

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** In which a player of sound is painted: after its picture where there is one, each part readable on the background. */
export const playerColors = ({ id, blurhash }: { id: string; blurhash: string | null }): PlayerColors => {
  const background = blurhash ? averageOf(blurhash) : colorOfId(id)
  const opposite = lightnessOf(background) > 140 ? BLACK : WHITE
  return { background: hex(background), foreground: hex(opposite), accent: hex(between(background, opposite, 0.6)) }
}
