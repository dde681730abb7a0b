import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const USE = 'npm run load -- --target URL --users N --minutes M [--only SCENE] [--tokens FILE] [--metrics URL,…]'
const SCENES = ['sign-up-wave', 'morning-rush', 'celebrity-post', 'reconnect-storm', 'soak']
const ADVICE = `k6 is not here, and is not brought along. It is one program:
  from https://grafana.com/docs/k6/latest/set-up/install-k6/, or with Go: go install go.k6.io/k6@v1.8.1`

type Wanted = { target: string; users: string; minutes: string; only: string; tokens: string; metrics: string }

const readWanted = (args: string[]): Wanted => {
  const text = { type: 'string', default: '' } as const
  const options = {
    target: text,
    users: { ...text, default: '50' },
    minutes: { ...text, default: '2' },
    only: text,
    tokens: text,
    metrics: text,
  }
  const { values } = parseArgs({ args, options })
  return values
}

/** The faults of the options. */
const faultsOf = ({ target, users, minutes, only, tokens, metrics }: Wanted): string[] => {
  const faults: string[] = []
  if (!URL.canParse(target) || !/^https?:\/\/[^/]+$/.test(target))
    faults.push('--target is the address of a server, as https://staging.example')
  if (!/^[1-9]\d*$/.test(users)) faults.push('--users is how many people there are')
  if (!(Number(minutes) >= 0.25)) faults.push('--minutes is how long each scene takes, a quarter at least')
  if (only && !SCENES.includes(only)) faults.push(`--only is one of ${SCENES.join(', ')}`)
  if (!metrics.split(',').every((url) => !url || URL.canParse(url)))
    faults.push('--metrics is where processes show them, as http://localhost:9000/metrics')
  if (only === 'soak' && !metrics) faults.push('soak needs --metrics')
  if (tokens && !existsSync(tokens)) faults.push(`there is no ${tokens}`)
  return faults
}

/** `npm run load`: runs the scenarios of load/ against a server with k6. Returns whether the thresholds were met. */
export const load = (args: string[]): boolean => {
  const wanted = readWanted(args)
  const faults = faultsOf(wanted)
  if (faults.length > 0) {
    console.error([...faults, USE].join('\n'))
    return false
  }
  const settings = {
    TARGET: wanted.target,
    USERS: wanted.users,
    MINUTES: wanted.minutes,
    ONLY: wanted.only,
    TOKENS: wanted.tokens && resolve(wanted.tokens),
    METRICS: wanted.metrics,
  }
  const words = Object.entries(settings).flatMap(([name, value]) => (value ? ['--env', `${name}=${value}`] : []))
  const { status, error } = spawnSync('k6', ['run', ...words, join(import.meta.dirname, '../load/main.ts')], { stdio: 'inherit' })
  if (error) console.error('code' in error && error.code === 'ENOENT' ? ADVICE : error.message)
  return status === 0
}
