import { type Person, World } from '@rookery/test-world'
import { holding, query, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// A post decides whom to notify before it is written. A block or mute that comes in between removes the notifications there are, but not this one.

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const GROUPS = '/api/v2/notifications'

/** Mentions someone in a reply that is written only after an act of theirs. */
const mentionsWhile = async (author: Person, mentioned: Person, act: () => Promise<unknown>) => {
  const parent = await author.says('parent')
  const held = await holding(world)
  await held.query('select 1 from statuses.status_head where id = $1 for update', [parent.id])
  const mention = author.says(`hello @${mentioned.username}`, { in_reply_to_id: parent.id })
  await untilSomeoneWaits(world)
  await act()
  await held.end()
  await mention
  await world.idle()
}

/** What a person finds of notifications, in all their lists and counts. */
const shownTo = async (reader: Person) => {
  const groups = (await reader.get(GROUPS)).body
  return {
    list: (await reader.notifications('?include_filtered=true')).length,
    unread: (await reader.get('/api/v1/notifications/unread_count')).body.count,
    groups: groups.notification_groups.length,
    unreadGroups: (await reader.get(`${GROUPS}/unread_count`)).body.count,
  }
}

const NOTHING = { list: 0, unread: 0, groups: 0, unreadGroups: 0 }

test('a mention that was being written while the mentioned blocked its author is not shown', async () => {
  const { mara, joel } = await world.cast('mara', 'joel')
  await mentionsWhile(joel, mara, () => mara.does('block', joel))
  expect(await query(world, 'select type from notifications.notification where recipient_id = $1', [mara.id])).toEqual([
    { type: 'mention' },
  ])
  expect(await shownTo(mara)).toEqual(NOTHING)
})

test('a mention that was being written while the mentioned muted its author is not shown, unless the mute leaves notifications', async () => {
  const { ines, tom } = await world.cast('ines', 'tom')
  await mentionsWhile(tom, ines, () => ines.does('mute', tom))
  expect(await shownTo(ines)).toEqual(NOTHING)
  await ines.does('mute', tom, { notifications: false })
  expect(await shownTo(ines)).toEqual({ list: 1, unread: 1, groups: 1, unreadGroups: 1 })
})
