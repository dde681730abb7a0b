import { markersEntity } from '@rookery/entities'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { decode, form, hash, id, textList } from '../http/fields.ts'

const TIMELINES = ['home', 'notifications'] as const

export const readMarkers = endpoint({
  method: 'GET',
  path: '/api/v1/markers',
  access: User('read:statuses'),
  summary: 'Read markers of timelines.',
  input: form({ timeline: textList() }),
  handle: async ({ call, input, viewerId }, { markers }) =>
    markersEntity((await markers.read(call, { viewerId, timelines: input.timeline })).markers),
})

export const writeMarkers = endpoint({
  method: 'POST',
  path: '/api/v1/markers',
  access: User('write:statuses'),
  summary: 'Sets read markers.',
  input: form({ home: hash(), notifications: hash() }),
  handle: async ({ call, input, viewerId }, { markers }) => {
    const positions = TIMELINES.flatMap((timeline) => {
      const name = `${timeline}[last_read_id]`
      const { last_read_id: lastReadId } = decode(form({ last_read_id: id(name) }), input[timeline] ?? {})
      return lastReadId === undefined ? [] : { timeline, lastReadId }
    })
    return markersEntity((await markers.write(call, { viewerId, positions })).markers)
  },
})
