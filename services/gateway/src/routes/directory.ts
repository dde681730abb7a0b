import { PAGE_SIZES } from '@rookery/contracts/limits'
import { DirectoryOrder } from '@rookery/contracts/statuses'
import { Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, limit, offset, text } from '../http/fields.ts'

export const readDirectory = endpoint({
  method: 'GET',
  path: '/api/v1/directory',
  access: Public(),
  summary: 'Discoverable accounts: the latest to post first, or with order=new the latest to join.',
  input: form({ order: text(), local: flag(), limit: limit(PAGE_SIZES.people), offset: offset() }),
  handle: async ({ call, input, viewerId }, { directory, render }) => {
    const order = input.order === 'new' ? DirectoryOrder.NEW : DirectoryOrder.ACTIVE
    return render.accounts(
      (await directory.read(call, { viewerId, order, limit: input.limit, offset: input.offset, isLocal: input.local })).accounts,
    )
  },
})
