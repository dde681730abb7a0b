import { type AccountView, type Poll, QuoteApproval, QuotePolicy, type StatusPage } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import { sharedPages } from './shared-pages.ts'

const account: AccountView = { id: '7', version: 1, body: Buffer.alloc(0) }
const poll: Poll = { isExpired: false, isMultiple: false, votesCount: 0, votersCount: 0, options: [], emojis: [] }
const counts = {
  repliesCount: 0,
  reblogsCount: 0,
  favouritesCount: 0,
  quotesCount: 0,
  quotePolicy: QuotePolicy.PUBLIC,
  quoteApproval: QuoteApproval.AUTOMATIC,
}

type Content = { accounts?: AccountView[]; poll?: Poll }
const pageOf = ({ accounts = [account], poll: shown }: Content = {}): StatusPage => ({
  items: [{ id: '1', reblogOfId: '', overlay: { ...counts, poll: shown } }],
  statuses: [],
  accounts,
  cursors: undefined,
  isRebuilding: false,
})

const NOW = 1_000

/** How many times a page is made for these requests in sequence, each at its time and after a read of its own. */
const madeAt = async (times: readonly number[], page: StatusPage) => {
  let made = 0
  let shared = sharedPages()
  for (const now of times) {
    await shared.take('timeline', now, async () => {
      made++
      return page
    })
    shared = shared.ofNow()
  }
  return made
}

test.each([
  { name: 'what changes with its versions alone', page: pageOf(), times: 1 },
  { name: 'a poll without an end', page: pageOf({ poll }), times: 1 },
  { name: 'a poll that ends later', page: pageOf({ poll: { ...poll, expiresAtMilliseconds: NOW + 3 } }), times: 1 },
  { name: 'a poll that has ended', page: pageOf({ poll: { ...poll, isExpired: true, expiresAtMilliseconds: NOW - 1 } }), times: 1 },
  { name: 'a poll that ends meanwhile', page: pageOf({ poll: { ...poll, expiresAtMilliseconds: NOW + 2 } }), times: 2 },
  { name: 'someone who moved', page: pageOf({ accounts: [account, { ...account, moved: account }] }), times: 3 },
])('a page with $name is made $times times for readers of three moments', async ({ page, times }) => {
  expect(await madeAt([NOW, NOW + 1, NOW + 2], page)).toBe(times)
})

test('readers of a moment share what is under way, those after them do not wait for it, and what others have in common is another page', async () => {
  const shared = sharedPages()
  const gate = Promise.withResolvers<StatusPage>()
  const first = shared.take('timeline', NOW, () => gate.promise)
  const beside = shared.take('timeline', NOW, async () => pageOf())
  const [later, other] = [pageOf(), pageOf()]
  expect(await shared.ofNow().take('timeline', NOW, async () => later)).toBe(later)
  expect(await shared.take('thread', NOW, async () => other)).toBe(other)
  const page = pageOf()
  gate.resolve(page)
  expect([(await first) === page, (await beside) === page]).toEqual([true, true])
})

test('what fails is not kept', async () => {
  const shared = sharedPages()
  const failed = shared.take('timeline', NOW, () => Promise.reject(new Error('away')))
  await expect(failed).rejects.toThrow('away')
  const page = pageOf()
  expect(await shared.ofNow().take('timeline', NOW, async () => page)).toBe(page)
})
