import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Harness, openHarness } from './harness.ts'
import { corners } from './pictures.ts'

let harness: Harness
let picture: Buffer
beforeAll(async () => {
  harness = await openHarness()
  picture = await corners(8, 8).png().toBuffer()
})
afterAll(() => harness.close())

const uploaded = async (ownerId = '1') =>
  (await harness.upload(picture, { ownerId, description: 'A pot', focus: { x: 0.1, y: 0.2 } })).attachment!.id
const claim = (ids: string[], subjectId: string, ownerId = '1') => harness.attachments.claim(call(), { ownerId, ids, subjectId })
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    (error) => `${error.kind}: ${error.message}`,
  )
let lastSubject = 1000
const newSubject = () => String(++lastSubject)

const MISSING = 'not_found: Record not found'
const notFound = (...ids: string[]) => `invalid: Media ${ids.join(', ')} not found or already attached to another post`

describe('reading', () => {
  it("answers the owner, and no one else, as if another's were missing", async () => {
    const id = await uploaded()
    expect((await harness.attachments.read(call(), { id, ownerId: '1' })).attachment).toMatchObject({ id, description: 'A pot' })
    for (const each of [
      { id, ownerId: '2' },
      { id: '999', ownerId: '1' },
      { id: 'abc', ownerId: '1' },
      { id: '9'.repeat(30), ownerId: '1' },
    ]) {
      expect(await refusal(harness.attachments.read(call(), each))).toBe(MISSING)
    }
  })
})

describe('updating', () => {
  it('changes what is given and leaves the rest', async () => {
    const id = await uploaded()
    await harness.attachments.update(call(), { id, ownerId: '1', description: 'A kettle' })
    await harness.attachments.update(call(), { id, ownerId: '1', focus: { x: -1, y: 0 } })
    const { attachment } = await harness.attachments.read(call(), { id, ownerId: '1' })
    expect(attachment).toMatchObject({ description: 'A kettle', focus: { x: -1, y: 0 } })
    await harness.attachments.update(call(), { id, ownerId: '1', description: '' })
    expect((await harness.attachments.read(call(), { id, ownerId: '1' })).attachment?.description).toBe('')
  })

  it("refuses what is outside the limits, and another's", async () => {
    const id = await uploaded()
    const update = (change: object) => refusal(harness.attachments.update(call(), { id, ownerId: '1', ...change }))
    expect(await update({ description: 'x'.repeat(1501) })).toBe(
      'invalid: Validation failed: Description is too long (maximum is 1500 characters)',
    )
    expect(await update({ focus: { x: 2, y: 0 } })).toBe('invalid: Validation failed: Focus must be between -1.0 and 1.0')
    expect(await update({ ownerId: '2', description: 'mine' })).toBe(MISSING)
    expect(await update({ id: 'abc', description: 'mine' })).toBe(MISSING)
    expect((await harness.attachments.read(call(), { id, ownerId: '1' })).attachment).toMatchObject({ description: 'A pot' })
  })

  it('publishes it for the services that show the file', async () => {
    const [loose, shown] = [await uploaded(), await uploaded()]
    const subjectId = newSubject()
    await claim([shown], subjectId)
    await harness.attachments.update(call(), { id: loose, ownerId: '1', description: 'Unseen' })
    await harness.attachments.update(call(), { id: shown, ownerId: '1', description: 'Seen' })
    const { attachment } = await harness.attachments.read(call(), { id: shown, ownerId: '1' })
    const { previewUrl, blurhash } = attachment!
    const preview = { previewUrl, blurhash, previewWidth: 8, previewHeight: 8 }
    const value = { mediaId: shown, subjectId, description: 'Seen', focusX: 0.1, focusY: 0.2, hasFocus: true, ...preview }
    expect(await harness.reported()).toEqual([{ key: '1', event: { $case: 'attachmentDescribed', value } }])
  })

  it('is published again when the status appears only now, and once', async () => {
    const [changed, same] = [await uploaded(), await uploaded()]
    const subjectId = newSubject()
    await harness.attachments.update(call(), { id: same, ownerId: '1', description: 'Before' })
    harness.clock.time++
    await claim([changed, same], subjectId)
    await harness.attachments.update(call(), { id: changed, ownerId: '1', description: 'Meanwhile' })
    const before = (await harness.reported()).length
    const published = { statusId: subjectId, authorId: '1', visibility: 'public', tags: [], mentionedAccountIds: [], hasMedia: true }
    const nothing = { reblogOfId: '', reblogOfAuthorId: '', inReplyToAccountId: '', scheduledId: '' }
    for (const _ of ['first', 'again']) await harness.hear({ $case: 'statusPublished', value: { ...published, ...nothing } })
    const described = (await harness.reported()).slice(before).map(({ event }) => event)
    expect(described).toMatchObject([{ $case: 'attachmentDescribed', value: { mediaId: changed, subjectId, description: 'Meanwhile' } }])
  })
})

describe('claiming', () => {
  it('answers in the order asked for, and the same again', async () => {
    const ids = [await uploaded(), await uploaded(), await uploaded()]
    const order = [ids[2]!, ids[0]!, ids[1]!]
    const subject = newSubject()
    const first = await claim(order, subject)
    expect(first.attachments.map(({ id }) => id)).toEqual(order)
    expect(await claim(order, subject)).toEqual(first)
  })

  it("refuses all when one is another's, unknown, no id or elsewhere, naming those", async () => {
    const [free, taken, foreign] = [await uploaded(), await uploaded(), await uploaded('2')]
    await claim([taken], newSubject())
    const subject = newSubject()
    expect(await refusal(claim([foreign, free, taken, 'abc'], subject))).toBe(notFound(foreign, taken, 'abc'))
    expect(await refusal(claim(['999', free], subject))).toBe(notFound('999'))
    expect((await claim([free], newSubject())).attachments).toHaveLength(1)
  })

  it('takes four files and no more', async () => {
    const ids = [await uploaded(), await uploaded(), await uploaded(), await uploaded(), await uploaded()]
    expect(await refusal(claim(ids, newSubject()))).toBe('invalid: Cannot attach more than 4 files')
    expect((await claim(ids.slice(1), newSubject())).attachments).toHaveLength(4)
  })

  it('refuses files whose upload has not ended', async () => {
    const id = await uploaded()
    await harness.database.db.updateTable('attachment').set({ state: 'pending' }).where('id', '=', id).execute()
    expect(await refusal(claim([id], newSubject()))).toBe(
      'invalid: Cannot attach files that have not finished processing. Try again in a moment!',
    )
  })

  it('gives a file to one of fifty that ask at once, and two files never half each', async () => {
    const ids = [await uploaded(), await uploaded()]
    const claims = Array.from({ length: 50 }, (_, index) => claim(index % 2 ? ids : [...ids].reverse(), newSubject()))
    const outcomes = await Promise.allSettled(claims)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'invalid' })
  })

  it('gives all fifty the file when they ask for the same status', async () => {
    const id = await uploaded()
    const subject = newSubject()
    const answers = await Promise.all(Array.from({ length: 50 }, () => claim([id], subject)))
    expect(answers.every(({ attachments }) => attachments[0]?.id === id)).toBe(true)
  })
})
