import { statfs } from 'node:fs/promises'
import { type Diagnosis, DiagnosticsDefinition } from '@rookery/contracts/common'
import { probe } from '@rookery/handles'
import { clocks, disk, type Finding, inside, linesOf, outside, type PublicView } from './doctor.rules.ts'
import { operatorCall, type Servers } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

const readDisk = async (folder: string): Promise<Finding[]> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return [disk({ free: bavail * bsize, total: blocks * bsize })]
}

const clockFindings = (diagnoses: readonly Diagnosis[]): Finding[] => {
  const offsets = diagnoses.map(({ clockMilliseconds }) => Date.now() - clockMilliseconds)
  return [clocks(offsets.toSorted((one, other) => Math.abs(other) - Math.abs(one))[0] ?? 0)]
}

const readPublic = async (baseUrl: string): Promise<Finding[]> => {
  const { host, hostname } = new URL(baseUrl)
  const at = (path: string, options = {}) => probe(`${baseUrl}${path}`, options)
  const [api, streaming, socket, nodeinfo, webfinger] = await Promise.all([
    at('/api/v2/instance'),
    at('/api/v1/streaming/health'),
    at('/api/v1/streaming', { upgrades: true }),
    at('/.well-known/nodeinfo'),
    at(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:${hostname}@${host}`)}`),
  ])
  return outside(baseUrl, { api, streaming, socket, nodeinfo, webfinger } satisfies PublicView, Date.now())
}

/** The URL given, else the one that a process reports. @throws Error if the one given is not a URL */
const baseUrlOf = (typed: string, diagnoses: readonly Diagnosis[]): string => {
  if (typed && !/^https?:$/.test(URL.parse(typed)?.protocol ?? '')) throw new Error('--url takes an address, as https://birds.example.')
  return (typed || diagnoses.find(({ baseUrl }) => baseUrl)?.baseUrl || '').replace(/\/+$/, '')
}

const NO_ADDRESS: Finding = {
  state: 'warning',
  area: 'Public',
  text: 'No process here knows the public address: add --url https://… to see what the public sees.',
}

export const doctor: Subcommand = {
  usage: 'doctor',
  summary: 'Looks at the running server and says what is wrong: parts, clocks, disk, queues, and what the public sees.',
  options: { '--url <address>': 'the public address, where it is not the one the server says' },
  async run(servers: Servers, typed) {
    const processes = await servers.all(DiagnosticsDefinition)
    const diagnoses = await Promise.all(processes.map((process) => process.examine(operatorCall(), {})))
    const baseUrl = baseUrlOf(textOf(typed, 'url'), diagnoses)
    const findings = [
      ...inside(diagnoses),
      ...clockFindings(diagnoses),
      ...(await readDisk(servers.folder)),
      ...(baseUrl ? await readPublic(baseUrl) : [NO_ADDRESS]),
    ]
    return { lines: linesOf(findings), json: findings, hasFailed: findings.some(({ state }) => state === 'fault') }
  },
}
