import type { Consumer } from '@rookery/events'
import type { Job } from '@rookery/jobs'
import { expect, test } from 'vitest'
import { refuseUnknownPart, shareOf } from './part.rules.ts'

const consumers = ['birds.feed', 'birds.sing', 'birds.sleep'].map((name) => ({ name }) as Consumer)
const jobs = [{ name: 'moult' } as Job]
const parts = { song: ['birds.sing'] }

test.each([
  [undefined, ['birds.feed', 'birds.sing', 'birds.sleep'], 1, true],
  ['rest', ['birds.feed', 'birds.sleep'], 1, true],
  ['song', ['birds.sing'], 0, false],
])('the part %s has its consumers, and only the rest jobs and the relay', (part, names, count, hasRelay) => {
  const share = shareOf({ consumers, jobs }, parts, part)
  expect([share.consumers.map(({ name }) => name), share.jobs.length, share.hasRelay]).toEqual([names, count, hasRelay])
})

test('a service without parts is its own rest', () => {
  expect(shareOf({ consumers, jobs }, {}, 'rest')).toEqual({ consumers, jobs, hasRelay: true })
})

test('a part there is not is refused, with those there are; so is one that names nobody', () => {
  expect(() => refuseUnknownPart(parts, 'dance')).toThrow('PART is dance, and there are rest, song')
  expect(() => refuseUnknownPart(parts, 'song')).not.toThrow()
  expect(() => shareOf({ consumers, jobs }, { song: ['birds.sang'] }, undefined)).toThrow('There is no consumer birds.sang')
})
