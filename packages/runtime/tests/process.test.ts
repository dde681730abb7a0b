import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Lifecycle } from '../src/index.ts'

const RUNTIME = new URL('../src/index.ts', import.meta.url).href

/** Runs a process whose start is `body`, with `opened`, `log` and `say` in scope; `act` is called once it has said `ready`. */
const run = async (body: string, act?: (kill: (signal: NodeJS.Signals) => void) => void) => {
  const script = `
    import { createLogger, ConfigurationError, runProcess } from '${RUNTIME}'
    const log = createLogger({ name: 'test', level: 'info' })
    const say = (text) => console.log('said ' + text)
    setInterval(() => {}, 1000)
    await runProcess(log, async (opened) => { ${body}; say('ready') })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let output = ''
  const heard = (text: Buffer) => {
    const before = output
    output += text
    if (!before.includes('said ready') && output.includes('said ready')) act?.((signal) => child.kill(signal))
  }
  child.stdout.on('data', heard)
  child.stderr.on('data', heard)
  const [code] = await once(child, 'close')
  return { code, output, said: [...output.matchAll(/^said (.*)$/gm)].map(([, text]) => text) }
}

const TWO_THINGS = `opened.onClose('a', () => say('closed a')); opened.add('b', { close: () => say('closed b') })`

describe('a process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('closes what it opened in reverse order on %s', async (signal) => {
    const { code, said } = await run(TWO_THINGS, (kill) => kill(signal))
    expect(said).toEqual(['ready', 'closed b', 'closed a'])
    expect(code).toBe(0)
  })

  test('that is asked to stop while it starts finishes that, and closes all it opened', async () => {
    const body = `opened.onClose('a', () => say('closed a')); say('ready'); const { promise, resolve } = Promise.withResolvers()
      process.once('SIGTERM', () => setTimeout(resolve, 300)); await promise
      opened.onClose('b', () => say('closed b'))`
    const { code, said } = await run(body, (kill) => kill('SIGTERM'))
    expect(said.filter((text) => text?.startsWith('closed'))).toEqual(['closed b', 'closed a'])
    expect(code).toBe(0)
  })

  test('whose start fails after it was asked to stop ends as one that was stopped', async () => {
    const body = `opened.onClose('a', () => say('closed a')); say('ready'); const { promise, reject } = Promise.withResolvers()
      process.once('SIGTERM', () => setTimeout(() => reject(new Error('too late')), 100)); await promise`
    const { code, output } = await run(body, (kill) => kill('SIGTERM'))
    expect(output).toContain('said closed a')
    expect(output).not.toContain('too late')
    expect(code).toBe(0)
  })

  test('whose start goes on for too long after it was asked to stop does not wait for it', async () => {
    const body = `opened.onClose('a', () => say('closed a')); say('ready'); await new Promise(() => {})`
    const { code, said } = await run(body, (kill) => kill('SIGTERM'))
    expect(said).toEqual(['ready', 'closed a'])
    expect(code).toBe(0)
  })

  test('keeps working for its drain period before it closes anything', async () => {
    const body = `${TWO_THINGS}; const work = setInterval(() => say('works'), 50)
      opened.onClose('work', () => clearInterval(work)); opened.drainFor(300, () => say('stopping')); opened.extendTimeout(1000)
      say('grace ' + opened.graceMilliseconds)`
    const { code, said } = await run(body, (kill) => kill('SIGTERM'))
    expect(said.slice(0, 2)).toEqual(['grace 26300', 'ready'])
    const [drain, close] = [said.indexOf('stopping'), said.indexOf('closed b')]
    expect(said.slice(drain, close).filter((text) => text === 'works').length).toBeGreaterThanOrEqual(2)
    expect(said.slice(close)).toEqual(['closed b', 'closed a'])
    expect(code).toBe(0)
  })

  test('goes on when the reader of its output goes away', async () => {
    const script = `
      import { createLogger, runProcess } from '${RUNTIME}'
      await runProcess(createLogger({ name: 'test', level: 'info' }), async () => {
        setInterval(() => { console.log('to no one'); console.error('alive') }, 10)
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(child.stdout, 'data')
    child.stdout.destroy()
    let alive = 0
    child.stderr.on('data', (text: Buffer) => {
      const before = alive
      alive += String(text).split('alive').length - 1
      // Only once: a second later, another signal would exit at once.
      if (before <= 20 && alive > 20) child.kill('SIGTERM')
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('that has something to say at its end to a reader that has gone away ends all the same', async () => {
    const script = `
      import { once } from 'node:events'
      import { createLogger, runProcess } from '${RUNTIME}'
      console.log('ready')
      await once(process.stdin.resume(), 'end')
      const log = createLogger({ name: 'test', level: 'info' })
      await runProcess(log, async () => {
        log.warn('there is little room')
        throw new Error('no room')
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.stdin.end()
    const ended = once(child, 'exit')
    onTestFinished(() => void child.kill('SIGKILL'))
    expect(await ended).toEqual([1, null])
  })

  test('goes on while no one reads what it says, and the reader gets whole lines afterwards', async () => {
    const script = `
      import { createLogger } from '${RUNTIME}'
      const log = createLogger({ name: 'test', level: 'info' })
      for (let number = 0; number < 3000; number++) log.info({ number, text: 'x'.repeat(1000) }, 'said')
      console.error('done')
      process.stdin.resume().once('end', () => process.exit(0))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(child.stderr, 'data')
    const output = text(child.stdout)
    child.stdin.end()
    const ended = once(child, 'exit')
    const lines = (await output).trimEnd().split('\n')
    const numbers = lines.map((line) => JSON.parse(line).number)
    expect(numbers).toEqual(numbers.map((_, index) => index))
    // A mebibyte was buffered.
    expect(numbers.length).toBeGreaterThan(900)
    expect(await ended).toEqual([0, null])
  })

  test('that is killed leaves what Node compiled for it to the next start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rookery-compiled-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const script = `
      import { createLogger, runProcess } from '${RUNTIME}'
      setInterval(() => {}, 1000)
      await runProcess(createLogger({ name: 'test', level: 'info' }), async () => {})
      console.log('started')`
    const env = { ...process.env, NODE_COMPILE_CACHE: folder }
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(10)
  })

  test('gives back the memory that only its start needed', async () => {
    const script = `
      import { createLogger, runProcess } from '${RUNTIME}'
      setInterval(() => {}, 1000)
      const megabytes = () => Math.round(process.memoryUsage().heapTotal / 2 ** 20)
      let atStart
      await runProcess(createLogger({ name: 'test', level: 'info' }), async () => {
        // In use long enough to be moved to the old generation, which only a full collection frees.
        for (let round = 0, kept = []; round < 20; round++, kept = kept.slice(-200_000)) kept.push(...Array.from({ length: 50_000 }, (_, index) => ({ index })))
        atStart = megabytes()
      })
      console.log(JSON.stringify([atStart, megabytes()]))
      process.exit(0)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [atStart, after] = JSON.parse(await text(child.stdout))
    expect(after).toBeLessThan(atStart / 2)
  })

  test('whose start fails closes what was opened, and ends with 1', async () => {
    const { code, said, output } = await run(`${TWO_THINGS}; throw new Error('no room')`)
    expect(said).toEqual(['closed b', 'closed a'])
    expect(output).toContain('no room')
    expect(code).toBe(1)
  })

  test('whose settings are wrong says so in plain words', async () => {
    const { code, output } = await run(`throw new ConfigurationError(['PORT must be a port number'])`)
    expect(output).toBe('The environment cannot be used:\n  PORT must be a port number\n')
    expect(code).toBe(1)
  })

  test('takes signals that come together for one', async () => {
    const slow = `opened.onClose('slow', () => new Promise((resolve) => setTimeout(() => { say('closed'); resolve() }, 200)))`
    const { code, said } = await run(slow, (kill) => {
      kill('SIGINT')
      setTimeout(() => kill('SIGINT'), 50)
    })
    expect(said).toEqual(['ready', 'closed'])
    expect(code).toBe(0)
  })

  test('exits at once on a second signal later', async () => {
    const slow = `opened.onClose('slow', () => new Promise(() => say('closing')))`
    const { code, said } = await run(slow, (kill) => {
      kill('SIGTERM')
      const again = setInterval(() => kill('SIGINT'), 20)
      again.unref()
    })
    expect(said[0]).toBe('ready')
    expect(code).toBe(1)
  })

  test('closes the others when one cannot be closed', async () => {
    const lifecycle = new Lifecycle()
    const closed: string[] = []
    const faults: string[] = []
    lifecycle.onClose('a', () => closed.push('a'))
    lifecycle.onClose('broken', () => Promise.reject(new Error('no')))
    lifecycle.onClose('c', () => closed.push('c'))
    await lifecycle.close((name, error) => faults.push(`${name}: ${(error as Error).message}`))
    expect(closed).toEqual(['c', 'a'])
    expect(faults).toEqual(['broken: no'])
  })

  test('logs no secrets', async () => {
    const { output } = await run(
      `log.info({ token: 'hunter2', given: { password: 'hunter2', email: 'a@b' }, ok: 'seen' }, 'a line'); process.exit(0)`,
    )
    expect(output).toContain('seen')
    expect(output).not.toContain('hunter2')
    expect(output).not.toContain('a@b')
  })
})
