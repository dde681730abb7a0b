import { readdirSync } from 'node:fs'
import { globalAgent } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type RawAnswer, type RawRequest, send } from '@rookery/test-world/raw-request'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { BadInputHarness } from './bad-input.ts'

// Random but reproducible requests: FUZZ_SEED makes others, FUZZ_SECONDS runs longer. A failure reports its seed and the request.

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_701)
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 8)
/** However slow the machine is. */
const MIN_REQUESTS = 300
const WARM_UP_REQUESTS = 200
/** Concurrent requests. */
const SIDE_BY_SIDE = 6
const MADE_AT_ONCE = 120

/** In milliseconds. A slower answer is requested again, beside one that takes no work: the machine may be busy. */
const SLOW = 200
const SLOWER_THAN_HEALTH = 10
const TRIES = 4
/** The share of requests that may be slow each time. */
const MAX_SLOW = 0.02

const MAX_HEAP_GROWTH = 48 * 1024 * 1024
/** Connection pools open and close descriptors on their own. */
const MAX_NEW_DESCRIPTORS = 16

/** Texts of all kinds: short and long, any letters, digits, syntax characters, and invalid characters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '0', '1', '-1', 'true', 'null', '[]', '{}', '%00', '%ff', '../../etc/passwd', "' or 1=1--", '__proto__'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('9223372036854775808', '1e309', 'NaN', '2026-07-01T00:00:00Z', 'direct', '@mara', '#tea', 'http://[::1'),
  },
  { weight: 1, arbitrary: fc.nat({ max: 20_000 }).map((length) => 'x'.repeat(length)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.string({ maxLength: 5 }), fc.constantFrom('\0', '\ud800', '\u202e', '\r\n'), fc.string({ maxLength: 5 }))
      .map((parts) => parts.join('')),
  },
)

/** The name of a parameter of the endpoint, plain or in brackets, or another name. */
const nameFrom = (names: readonly string[]): fc.Arbitrary<string> => {
  const known = names.length > 0 ? fc.constantFrom(...names) : anyText
  const brackets = fc.constantFrom('', '', '', '[]', '[0]', '[x]', '[][x]', '[', ']', '[x][y][z]', '[__proto__]', '[a]'.repeat(20))
  return fc.oneof({ weight: 6, arbitrary: fc.tuple(known, brackets).map((parts) => parts.join('')) }, { weight: 1, arbitrary: anyText })
}

type Pair = readonly [name: string, value: string]
type Encoded = { body?: Buffer; headers: Record<string, string>; search: string }

const escaped = (text: string) => encodeURIComponent(text.toWellFormed())
const pairsAs = (pairs: readonly Pair[]) => pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&')

const BOUNDARY = 'fuzz-boundary'
const quoted = (text: string) => text.replace(/["\\\r\n]/g, '_')

const partOf = ([name, value]: Pair, kind: 'field' | 'file' | 'empty file' | 'nameless file') => {
  const fileName = kind === 'file' ? `; filename="${quoted(value).slice(0, 20)}.png"` : kind === 'empty file' ? '; filename=""' : ''
  const type = kind === 'field' ? '' : 'Content-Type: image/png\r\n'
  const content = kind === 'empty file' ? '' : value
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"${fileName}\r\n${type}\r\n${content}\r\n`
}

const jsonValue = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.nat({ max: 3000 }).map((length) => Array(length).fill('1')),
)

/** Values that are valid for many parameters, so that a request passes the first checks; else any text. */
const valueFrom = (ids: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('tea', '1', 'true', 'public', 'home', 'de', 'mara', ...ids) },
    { weight: 2, arbitrary: anyText },
  )

/** Parameters in any of a request's encodings: some of the target, and others. `fixed` ones are mostly included. */
const encodedWith = ({ names, files = [], fixed = [] }: Target, ids: readonly string[]): fc.Arbitrary<Encoded> => {
  const value = valueFrom(ids)
  const chosen = fc.oneof(fc.subarray([...names], { maxLength: Math.min(names.length, 2) }), fc.subarray([...names]))
  const known = chosen.chain((some) => fc.tuple(...some.map((name) => fc.tuple(fc.constant(name), value))))
  const others = fc.oneof(fc.constant([]), fc.array(fc.tuple(nameFrom(names), value), { maxLength: 2 }))
  const pairs = fc
    .tuple(known, others, fc.integer({ min: 0, max: 3 }))
    .map(([some, more, luck]): readonly Pair[] => [...(luck > 0 ? fixed : []), ...some, ...more])
  const kinds = fc.constantFrom('file', 'file', 'file', 'empty file', 'nameless file', 'field')
  const uploads = fc.array(fc.tuple(fc.tuple(nameFrom(files.length > 0 ? files : names), anyText), kinds), { maxLength: 2 })
  const parts = fc.tuple(pairs, uploads, fc.boolean()).map(([all, some, isFirst]) => {
    const fields = all.map((each) => partOf(each, 'field'))
    const sent = some.map(([each, kind]) => partOf(each, kind))
    return [...(isFirst ? sent : []), ...fields, ...(isFirst ? [] : sent)]
  })
  const json = fc
    .tuple(pairs, fc.array(fc.tuple(nameFrom(names), jsonValue), { maxLength: 2 }))
    .map(([all, more]) => Object.fromEntries([...all, ...more]))
  const multipart = parts.map((all) => ({
    body: Buffer.from(`${all.join('')}--${BOUNDARY}--\r\n`),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    search: '',
  }))
  return fc.oneof(
    { weight: 1, arbitrary: pairs.map((all) => ({ headers: {}, search: pairsAs(all) })) },
    {
      weight: 1,
      arbitrary: pairs.map((all) => ({
        body: Buffer.from(pairsAs(all)),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        search: '',
      })),
    },
    {
      weight: 1,
      arbitrary: json.map((all) => ({
        body: Buffer.from(JSON.stringify(all)),
        headers: { 'content-type': 'application/json' },
        search: '',
      })),
    },
    { weight: files.length > 0 ? 6 : 1, arbitrary: multipart },
  )
}

/** Damages a body or a URL. */
const damage: fc.Arbitrary<(encoded: Encoded) => Encoded> = fc.oneof(
  { weight: 5, arbitrary: fc.constant((encoded: Encoded) => encoded) },
  {
    weight: 2,
    arbitrary: fc.double({ min: 0, max: 1, noNaN: true }).map((part) => (encoded: Encoded) => {
      const cut = encoded.body?.subarray(0, Math.floor(encoded.body.length * part))
      return { ...encoded, ...(cut && { body: cut }), search: encoded.search.slice(0, Math.floor(encoded.search.length * part)) }
    }),
  },
  {
    weight: 2,
    arbitrary: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }).map((changes) => (encoded: Encoded) => {
      if (!encoded.body?.length) return encoded
      const body = Buffer.from(encoded.body)
      for (const [at, byte] of changes) body[at % body.length] = byte
      return { ...encoded, body }
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '',
        'application/json',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'text/plain',
        'image/png',
        ';;;',
        'a/b+json',
      )
      .map((type) => (encoded: Encoded) => ({ ...encoded, headers: { 'content-type': type } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('%', '%ff', '%00', '&&&=&', '[', 'a'.repeat(3000), 'k=v&'.repeat(2500))
      .map((more) => (encoded: Encoded) => ({
        ...encoded,
        search: `${encoded.search}&${more}`,
      })),
  },
)

const HEADER_TEXT = fc.stringMatching(/^[\t !-~\x80-\xff]{0,40}$/)

/** Headers that a server evaluates, with unusual values. */
const anyHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'accept',
        'accept-language',
        'content-encoding',
        'cookie',
        'idempotency-key',
        'if-none-match',
        'origin',
        'range',
        'referer',
        'traceparent',
        'x-forwarded-for',
        'x-forwarded-proto',
        'x-request-id',
      ),
      HEADER_TEXT,
      { maxKeys: 3 },
    ),
  },
)

/** A URL: a pattern with its parameters filled in, correctly or not. */
const addressOf = (path: string, ids: readonly string[]): fc.Arbitrary<string> => {
  const filler = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: anyText.map((text) => escaped(text).slice(0, 200)) },
    { weight: 1, arbitrary: fc.constantFrom('%ff', '%', '%00', '%2F', '..', '.', '%zz', '0', '9'.repeat(30)) },
  )
  const count = path.split('/:').length - 1
  return fc
    .tuple(fc.array(filler, { minLength: count, maxLength: count }), fc.constantFrom('', '', '', '', '', '', '/', '//', '.json'))
    .map(([fillers, end]) => {
      let at = 0
      return path.replace(/:\w+/g, () => fillers[at++] ?? '') + end
    })
}

/** A target of requests: a route, with the names of its parameters. */
export type Target = {
  readonly method: string
  readonly path: string
  readonly names: readonly string[]
  readonly files?: readonly string[]
  readonly fixed?: readonly Pair[]
}

/** The weight of a target: more parameters can be wrong in more ways. */
const weightOf = ({ names, files = [] }: Target) => 1 + names.length + 10 * files.length

type Known = {
  readonly ids: readonly string[]
  readonly tokens: readonly (string | undefined)[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Random requests to a target. */
const requestFor = (target: Target, { ids, tokens, headers = {} }: Known): fc.Arbitrary<RawRequest> =>
  fc
    .tuple(addressOf(target.path, ids), encodedWith(target, ids), damage, anyHeaders, fc.constantFrom(...tokens))
    .map(([address, encoded, damaged, more, token]): RawRequest => {
      const { body, headers: own, search } = damaged(encoded)
      return {
        method: target.method,
        path: (search ? `${address}?${search}` : address).replace(/[^!-~]/g, '_'),
        headers: { ...headers, ...more, ...own },
        ...(body && target.method !== 'HEAD' ? { body } : {}),
        ...(token === undefined ? {} : { token }),
      }
    })

/** Random requests to one of the targets. */
export const requestTo = (targets: readonly Target[], known: Known): fc.Arbitrary<RawRequest> =>
  fc.oneof(...targets.map((target) => ({ weight: weightOf(target), arbitrary: requestFor(target, known) })))

const shown = (request: RawRequest) => ({ ...request, body: request.body?.toString().slice(0, 500) })

/** The resources that a process holds when idle. */
const held = (harness: BadInputHarness) => {
  globalAgent.destroy()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return {
    bytes: heapUsed + external,
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    folders: harness.leftovers().length,
  }
}

type Speak = (origin: string, request: RawRequest) => Promise<RawAnswer>

/** Whether an answer is slow each time it is requested, absolutely and relative to the machine's current speed. */
const isSlow = async (origin: string, first: RawAnswer, again: () => Promise<RawAnswer>): Promise<boolean> => {
  let { milliseconds } = first
  for (let tries = 1; tries < TRIES && milliseconds > SLOW; tries++) {
    const [next, health] = [await again(), await send(origin, { path: '/health' })]
    milliseconds = next.milliseconds > SLOWER_THAN_HEALTH * health.milliseconds ? next.milliseconds : 0
  }
  return milliseconds > SLOW
}

/** An endless sequence of random requests, the same for the same seed. */
function* requestsFrom(requests: fc.Arbitrary<RawRequest>, seed: number, sideBySide: number): Generator<RawRequest[]> {
  for (let chunk = 0; ; chunk++) {
    const made = fc.sample(requests, { seed: seed + chunk, numRuns: MADE_AT_ONCE })
    for (let at = 0; at < made.length; at += sideBySide) yield made.slice(at, at + sideBySide)
  }
}

/**
 * Sends random requests for some seconds. Expects each answer to be one of the contract, nearly all of them fast, and the process to hold
 * the same resources afterwards.
 */
export const fuzz = async (
  harness: BadInputHarness,
  requests: fc.Arbitrary<RawRequest>,
  judge: (answer: RawAnswer, request: RawRequest) => void,
  { speak = send as Speak, sideBySide = SIDE_BY_SIDE } = {},
): Promise<{ sent: number }> => {
  const { origin } = harness.world
  const ask = async (request: RawRequest, seed: number): Promise<boolean> => {
    try {
      const answer = await speak(origin, request)
      judge(answer, request)
      return await isSlow(origin, answer, () => speak(origin, request))
    } catch (error) {
      throw new Error(`FUZZ_SEED=${seed}: ${(error as Error).message}\n${JSON.stringify(shown(request))}`, { cause: error })
    }
  }
  const run = async (seed: number, isOver: (sent: number) => boolean) => {
    let sent = 0
    let slow = 0
    for (const side of requestsFrom(requests, seed, sideBySide)) {
      const found = await Promise.all(side.map((request) => ask(request, seed)))
      sent += side.length
      slow += found.filter(Boolean).length
      if (isOver(sent)) break
    }
    await harness.world.idle()
    return { sent, slow }
  }

  // Fills caches and pools, and lets code be compiled.
  await run(SEED - 1_000_000, (sent) => sent >= WARM_UP_REQUESTS)
  const before = held(harness)
  const end = performance.now() + SECONDS * 1000
  const { sent, slow } = await run(SEED, (count) => count >= MIN_REQUESTS && performance.now() > end)
  expect({ slow, sent, isFast: slow <= sent * MAX_SLOW }).toMatchObject({ isFast: true })
  await expect.poll(() => held(harness).folders).toBe(0)
  await expect.poll(() => held(harness).descriptors).toBeLessThanOrEqual(before.descriptors + MAX_NEW_DESCRIPTORS)
  expect(held(harness).bytes - before.bytes).toBeLessThan(MAX_HEAP_GROWTH)
  expect((await send(origin, { path: '/api/v1/instance' })).status).toBe(200)
  return { sent }
}
