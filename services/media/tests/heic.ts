import { film } from './films.ts'

const u16 = (value: number) => Buffer.of(value >> 8, value & 255)
const u32 = (value: number) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])
const box = (type: string, ...content: Buffer[]) => {
  const whole = Buffer.concat(content)
  return Buffer.concat([u32(whole.length + 8), Buffer.from(type, 'latin1'), whole])
}
/** A box with a version and flags (ISO/IEC 14496-12, 4.2). */
const full = (type: string, version: number, ...content: Buffer[]) => box(type, Buffer.of(version, 0, 0, 0), ...content)

const contentOf = (file: Buffer, type: string): Buffer => {
  const at = file.indexOf(type, 0, 'latin1')
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4))
}

/** One HEVC frame of a colour: its decoder configuration, and its bytes. */
const frame = async (side: number, color: string) => {
  const x265 = ['-c:v', 'libx265', '-x265-params', 'log-level=none:info=0', '-tag:v', 'hvc1', '-pix_fmt', 'yuv420p', '-frames:v', '1']
  const file = await film('mp4', '-f', 'lavfi', '-i', `color=${color}:s=${side}x${side}`, ...x265)
  return { configuration: contentOf(file, 'hvcC'), bytes: contentOf(file, 'mdat') }
}

const COLORS = ['red', 'lime', 'blue', 'yellow', 'cyan', 'magenta']

/** Side of a tile, in pixels. */
const TILE = 64

/**
 * A picture as phones take them (ISO/IEC 23008-12): rows of HEVC tiles, each of one colour, the last ones cropped to `width` and `height`,
 * rotated anticlockwise by quarter turns.
 */
export const heic = async (given: { columns: number; rows: number; width: number; height: number; turns?: number }): Promise<Buffer> => {
  const { columns, rows, width, height, turns = 0 } = given
  const tiles: Awaited<ReturnType<typeof frame>>[] = []
  for (let index = 0; index < columns * rows; index++) tiles.push(await frame(TILE, COLORS[index % COLORS.length]!))
  const grid = Buffer.concat([Buffer.of(0, 0, rows - 1, columns - 1), u16(width), u16(height)])
  // The whole picture is item 1, its tiles follow.
  const items = [{ type: 'grid', bytes: grid }, ...tiles.map(({ bytes }) => ({ type: 'hvc1', bytes }))]
  const properties = [
    box('hvcC', tiles[0]!.configuration),
    full('ispe', 0, u32(TILE), u32(TILE)),
    full('ispe', 0, u32(width), u32(height)),
    box('irot', Buffer.of(turns)),
  ]
  const ESSENTIAL = 128
  const associations = items.map(({ type }, index) =>
    Buffer.concat([u16(index + 1), type === 'grid' ? Buffer.of(2, 3, ESSENTIAL | 4) : Buffer.of(2, ESSENTIAL | 1, 2)]),
  )
  const fileType = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const meta = (first: number) => {
    let at = first
    const places = items.map(({ bytes }, index) => {
      const place = Buffer.concat([u16(index + 1), u16(0), u16(1), u32(at), u32(bytes.length)])
      at += bytes.length
      return place
    })
    return full(
      'meta',
      0,
      full('hdlr', 0, u32(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
      full('pitm', 0, u16(1)),
      full('iloc', 0, Buffer.of(0x44, 0), u16(items.length), ...places),
      full(
        'iinf',
        0,
        u16(items.length),
        ...items.map(({ type }, index) => full('infe', 2, u16(index + 1), u16(0), Buffer.from(`${type}\0`))),
      ),
      full('iref', 0, box('dimg', u16(1), u16(tiles.length), ...tiles.map((_, index) => u16(index + 2)))),
      box('iprp', box('ipco', ...properties), full('ipma', 0, u32(items.length), ...associations)),
    )
  }
  const first = fileType.length + meta(0).length + 8
  return Buffer.concat([fileType, meta(first), box('mdat', ...items.map(({ bytes }) => bytes))])
}
