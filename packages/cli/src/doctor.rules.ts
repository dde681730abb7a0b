import type { Diagnosis } from '@rookery/contracts/common'
import type { ProbeResult } from '@rookery/handles'

/** The result of one check. */
export type Finding = { state: 'ok' | 'warning' | 'fault'; area: string; text: string }

const finding = (state: Finding['state'], area: string, text: string): Finding => ({ state, area, text })

const MEBIBYTE = 1024 ** 2
const DAY = 86_400_000
/** Minimum free space, in bytes: with less, Postgres, uploads and logs soon stop the server. */
const MIN_FREE = 1024 * MEBIBYTE
/** Maximum clock offset, in milliseconds: beyond it, posts are misordered and tokens expire at the wrong time. */
const MAX_OFFSET = 2000
/** A backlog beyond these is reported. */
const MAX_OUTBOX_AGE = 60_000
const MAX_JOBS_DUE = 1000
/** How long before a certificate expires to warn, in milliseconds. */
const WARNED_BEFORE = 14 * DAY

const seconds = (milliseconds: number) => `${Math.round(Math.abs(milliseconds) / 100) / 10} s`

/** Findings from inside the processes: faulty parts, and the clocks and backlogs of each database. */
export const inside = (diagnoses: readonly Diagnosis[]): Finding[] => {
  const faults = diagnoses.flatMap((each) => each.faults.map(({ part, fault }) => finding('fault', 'Parts', `${part}: ${fault}`)))
  const parts = faults.length > 0 ? faults : [finding('ok', 'Parts', 'Every part of the server answers.')]
  const notes = diagnoses.flatMap((each) => each.notes.map((note) => finding('ok', 'Note', note)))
  // Several processes may give the same warning.
  const said = new Set(diagnoses.flatMap(({ warnings }) => warnings))
  const warnings = Array.from(said, (text) => finding('warning', 'Settings', text))
  return [...parts, ...warnings, ...diagnoses.flatMap(({ backlogs }) => backlogs.flatMap(backlogFindings)), ...notes]
}

const backlogFindings = (backlog: Diagnosis['backlogs'][number]): Finding[] => {
  const { service, databaseClockOffsetMilliseconds: offset, outboxEvents, outboxOldestMilliseconds: age } = backlog
  const late = [
    Math.abs(offset) > MAX_OFFSET &&
      finding(
        'fault',
        'Clocks',
        `The clock of the database of ${service} is ${seconds(offset)} ${offset > 0 ? 'ahead of' : 'behind'} the server's.`,
      ),
    age > MAX_OUTBOX_AGE &&
      finding(
        'fault',
        'Queues',
        `${outboxEvents} events of ${service} wait to be published, the oldest for ${seconds(age)}: is the bus reachable?`,
      ),
    backlog.deadLetters > 0 &&
      finding(
        'warning',
        'Queues',
        `${backlog.deadLetters} events that ${service} could not act on wait: npm run rookery -- events dead-letters`,
      ),
    backlog.jobsExhausted > 0 &&
      finding('warning', 'Queues', `${backlog.jobsExhausted} jobs of ${service} were tried too often and given up.`),
    backlog.jobsDue > MAX_JOBS_DUE &&
      finding('warning', 'Queues', `${backlog.jobsDue} jobs of ${service} are due and wait for their turn.`),
  ].filter((each) => each !== false)
  return late.length > 0 ? late : [finding('ok', 'Queues', `Nothing of ${service} is late, and its clock is right.`)]
}

/** Free space on the disk of the data folder, in bytes. */
export const disk = ({ free, total }: { free: number; total: number }): Finding => {
  const text = `${Math.floor(free / MEBIBYTE).toLocaleString('en')} MiB of ${Math.floor(total / MEBIBYTE).toLocaleString('en')} MiB are free on the disk of the data folder.`
  return finding(free < MIN_FREE ? 'fault' : 'ok', 'Disk', text)
}

/** How far the clock of this machine is ahead of the server's, in milliseconds. */
export const clocks = (offset: number): Finding =>
  Math.abs(offset) > MAX_OFFSET
    ? finding('fault', 'Clocks', `The clock of the server differs by ${seconds(offset)} from that of this machine.`)
    : finding('ok', 'Clocks', 'The clock of the server is that of this machine.')

/** The public answers at the server's URLs. */
export type PublicView = Record<'api' | 'streaming' | 'socket' | 'nodeinfo' | 'webfinger', ProbeResult>

const statusFinding = (area: string, seen: ProbeResult, given: { expected: readonly number[]; ok: string; wrong: string }): Finding => {
  if ('error' in seen) return finding('fault', area, `${given.wrong} (${seen.error})`)
  return given.expected.includes(seen.status)
    ? finding('ok', area, given.ok)
    : finding('fault', area, `${given.wrong} (status ${seen.status})`)
}

const certificate = (baseUrl: string, seen: ProbeResult, now: number): Finding => {
  if (!baseUrl.startsWith('https:'))
    return finding('warning', 'Certificate', `${baseUrl} is not encrypted: apps refuse it, but on this machine.`)
  if ('error' in seen || seen.certificateEndsAt === undefined) return finding('fault', 'Certificate', 'The certificate could not be read.')
  const days = Math.floor((seen.certificateEndsAt - now) / DAY)
  const state = seen.certificateEndsAt < now ? 'fault' : seen.certificateEndsAt - now < WARNED_BEFORE ? 'warning' : 'ok'
  return finding(state, 'Certificate', days < 0 ? 'The certificate has ended.' : `The certificate is good for ${days} days.`)
}

/** Findings from outside, through the proxies in front of the server. */
export const outside = (baseUrl: string, { api, streaming, socket, nodeinfo, webfinger }: PublicView, now: number): Finding[] => [
  statusFinding('Public', api, { expected: [200], ok: `${baseUrl} answers.`, wrong: `${baseUrl} does not answer as the API should` }),
  certificate(baseUrl, api, now),
  statusFinding('Streaming', streaming, { expected: [200], ok: 'Streaming is reached.', wrong: 'The proxy does not lead to streaming' }),
  statusFinding('Streaming', socket, {
    // Without a token, the server itself refuses the handshake.
    expected: [101, 401],
    ok: 'WebSockets pass the proxy.',
    wrong: 'WebSockets do not pass the proxy: it must forward Upgrade and Connection',
  }),
  statusFinding('Federation', nodeinfo, { expected: [200], ok: 'NodeInfo is found.', wrong: 'NodeInfo is not found' }),
  statusFinding('Federation', webfinger, { expected: [200], ok: 'WebFinger is found.', wrong: 'WebFinger does not find the server' }),
]

const MARKS = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const

/** A line for each finding, faults first. */
export const linesOf = (findings: readonly Finding[]): string[] => {
  const order = ['fault', 'warning', 'ok'] as const
  const wrong = findings.filter(({ state }) => state !== 'ok').length
  const lines = order.flatMap((wanted) => findings.filter(({ state }) => state === wanted))
  return [
    ...lines.map(({ state, area, text }) => `${MARKS[state]}  ${area}: ${text}`),
    wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} things need attention.`,
  ]
}
