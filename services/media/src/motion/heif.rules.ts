import { LIMITS } from '@rookery/contracts/limits'
import { type Fields, fieldsOf, jsonOf, listOf, numberOf } from './probe.rules.ts'

/** A stream of a HEIF file, and its position in the picture. */
export type Tile = { readonly index: number; readonly x: number; readonly y: number }

/** The layout of a HEIF picture: its tiles, and the visible part. */
export type HeifLayout = {
  readonly tiles: readonly Tile[]
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
}

/** More than the tiles of the largest picture, at 512 by 512 as phones write them. */
export const MAX_TILES = 256
/** Maximum pixels of a side, of tiles and of the picture. */
const MAX_SIDE = 16_384

const isDefault = (part: Fields) => fieldsOf(part['disposition'])['default'] === 1

const within = (number: number | undefined, max: number): number | undefined =>
  number !== undefined && Number.isInteger(number) && number <= max ? number : undefined

const shown = (tiles: readonly Tile[], part: Fields): HeifLayout | undefined => {
  const [width, height] = [within(numberOf(part['width']), MAX_SIDE) ?? 0, within(numberOf(part['height']), MAX_SIDE) ?? 0]
  const [left, top] = [within(numberOf(part['horizontal_offset']) ?? 0, MAX_SIDE), within(numberOf(part['vertical_offset']) ?? 0, MAX_SIDE)]
  if (width < 1 || height < 1 || left === undefined || top === undefined) return undefined
  return { tiles, width, height, left, top }
}

const tileOf = (piece: Fields): Tile | undefined => {
  const index = within(numberOf(piece['stream_index']), MAX_TILES)
  const x = within(numberOf(piece['tile_horizontal_offset']), MAX_SIDE)
  const y = within(numberOf(piece['tile_vertical_offset']), MAX_SIDE)
  return index === undefined || x === undefined || y === undefined ? undefined : { index, x, y }
}

const gridOf = (group: Fields): HeifLayout | undefined => {
  const [component] = listOf(group['components'])
  const pieces = listOf(component?.['subcomponents'])
  const tiles = pieces.flatMap((piece) => tileOf(piece) ?? [])
  return component && tiles.length === pieces.length && tiles.length > 0 && tiles.length <= MAX_TILES ? shown(tiles, component) : undefined
}

/**
 * The main picture of a HEIF file, from ffprobe's output: a grid of tiles or one stream. The thumbnail, depth and gain maps that phones
 * store beside it are ignored. Undefined if there is none.
 */
export const heifLayoutOf = (output: string): HeifLayout | undefined => {
  const found = jsonOf(output)
  const grid = listOf(found['stream_groups']).find((group) => group['type'] === 'Tile Grid' && isDefault(group))
  if (grid) return gridOf(grid)
  const stream = listOf(found['streams']).find(isDefault)
  const index = numberOf(stream?.['index'])
  return stream && index !== undefined ? shown([{ index, x: 0, y: 0 }], stream) : undefined
}

/** The fault of a picture outside the limits, for people. */
export const heifFault = ({ width, height }: HeifLayout): string | undefined =>
  width * height > LIMITS.media.imagePixels ? `File is too large: ${width}x${height} images are not supported` : undefined

/** A step of a picture's rotation, applied in order. */
export type Turn = 'left' | 'half' | 'right' | 'mirrored' | 'upside-down'

type Box = { readonly type: string; readonly content: Buffer }

/** The complete boxes of a part of a file (ISO/IEC 14496-12, 4.2). */
function* boxesOf(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at) || bytes.length - at
    if (size < 8 || at + size > bytes.length) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, at + size) }
    at += size
  }
}

const boxOf = (bytes: Buffer | undefined, type: string): Buffer | undefined => {
  for (const box of bytes ? boxesOf(bytes) : []) if (box.type === type) return box.content
  return undefined
}

/** Reads numbers one after the other; zeros after the end. */
const reader = (bytes: Buffer, start: number) => {
  let at = start
  return (length: 1 | 2 | 4): number => {
    at += length
    return at > bytes.length ? 0 : bytes.readUIntBE(at - length, length)
  }
}

/** The properties of an item, as numbers from 1 (ISO/IEC 23008-12, 9.3). */
const associationsOf = (ipma: Buffer, item: number): number[] => {
  const [version, isWide] = [ipma[0] ?? 0, ((ipma[3] ?? 0) & 1) === 1]
  const read = reader(ipma, 4)
  for (let left = Math.min(read(4), ipma.length); left > 0; left--) {
    const id = read(version < 1 ? 2 : 4)
    // The first bit says whether the property is essential.
    const properties = Array.from({ length: read(1) }, () => (isWide ? read(2) & 0x7fff : read(1) & 0x7f))
    if (id === item) return properties
  }
  return []
}

const TURNS: readonly (Turn | undefined)[] = [undefined, 'left', 'half', 'right']

const turnOf = ({ type, content }: Box): Turn | undefined => {
  if (type === 'irot') return TURNS[(content[0] ?? 0) & 3]
  if (type === 'imir') return ((content[0] ?? 0) & 1) === 1 ? 'mirrored' : 'upside-down'
  return undefined
}

/**
 * The rotations of a HEIF picture (ISO/IEC 23008-12, 6.5.10 and 6.5.12), read from the beginning of the file because ffmpeg 7.1 does not
 * report them. None if the file cannot be parsed.
 */
export const heifTurnsOf = (head: Buffer): Turn[] => {
  const meta = boxOf(head, 'meta')?.subarray(4)
  const [primary, properties] = [boxOf(meta, 'pitm'), boxOf(meta, 'iprp')]
  const [known, associated] = [boxOf(properties, 'ipco'), boxOf(properties, 'ipma')]
  if (!primary || !known || !associated) return []
  const item = reader(primary, 4)((primary[0] ?? 0) === 0 ? 2 : 4)
  const boxes = [...boxesOf(known)]
  return associationsOf(associated, item).flatMap((number) => {
    const box = boxes[number - 1]
    return (box && turnOf(box)) ?? []
  })
}
