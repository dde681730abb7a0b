import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

/** An author, and a follower who wants notifications of their posts. */
const pair = async (...names: [string, string]) => {
  const cast = await world.cast(...names)
  const [author, follower] = names.map((name) => cast[name]!) as [Person, Person]
  await follower.does('follow', author, { notify: true })
  await world.idle()
  return { author, follower }
}
const notified = async (follower: Person) => {
  await world.idle()
  return (await follower.notifications()).filter(({ type }) => type === 'status').map(({ status }) => status.id)
}

test('followers who ask for it are notified of posts, not of answers to others, boosts or direct statuses', async () => {
  const { author, follower } = await pair('anna', 'bert')
  const { other } = await world.cast('other')
  const ids = []
  for (const visibility of ['public', 'unlisted', 'private']) ids.push((await author.says(visibility, { visibility })).id)
  const own = await author.says('and more', { in_reply_to_id: ids[0] })
  const stranger = await other.says('hello')
  await author.says('@other hello', { in_reply_to_id: stranger.id })
  await author.reacts('reblog', stranger)
  await author.says('@bert psst', { visibility: 'direct' })
  expect(await notified(follower)).toEqual([own.id, ...ids.reverse()])
  const [latest] = (await follower.notifications()).filter(({ type }) => type === 'status')
  expect(latest).toMatchObject({ type: 'status', account: { id: author.id }, status: { id: own.id, content: '<p>and more</p>' } })
  expect(await notified(other)).toEqual([])
})

test('no one else is, nor who stopped, chose other languages or blocked whom the post mentions', async () => {
  const { author, follower } = await pair('cleo', 'dean')
  const { quiet, third } = await world.cast('quiet', 'third')
  await quiet.follows(author)
  const first = await author.says('one')
  expect(await notified(quiet)).toEqual([])
  await follower.does('follow', author, { notify: true, languages: ['fr'] })
  await author.says('only in German', { language: 'de' })
  const french = await author.says('en français', { language: 'fr' })
  // The recipients are determined when the event of a post is handled, by the follows and blocks at that time.
  await world.idle()
  await follower.does('block', third)
  await author.says('@third hello', { language: 'fr' })
  await world.idle()
  await follower.does('follow', author, { notify: false })
  await author.says('untold', { language: 'fr' })
  expect(await notified(follower)).toEqual([french.id, first.id])
})

test('muting the author ends it, until the mute ends', async () => {
  const { author, follower } = await pair('gwen', 'hank')
  await author.says('heard')
  await follower.does('mute', author)
  await author.says('unheard')
  expect(await notified(follower)).toEqual([])
  await follower.does('unmute', author)
  const heard = await author.says('heard again')
  expect(await notified(follower)).toEqual([heard.id])
})

test('a deleted post takes what was notified of it along', async () => {
  const { author, follower } = await pair('ella', 'fritz')
  const said = await author.says('for a moment')
  expect(await notified(follower)).toEqual([said.id])
  await author.asks('DELETE', `/api/v1/statuses/${said.id}`)
  expect(await notified(follower)).toEqual([])
})
