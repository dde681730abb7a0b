import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './chart/declared.ts'

type Scenario = { exec: string; startTime: string; vus?: number; rate?: number }
type Inspected = { scenarios: Record<string, Scenario>; thresholds: Record<string, string[]> }

const hasK6 = spawnSync('k6', ['version']).status === 0
const files = globSync('load/*.ts', { cwd: ROOT })
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Runs `npm run load` with parameters, and where k6 is found or not. */
const load = (words: string[], path = process.env['PATH'] ?? '') =>
  spawnSync(process.execPath, ['scripts/run.ts', 'load', ...words], { cwd: ROOT, encoding: 'utf8', env: { PATH: path } })

const inspect = (settings: Record<string, string>): Inspected => {
  const words = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const { stdout, stderr, status } = spawnSync('k6', ['inspect', ...words, 'load/main.ts'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Inspected
}

describe('the command that puts a server under load', () => {
  it.each([
    [[], '--target is the address'],
    [['--target', 'staging.example'], '--target is the address'],
    [['--target', 'https://staging.example/web'], '--target is the address'],
    [['--target', 'https://staging.example', '--users', '0'], '--users is how many'],
    [['--target', 'https://staging.example', '--minutes', 'two'], '--minutes is how long'],
    [['--target', 'https://staging.example', '--only', 'lunch'], '--only is one of sign-up-wave, morning-rush'],
    [['--target', 'https://staging.example', '--tokens', 'none.txt'], 'there is no none.txt'],
    [['--target', 'https://staging.example', '--only', 'soak'], 'soak needs --metrics'],
    [['--target', 'https://staging.example', '--metrics', 'here'], '--metrics is where'],
  ])('refuses %j', (words, complaint) => {
    const { status, stderr } = load(words)
    expect(stderr).toContain(complaint)
    expect(stderr).toContain('npm run load -- --target URL --users N --minutes M')
    expect(status).toBe(1)
  })

  it('says how to get k6 where it is not', () => {
    const { status, stderr } = load(['--target', 'http://127.0.0.1:1'], '/nowhere')
    expect(stderr).toContain('go install go.k6.io/k6@')
    expect(status).toBe(1)
  })
})

describe('the scripts for k6', () => {
  it.each(files)('are sources that can be read: %s', (file) => {
    expect(() => stripTypeScriptTypes(textOf(file))).not.toThrow()
  })

  it('hand over what every scene runs', () => {
    const exported = [...textOf('load/main.ts').matchAll(/^export \{ (.+) \} from/gm)].flatMap(([, names]) => names!.split(', '))
    const wanted = files.flatMap((file) => [...textOf(file).matchAll(/^ {2}exec: '(\w+)',$/gm)].map(([, name]) => name!))
    expect(exported.sort()).toEqual(wanted.sort())
    expect(wanted).toHaveLength(8)
  })
})

describe.skipIf(!hasK6)(hasK6 ? 'the scenes' : 'the scenes: k6 is not on the path', () => {
  const secondsOf = (text: string) =>
    [...text.matchAll(/(\d+)([ms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (unit === 'm' ? 60 : 1), 0)

  it('come one after the other, with as many people as asked for', () => {
    const { scenarios } = inspect({ USERS: '40', MINUTES: '2' })
    const order = Object.entries(scenarios).sort(([, a], [, b]) => secondsOf(a.startTime) - secondsOf(b.startTime))
    const scenes = ['signUpWave', 'morningRush', 'celebrityFollowers', 'celebrity', 'onlooker', 'reconnectStorm']
    expect(order.map(([name]) => name)).toEqual(scenes)
    expect(scenarios).toMatchObject({ signUpWave: { rate: 40 }, celebrityFollowers: { vus: 40 }, reconnectStorm: { vus: 40 } })
    expect(secondsOf(scenarios['reconnectStorm']!.startTime) - secondsOf(scenarios['celebrityFollowers']!.startTime)).toBeGreaterThan(120)
  })

  it('have a threshold each', () => {
    const { scenarios, thresholds } = inspect({ USERS: '40', MINUTES: '2' })
    const judged = Object.keys(thresholds).join()
    for (const name of Object.keys(scenarios).filter((each) => each !== 'celebrity')) expect(judged).toContain(`scenario:${name}`)
    expect(Object.keys(thresholds)).toEqual(expect.arrayContaining(['celebrity_post_delay', 'reconnect_time', 'checks']))
  })

  it('are played alone when asked for', () => {
    const { scenarios, thresholds } = inspect({ ONLY: 'reconnect-storm' })
    expect(Object.keys(scenarios).sort()).toEqual(['onlooker', 'reconnectStorm'])
    expect(thresholds).not.toHaveProperty('celebrity_post_delay')
  })

  it('soak where metrics can be read, and judge how memory grows', () => {
    const { scenarios, thresholds } = inspect({ ONLY: 'soak', METRICS: 'http://localhost:9000/metrics' })
    expect(Object.keys(scenarios)).toEqual(['memory', 'soak'])
    expect(thresholds).toHaveProperty('memory_growth')
    expect(inspect({}).scenarios).not.toHaveProperty('soak')
  })

  it('sign no one up where tokens are given', () => {
    const folder = mkdtempSync(join(tmpdir(), 'load-'))
    try {
      const file = join(folder, 'tokens.txt')
      writeFileSync(file, 'first\nsecond\n')
      expect(Object.keys(inspect({ TOKENS: file }).scenarios)).not.toContain('signUpWave')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
