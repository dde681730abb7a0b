import type { DomainEvent } from '@rookery/events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, type Harness, openHarness } from './harness.ts'
import { corners } from './pictures.ts'

// Files of scheduled statuses, by the events that media gets.

let harness: Harness
let picture: Buffer
beforeAll(async () => {
  harness = await openHarness()
  picture = await corners(8, 8).png().toBuffer()
})
afterAll(() => harness.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR

const uploaded = async () => (await harness.upload(picture, { description: 'A pot' })).attachment!.id
const claim = (id: string, subjectId: string) => harness.attachments.claim(call(), { ownerId: '1', ids: [id], subjectId })
const mayClaim = (id: string, subjectId: string) =>
  claim(id, subjectId).then(
    () => true,
    () => false,
  )
const isThere = (id: string) =>
  harness.attachments.read(call(), { id, ownerId: '1' }).then(
    () => true,
    () => false,
  )

const scheduled = (scheduledId: string, mediaIds: string[], releasedMediaIds: string[] = [], accountId = '1'): DomainEvent => ({
  $case: 'statusScheduled',
  value: { scheduledId, accountId, mediaIds, releasedMediaIds },
})
const cancelled = (scheduledId: string): DomainEvent => ({ $case: 'scheduleCancelled', value: { scheduledId, accountId: '1' } })
const published = (statusId: string, scheduledId: string): DomainEvent => ({
  $case: 'statusPublished',
  value: {
    statusId,
    authorId: '1',
    reblogOfId: '',
    reblogOfAuthorId: '',
    visibility: 'public',
    inReplyToAccountId: '',
    tags: [],
    hasMedia: true,
    mentionedAccountIds: [],
    scheduledId,
  },
})

it('are kept for as long as it waits, then go to the status, which gets their descriptions', async () => {
  const id = await uploaded()
  await claim(id, '3000')
  await harness.hear(scheduled('3000', [id]))
  await harness.after(100 * DAY)
  expect([await isThere(id), await mayClaim(id, '3001')]).toEqual([true, false])
  await harness.hear(published('3002', '3000'))
  expect([await mayClaim(id, '3000'), await mayClaim(id, '3002')]).toEqual([false, true])
  expect((await harness.reported()).at(-1)?.event).toMatchObject({
    $case: 'attachmentDescribed',
    value: { mediaId: id, subjectId: '3002', description: 'A pot' },
  })
  const reported = (await harness.reported()).length
  await harness.hear(published('3002', '3000'))
  expect(await harness.reported()).toHaveLength(reported)
  await harness.after(100 * DAY)
  expect(await isThere(id)).toBe(true)
})

it('that were only claimed for it do not go to the status', async () => {
  const [kept, claimed] = [await uploaded(), await uploaded()]
  await claim(kept, '3010')
  await harness.hear(scheduled('3010', [kept]))
  await claim(claimed, '3010')
  await harness.hear(published('3011', '3010'))
  await harness.after(HOUR + 1)
  expect([await mayClaim(kept, '3012'), await mayClaim(claimed, '3012')]).toEqual([false, true])
})

it('are free for a day when it is cancelled, though it comes in one batch with all before', async () => {
  const id = await uploaded()
  await claim(id, '3020')
  await harness.hear(scheduled('3020', [id]), cancelled('3020'))
  await harness.after(DAY - 1)
  expect(await isThere(id)).toBe(true)
  await harness.after(1)
  expect(await isThere(id)).toBe(false)
})

it('are free when it lets them go, and its own again when it takes them back meanwhile', async () => {
  const [gone, back] = [await uploaded(), await uploaded()]
  for (const id of [gone, back]) await claim(id, '3030')
  await harness.hear(scheduled('3030', [gone, back]))
  // The file was claimed again before media got the event that released both.
  await claim(back, '3030')
  await harness.hear(scheduled('3030', [], [gone, back]))
  await harness.hear(scheduled('3030', [back]))
  expect([await mayClaim(gone, '3031'), await mayClaim(back, '3031')]).toEqual([true, false])
})

it('are never taken from another owner or subject', async () => {
  const [mine, shown] = [await uploaded(), await uploaded()]
  await claim(shown, '3040')
  await harness.hear(scheduled('3040', [shown]))
  await harness.hear(scheduled('3041', [mine], [], '2'), scheduled('3042', [shown], []), scheduled('3043', [], [shown]))
  expect([await mayClaim(mine, '3044'), await mayClaim(shown, '3044'), await mayClaim(shown, '3040')]).toEqual([true, false, true])
})
