import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The result of a run: requests per second, latencies in milliseconds, errors, and how many of those are refusals (status 400 and above). */
export type Load = { perSecond: number; p50: number; p99: number; errors: number; refusals: number }

/** The duration of a run, and its connections. */
export type Driving = { readonly seconds: number; readonly connections?: number }

/** The default number of connections. */
export const CONNECTIONS = 16

/** One kind of request, sent for the viewers in turn; several paths belong to one viewer each. */
export type Target = {
  path: string | readonly string[]
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  tokens?: readonly string[]
  body?: string
}

const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`

/** Some servers refuse requests without a User-Agent. */
const script = ({ path, method = 'GET', tokens = [], body }: Target) => `
local paths = { ${[path].flat().map(quote).join(', ')} }
local tokens = { ${tokens.map(quote).join(', ')} }
local turn = 0
wrk.method = ${quote(method)}
request = function()
  turn = turn + 1
  local headers = { ["User-Agent"] = "rookery-bench" }
  ${body === undefined ? '' : `headers["Content-Type"] = "application/json"`}
  if #tokens > 0 then headers["Authorization"] = "Bearer " .. tokens[(turn - 1) % #tokens + 1] end
  return wrk.format(nil, paths[(turn - 1) % #paths + 1], headers, ${body === undefined ? 'nil' : `string.gsub(${quote(body)}, "TURN", tostring(turn))`})
end
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout, summary.errors.status))
end
`

/** Drives a server with wrk. @throws Error when wrk is missing */
export const drive = async (origin: string, target: Target, { seconds, connections = CONNECTIONS }: Driving): Promise<Load> => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  const file = join(folder, 'load.lua')
  writeFileSync(file, script(target))
  try {
    const wrk = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', file, origin], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    wrk.stdout.on('data', (chunk) => {
      output += chunk
    })
    await new Promise<void>((resolve, reject) => {
      wrk.once('error', () => reject(new Error('wrk is needed: apt-get install wrk')))
      wrk.once('exit', () => resolve())
    })
    const result = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output)
    if (!result) throw new Error(`wrk said: ${output}`)
    const [requests = 0, duration = 0, p50 = 0, p99 = 0, errors = 0, refusals = 0] = result.slice(1).map(Number)
    return { perSecond: Math.round(requests / (duration / 1e6)), p50: p50 / 1000, p99: p99 / 1000, errors, refusals }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
