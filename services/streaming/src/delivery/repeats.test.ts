import { LiveStatus } from '@rookery/contracts/events'
import { expect, test } from 'vitest'
import { createRepeats } from './repeats.ts'

type Message = { recipientIds?: string[]; listIds?: string[]; isAhead?: boolean }

/** The new part of each message of one event. */
const newsOf = (messages: readonly Message[]) => {
  const news = createRepeats()
  return messages.map((message) => {
    const value = LiveStatus.fromPartial({
      statusId: '7',
      authorId: '1',
      isListed: true,
      tags: ['tea'],
      recipientIds: [],
      listIds: [],
      ...message,
    })
    const event = news({ $case: 'status', value }, 'event')
    if (event?.$case !== 'status') return undefined
    const { recipientIds, listIds, isListed, tags } = event.value
    return [...recipientIds, ...listIds, ...(isListed ? ['public'] : []), ...tags]
  })
}

test.each<[string, Message[], unknown[]]>([
  [
    'a status that comes again is new to no one',
    [{ recipientIds: ['2'] }, { recipientIds: ['2', '3'] }],
    [['2', 'public', 'tea'], undefined],
  ],
  [
    'a status that was ahead is new to those who are named only when it comes again, and on no shared stream',
    [
      { recipientIds: ['2'], listIds: ['20'], isAhead: true },
      { recipientIds: ['2', '3'], listIds: ['20', '30'] },
    ],
    [
      ['2', '20', 'public', 'tea'],
      ['3', '30'],
    ],
  ],
  [
    'a status that was ahead, and comes again twice, is new to each once',
    [{ recipientIds: ['2'], isAhead: true }, { recipientIds: ['2', '3'] }, { recipientIds: ['2', '3'] }],
    [['2', 'public', 'tea'], ['3'], undefined],
  ],
  [
    'a status that is ahead twice, as after a kill of what publishes it, is new to who is named first then',
    [{ recipientIds: ['2'], isAhead: true }, { recipientIds: ['2', '3'], isAhead: true }, { recipientIds: ['2', '3', '4'] }],
    [['2', 'public', 'tea'], ['3'], ['4']],
  ],
])('%s', (_title, messages, wanted) => {
  expect(newsOf(messages)).toEqual(wanted)
})

test('a message without an event is always new', () => {
  const news = createRepeats()
  const event = { $case: 'filtersChanged', value: { accountId: '2' } } as const
  expect([news(event, undefined), news(event, undefined)]).toEqual([event, event])
})

test('more ahead than are remembered come again for no one', () => {
  const news = createRepeats()
  const say = (id: number, message: Message) =>
    news({ $case: 'status', value: LiveStatus.fromPartial({ statusId: String(id), ...message }) }, String(id))
  for (let id = 0; id < 102; id++) say(id, { recipientIds: ['2'], isAhead: true })
  const again = [0, 52].map((id) => say(id, { recipientIds: ['3'] }))
  expect(again).toEqual([undefined, { $case: 'status', value: expect.objectContaining({ recipientIds: ['3'] }) }])
})
