import { oembedEntity } from '@rookery/entities'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { SingleStatus } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, integer, text } from '../http/fields.ts'
import { localAddress } from '../local-address.ts'
import { openStatus } from '../open-status.ts'

const WIDTH = 400
const LARGEST = 4096

/** The author and id in a URL of this server. @throws Failure not_found for any other URL */
const addressed = (typed: string | undefined, baseUrl: string) => {
  const { username = '', id = '' } = localAddress(typed ?? '', baseUrl) ?? {}
  if (!isId(id)) throw notFound('no address of a status here')
  return { username, id }
}

/** A size in pixels, capped; undefined if it is not positive. */
const size = (typed: number | undefined): number | undefined => (typed && typed > 0 ? Math.min(typed, LARGEST) : undefined)

export const readOembed = endpoint({
  method: 'GET',
  path: '/api/oembed',
  access: SingleStatus,
  summary: 'oEmbed data of a public or unlisted status.',
  input: form({ url: text(), maxwidth: integer(), maxheight: integer() }),
  handle: async ({ call, input }, { statuses, render, config }) => {
    const { username, id } = addressed(input.url, config.baseUrl)
    const found = openStatus(await statuses.read(call, { id, viewerId: '' }), username)
    const { urls } = render
    return oembedEntity(found, {
      urls,
      baseUrl: config.baseUrl,
      width: size(input.maxwidth) ?? WIDTH,
      height: size(input.maxheight) ?? null,
    })
  },
})
