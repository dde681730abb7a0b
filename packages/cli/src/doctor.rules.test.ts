import { Diagnosis } from '@rookery/contracts/common'
import { expect, test } from 'vitest'
import { clocks, disk, inside, linesOf, outside, type PublicView } from './doctor.rules.ts'

const BACKLOG = {
  service: 'auth',
  databaseClockOffsetMilliseconds: 0,
  outboxEvents: 0,
  outboxOldestMilliseconds: 0,
  deadLetters: 0,
  jobsDue: 0,
  jobsRetrying: 0,
  jobsExhausted: 0,
}
const diagnosis = (backlog: Partial<typeof BACKLOG>, more: object = {}) => [
  Diagnosis.fromPartial({ backlogs: [{ ...BACKLOG, ...backlog }], ...more }),
]
const wrongOf = (findings: ReturnType<typeof inside>) =>
  findings.filter(({ state }) => state !== 'ok').map(({ state, area }) => `${state} ${area}`)

test.each([
  ['nothing late', diagnosis({}), []],
  ['a part that is down', diagnosis({}, { faults: [{ part: 'Redis', fault: 'gone' }] }), ['fault Parts']],
  ['a clock of the database ahead', diagnosis({ databaseClockOffsetMilliseconds: 2001 }), ['fault Clocks']],
  ['a clock of the database behind', diagnosis({ databaseClockOffsetMilliseconds: -2001 }), ['fault Clocks']],
  ['a clock that differs little', diagnosis({ databaseClockOffsetMilliseconds: 2000 }), []],
  ['events that wait for a minute', diagnosis({ outboxEvents: 3, outboxOldestMilliseconds: 60_000 }), []],
  ['events that wait for longer', diagnosis({ outboxEvents: 3, outboxOldestMilliseconds: 60_001 }), ['fault Queues']],
  ['dead letters', diagnosis({ deadLetters: 1 }), ['warning Queues']],
  ['jobs given up', diagnosis({ jobsExhausted: 1 }), ['warning Queues']],
  ['jobs that are tried again', diagnosis({ jobsRetrying: 5, jobsDue: 1000 }), []],
  [
    'what several processes warn of, once,',
    [...diagnosis({}, { warnings: ['a'] }), ...diagnosis({}, { warnings: ['a'] })],
    ['warning Settings'],
  ],
  ['many jobs due', diagnosis({ jobsDue: 1001 }), ['warning Queues']],
])('inside, %s is told', (_what, diagnoses, wrong) => expect(wrongOf(inside(diagnoses))).toEqual(wrong))

test.each([
  [1024 ** 3 - 1, 'fault'],
  [1024 ** 3, 'ok'],
])('a disk with %i bytes left: %s', (free, state) => expect(disk({ free, total: 1024 ** 4 }).state).toBe(state))

test.each([
  [0, 'ok'],
  [-2001, 'fault'],
])('a clock that differs by %i milliseconds: %s', (offset, state) => expect(clocks(offset).state).toBe(state))

const DAY = 86_400_000
const FINE: PublicView = {
  api: { status: 200, certificateEndsAt: 90 * DAY },
  streaming: { status: 200 },
  socket: { status: 401 },
  nodeinfo: { status: 200 },
  webfinger: { status: 200 },
}
test.each<[string, string, Partial<PublicView>, string[]]>([
  ['all', 'https://birds.example', {}, []],
  ['nothing', 'https://birds.example', { api: { error: 'refused' } }, ['fault Public', 'fault Certificate']],
  ['an error of the proxy', 'https://birds.example', { api: { status: 502, certificateEndsAt: 90 * DAY } }, ['fault Public']],
  ['a certificate that ends soon', 'https://birds.example', { api: { status: 200, certificateEndsAt: 13 * DAY } }, ['warning Certificate']],
  ['one that has ended', 'https://birds.example', { api: { status: 200, certificateEndsAt: -DAY } }, ['fault Certificate']],
  ['no encryption', 'http://localhost:3000', { api: { status: 200 } }, ['warning Certificate']],
  ['a proxy without WebSockets', 'https://birds.example', { socket: { status: 400 } }, ['fault Streaming']],
  ['an open WebSocket', 'https://birds.example', { socket: { status: 101 } }, []],
  ['no streaming', 'https://birds.example', { streaming: { status: 404 } }, ['fault Streaming']],
  [
    'no federation',
    'https://birds.example',
    { nodeinfo: { status: 404 }, webfinger: { error: 'x' } },
    ['fault Federation', 'fault Federation'],
  ],
])('outside, %s is told', (_what, baseUrl, seen, wrong) => expect(wrongOf(outside(baseUrl, { ...FINE, ...seen }, 0))).toEqual(wrong))

test('what is wrong stands first, and the last line says how much that is', () => {
  const findings = [
    { state: 'ok', area: 'Disk', text: 'a' },
    { state: 'warning', area: 'Queues', text: 'b' },
    { state: 'fault', area: 'Parts', text: 'c' },
  ] as const
  expect(linesOf(findings)).toEqual(['FAULT    Parts: c', 'WARNING  Queues: b', 'ok       Disk: a', '2 of 3 things need attention.'])
  expect(linesOf(findings.slice(0, 1))).toEqual(['ok       Disk: a', 'Nothing is wrong.'])
})
