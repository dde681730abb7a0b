import type { Consumer } from '@rookery/events'
import type { Job } from '@rookery/jobs'
import { expect, test } from 'vitest'
import { groupsOf, partFaults, shareOf } from './part.rules.ts'

const consumers = ['birds.feed', 'birds.sing', 'birds.sleep'].map((name) => ({ name }) as Consumer)
const jobs = ['moult', 'migrate'].map((name) => ({ name }) as Job)
const parts = { song: ['birds.sing'], flight: ['migrate'] }

test.each([
  [undefined, ['birds.feed', 'birds.sing', 'birds.sleep'], ['moult', 'migrate'], true],
  ['rest', ['birds.feed', 'birds.sleep'], ['moult'], true],
  ['song', ['birds.sing'], [], false],
  ['flight', [], ['migrate'], false],
])('the part %s has its consumers and jobs, and only the rest the relay', (part, consumerNames, jobNames, hasRelay) => {
  const share = shareOf({ consumers, jobs }, parts, part)
  expect([share.consumers.map(({ name }) => name), share.jobs.map(({ name }) => name)]).toEqual([consumerNames, jobNames])
  expect(share.hasRelay).toBe(hasRelay)
})

test('a service without parts is its own rest', () => {
  expect(shareOf({ consumers, jobs }, {}, 'rest')).toEqual({ consumers, jobs, hasRelay: true })
})

test('a part there is not is refused, with those there are; so is one that names no one', () => {
  expect(partFaults(parts, 'dance')).toEqual(['PART is dance; it must be one of rest, song, flight'])
  for (const part of ['song', 'rest', undefined]) expect(partFaults(parts, part)).toEqual([])
  expect(() => shareOf({ consumers, jobs }, { song: ['birds.sang'] }, undefined)).toThrow('No such consumer or job: birds.sang')
})

test('consumers are of the group of their part, whichever process runs them', () => {
  const namesOf = (part: string | undefined) =>
    [...groupsOf('birds', parts, shareOf({ consumers, jobs }, parts, part).consumers)].map(([group, its]) => [
      group,
      its.map(({ name }) => name),
    ])
  const [rest, song] = [
    ['birds-background', ['birds.feed', 'birds.sleep']],
    ['birds-song', ['birds.sing']],
  ]
  expect(namesOf(undefined)).toEqual([rest, song])
  expect([namesOf('rest'), namesOf('song'), namesOf('flight')]).toEqual([[rest], [song], []])
})
