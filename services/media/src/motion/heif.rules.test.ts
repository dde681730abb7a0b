import { describe, expect, test } from 'vitest'
import { heifFault, heifLayoutOf, heifTurnsOf } from './heif.rules.ts'

const piece = (index: number, x: number, y: number) => ({ stream_index: index, tile_horizontal_offset: x, tile_vertical_offset: y })
const component = { width: 900, height: 400, horizontal_offset: 0, vertical_offset: 8, subcomponents: [piece(0, 0, 0), piece(1, 512, 0)] }
const main = { disposition: { default: 1 } }
const grid = { ...main, type: 'Tile Grid', components: [component] }
const written = (found: object) => JSON.stringify(found)

describe('the picture of a HEIF file', () => {
  test.each<[string, object, object | undefined]>([
    [
      'is its grid of tiles',
      { stream_groups: [{ ...grid, disposition: { default: 0 } }, grid], streams: [{ index: 0 }, { index: 1 }] },
      {
        tiles: [
          { index: 0, x: 0, y: 0 },
          { index: 1, x: 512, y: 0 },
        ],
        width: 900,
        height: 400,
        left: 0,
        top: 8,
      },
    ],
    [
      'is its main stream, not the thumbnail before it',
      {
        stream_groups: [],
        streams: [
          { index: 0, width: 32, height: 32 },
          { ...main, index: 1, width: 640, height: 480 },
        ],
      },
      { tiles: [{ index: 1, x: 0, y: 0 }], width: 640, height: 480, left: 0, top: 0 },
    ],
    ['is none without a main one', { streams: [{ index: 0, width: 32, height: 32 }] }, undefined],
    ['is none of no tiles', { stream_groups: [{ ...grid, components: [{ ...component, subcomponents: [] }] }] }, undefined],
    ['is none of no size', { stream_groups: [{ ...grid, components: [{ ...component, width: 0 }] }] }, undefined],
    [
      'is none of more tiles than any phone writes',
      { stream_groups: [{ ...grid, components: [{ ...component, subcomponents: Array.from({ length: 257 }, () => piece(0, 0, 0)) }] }] },
      undefined,
    ],
    [
      'is none where a tile lies far off',
      { stream_groups: [{ ...grid, components: [{ ...component, subcomponents: [piece(0, 16_385, 0)] }] }] },
      undefined,
    ],
    [
      'is none where a tile lies between pixels',
      { stream_groups: [{ ...grid, components: [{ ...component, subcomponents: [piece(0, 0.5, 0)] }] }] },
      undefined,
    ],
    ['is none where a tile says nothing', { stream_groups: [{ ...grid, components: [{ ...component, subcomponents: [{}] }] }] }, undefined],
  ])('%s', (_, found, layout) => {
    expect(heifLayoutOf(written(found))).toEqual(layout)
  })

  test('may have 33 million pixels', () => {
    const layout = { tiles: [], left: 0, top: 0, width: 7680, height: 4320 }
    expect(heifFault(layout)).toBeUndefined()
    expect(heifFault({ ...layout, width: 7681 })).toBe('File is too large: 7681x4320 images are not supported')
  })
})

const box = (type: string, ...content: (Buffer | number[])[]) => {
  const bytes = Buffer.concat(content.map((each) => Buffer.from(each)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(bytes.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, bytes])
}
const FULL = [0, 0, 0, 0]
const FILE_TYPE = box('ftyp', Buffer.from('heic\0\0\0\0', 'latin1'))
const PROPERTIES = box(
  'ipco',
  box('ispe', FULL),
  box('irot', [1]),
  box('irot', [2]),
  box('irot', [3]),
  box('imir', [1]),
  box('imir', [0]),
  box('irot', [0]),
)
/** A file whose item 1 has the properties of these numbers, and whose item 2 has the second. */
const head = ({ primary = [0, 1], own = [1], known = PROPERTIES }: { primary?: number[]; own?: number[]; known?: Buffer } = {}) => {
  const associations = box('ipma', FULL, [0, 0, 0, 2], [0, 2, 1, 2], [0, 1, own.length, ...own])
  return Buffer.concat([FILE_TYPE, box('meta', FULL, box('pitm', FULL, primary), box('iprp', known, associations))])
}

describe('a HEIF picture is turned', () => {
  test.each<[string, Buffer, string[]]>([
    ['not at all without a property that says so', head(), []],
    ['to the left', head({ own: [1, 128 | 2] }), ['left']],
    ['by half', head({ own: [3] }), ['half']],
    ['to the right', head({ own: [4] }), ['right']],
    ['not by a turn of none', head({ own: [7] }), []],
    ['as in a mirror after it was turned, in the order of the file', head({ own: [2, 5] }), ['left', 'mirrored']],
    ['upside down', head({ own: [6] }), ['upside-down']],
    ['as its own item says, not as another', head({ primary: [0, 2], own: [3] }), ['left']],
    ['not where its item is not there', head({ primary: [0, 9], own: [2] }), []],
    ['not by a property that is not there', head({ own: [99, 0] }), []],
  ])('%s', (_, bytes, turns) => {
    expect(heifTurnsOf(bytes)).toEqual(turns)
  })

  test('by wide numbers of items and properties alike', () => {
    const associations = box('ipma', [1, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 7, 1, 128, 4])
    const meta = box('meta', FULL, box('pitm', [1, 0, 0, 0], [0, 0, 0, 7]), box('iprp', PROPERTIES, associations))
    expect(heifTurnsOf(Buffer.concat([FILE_TYPE, meta]))).toEqual(['right'])
  })

  test('not by a file that is cut or lies, at whichever byte', () => {
    const whole = head({ own: [2, 5] })
    for (let at = 0; at < whole.length; at++) {
      expect(heifTurnsOf(whole.subarray(0, at))).toEqual([])
      const changed = Buffer.from(whole)
      changed[at] = 255
      expect(heifTurnsOf(changed).length).toBeLessThan(256)
    }
  })
})
