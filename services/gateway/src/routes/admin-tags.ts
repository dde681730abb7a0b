import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { adminTagEntity } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import { Staff } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { flag, form, pageOf, paging, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const PATH = '/api/v1/admin/tags'
const reading = Staff(PERMISSIONS.manageTaxonomies, 'admin:read')
const writing = Staff(PERMISSIONS.manageTaxonomies, 'admin:write')

export const listAdminTags = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'All hashtags, latest first, with what staff decided about them.',
  input: form(paging(PAGE_SIZES.tags)),
  handle: async ({ call, input, viewerId }, { trends, render }) => {
    const { tags, cursors } = await trends.listTags(call, { viewerId, page: pageOf(input) })
    return new Reply(
      tags.flatMap((tag) => adminTagEntity(tag, render.urls) ?? []),
      { page: { cursors, style: STATUS_LIST } },
    )
  },
})

export const readAdminTag = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: reading,
  summary: 'A hashtag with what staff decided about it.',
  handle: async ({ call, params, viewerId }, { trends, render }) =>
    orNotFound(adminTagEntity(await trends.readTag(call, { id: recordId(params), viewerId }), render.urls)),
})

export const changeAdminTag = endpoint({
  method: 'PUT',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Decides whether a hashtag may trend, be used in new posts and be found.',
  input: form({ display_name: text(), trendable: flag(), usable: flag(), listable: flag() }),
  handle: async ({ call, params, input, viewerId }, { trends, render }) => {
    const change = {
      id: recordId(params),
      viewerId,
      displayName: input.display_name?.trim() ?? '',
      isTrendable: input.trendable,
      isUsable: input.usable,
      isListable: input.listable,
    }
    return orNotFound(adminTagEntity(await trends.changeTag(call, change), render.urls))
  },
})
