import { describe, expect, test } from 'vitest'
import { type Ephemeral, isAfter, type LiveGap, type LiveReader, positionText, readPosition } from '../src/index.ts'

/** An adapter of the ports: `open` does what a process does at its start, with the given clock. */
type EphemeralUnderTest = { open(now: () => number): Promise<Ephemeral> }

const bytes = (text: string) => Buffer.from(text)
const text = (message: Uint8Array) => Buffer.from(message).toString()
/** A reader of new messages only. */
const whenLive = (hear: (message: Uint8Array) => void, onGap: () => void = () => {}): LiveReader => ({
  read({ message, isKept }) {
    if (!isKept) hear(message)
  },
  onGap({ isKept }) {
    if (!isKept) onGap()
  },
})
let names = 0
const fresh = (name: string) => `${name}-${process.pid}-${names++}`

/** The conformance suite of the ports. */
export const ephemeralConformance = (name: string, under: () => EphemeralUnderTest): void => {
  describe(`${name}: the ephemeral ports`, () => {
    const withProcesses = async (work: (one: Ephemeral, other: Ephemeral) => Promise<void>, now: () => number = Date.now) => {
      const one = await under().open(now)
      const other = await under().open(now)
      try {
        await work(one, other)
      } finally {
        await one.close()
        await other.close()
      }
    }

    test('a live message reaches every reader of every process, in order', () =>
      withProcesses(async (one, other) => {
        const [here, there]: [string[], string[]] = [[], []]
        await one.live.subscribe(whenLive((message) => here.push(text(message))))
        await other.live.subscribe(whenLive((message) => there.push(text(message))))
        for (const word of ['a', 'b', 'c']) await one.live.publish(bytes(word))
        await expect.poll(() => there).toEqual(['a', 'b', 'c'])
        await expect.poll(() => here).toEqual(['a', 'b', 'c'])
      }))

    test('who ended a subscription hears no more; the others do', () =>
      withProcesses(async (one) => {
        const [left, stayed]: [string[], string[]] = [[], []]
        const leave = await one.live.subscribe(whenLive((message) => left.push(text(message))))
        await one.live.subscribe(whenLive((message) => stayed.push(text(message))))
        leave()
        await one.live.publish(bytes('a'))
        await expect.poll(() => stayed).toEqual(['a'])
        expect(left).toEqual([])
      }))

    test('a reader that throws takes the message from no one else', () =>
      withProcesses(async (one) => {
        const heard: string[] = []
        const complain = () => {
          throw new Error('a reader of bad manners')
        }
        await one.live.subscribe({ read: complain, onGap: complain })
        await one.live.subscribe(whenLive((message) => heard.push(text(message))))
        await one.live.publish(bytes('a'))
        await expect.poll(() => heard).toEqual(['a'])
      }))

    test('bytes arrive as they were sent', () =>
      withProcesses(async (one, other) => {
        const heard: number[][] = []
        await other.live.subscribe(whenLive((message) => heard.push([...message])))
        const sent = Uint8Array.from({ length: 256 }, (_, index) => index)
        await one.live.publish(sent)
        await expect.poll(() => heard).toEqual([[...sent]])
      }))

    test('every reader has a message at the same position, and positions rise', () =>
      withProcesses(async (one, other) => {
        const seen: string[][] = [[], []]
        for (const [index, { live }] of [one, other].entries()) {
          await live.subscribe({
            read: ({ message, position, isKept }) => void (isKept || seen[index]!.push(`${positionText(position)} ${text(message)}`)),
          })
        }
        for (let count = 0; count < 50; count++) await (count % 2 ? one : other).live.publish(bytes(String(count)))
        await expect.poll(() => seen.map(({ length }) => length)).toEqual([50, 50])
        expect(seen[0]).toEqual(seen[1])
        const positions = seen[0]!.map((line) => readPosition(line.split(' ')[0]!)!)
        expect(positions.every((position, index) => index === 0 || isAfter(position, positions[index - 1]!))).toBe(true)
      }))

    test('who comes later reads what is kept first, as kept, then what comes, each once and in order', () =>
      withProcesses(async (one, other) => {
        const word = fresh('word')
        const publishing = (async () => {
          for (let count = 0; count < 200; count++) await one.live.publish(bytes(`${word} ${count}`))
        })()
        await one.live.publish(bytes(`${word} first`))
        const seen: { number: string; isKept: boolean }[] = []
        const gaps: LiveGap[] = []
        await other.live.subscribe({
          read({ message, isKept }) {
            const [named, number] = text(message).split(' ')
            if (named === word && number !== 'first') seen.push({ number: number!, isKept })
          },
          onGap: (gap) => gaps.push(gap),
        })
        await publishing
        await expect.poll(() => seen.length).toBe(200)
        expect(seen.map(({ number }) => Number(number))).toEqual(seen.map((_, index) => index))
        const firstLive = seen.findIndex(({ isKept }) => !isKept)
        expect(seen.slice(firstLive).some(({ isKept }) => firstLive >= 0 && isKept)).toBe(false)
        // The log begins with a gap.
        expect(gaps.every(({ isKept, from }) => isKept && from !== undefined)).toBe(true)
      }))

    test('an account is a listener from its first connection, on whichever process, until a while after the last', () =>
      withProcesses(async (one, other) => {
        const [ann, bob] = [fresh('ann'), fresh('bob')]
        const present = async () => (await one.presence.listeners())?.filter((id) => id === ann || id === bob).sort()
        await one.presence.arrive(ann)
        await one.presence.arrive(ann)
        await other.presence.arrive(bob)
        expect(await present()).toEqual([ann, bob])
        one.presence.leave(ann)
        one.presence.leave(ann)
        other.presence.leave(bob)
        expect(await present()).toEqual([ann, bob])
      }))

    test('an account that comes back in time is covered since it came first', () =>
      withProcesses(async (one, other) => {
        const ann = fresh('ann')
        const first = (await one.presence.arrive(ann))!
        expect(first.coveredSince).toBe(first.at)
        one.presence.leave(ann)
        const again = (await other.presence.arrive(ann))!
        expect(again.coveredSince).toBe(first.coveredSince)
        expect(again.at).toBeGreaterThanOrEqual(first.at)
      }))

    test('an account that has arrived is known to every process from that moment', () =>
      withProcesses(async (one, other) => {
        for (let round = 0; round < 50; round++) {
          const id = fresh('visitor')
          expect(await one.presence.arrive(id)).toBeDefined()
          expect(await other.presence.listeners()).toContain(id)
          one.presence.leave(id)
        }
      }))

    test('a gap that any process reports reaches the readers of all', () =>
      withProcesses(async (one, other) => {
        const gaps: string[] = []
        const nothing = () => {}
        await one.live.subscribe(whenLive(nothing, () => gaps.push('one')))
        await other.live.subscribe(whenLive(nothing, () => gaps.push('other')))
        await other.live.subscribe({ read: nothing })
        one.live.reportGap()
        await expect.poll(() => gaps.toSorted()).toEqual(['one', 'other'])
      }))

    test('says of a message that it was taken', () =>
      withProcesses(async (one) => {
        expect(await one.live.publish(bytes('a'))).toBe(true)
      }))

    test('counts are those of all processes, by key and window, and begin again with the next window', async () => {
      let now = 1_700_000_100_000
      await withProcesses(
        async (one, other) => {
          const [a, b] = [fresh('a'), fresh('b')]
          const hit = (from: Ephemeral, ...keys: string[]) => from.rates.hit(keys.map((key) => ({ key, windowSeconds: 300 })))
          expect(await hit(one, a, b)).toEqual([1, 1])
          expect(await hit(other, a)).toEqual([2])
          expect(await other.rates.hit([{ key: a, windowSeconds: 60 }])).toEqual([1])
          expect(await hit(one, b, a)).toEqual([2, 3])
          now += 300_000
          expect(await hit(one, a, b)).toEqual([1, 1])
        },
        () => now,
      )
    })

    test('an amount of 0 reads a count; more than one counts so many', async () => {
      const now = 1_700_000_100_000
      await withProcesses(
        async (one, other) => {
          const key = fresh('amount')
          const hit = async (from: Ephemeral, amount?: number) =>
            (await from.rates.hit([{ key, windowSeconds: 300, ...(amount === undefined ? {} : { amount }) }]))[0]
          expect(await hit(one, 0)).toBe(0)
          expect(await hit(one)).toBe(1)
          expect(await hit(other, 0)).toBe(1)
          expect(await hit(other, 5)).toBe(6)
          expect(await hit(one, 0)).toBe(6)
        },
        () => now,
      )
    })

    /** Watches a topic; resolves once it has a stamp. */
    const watching = async ({ invalidations }: Ephemeral, topic: string) => {
      const stamp = invalidations.watch(topic)
      await expect.poll(stamp, { interval: 5 }).toBeDefined()
      return stamp
    }

    test('an invalidation changes the stamp of all who watch its topic, on whichever process, and of no other', () =>
      withProcesses(async (one, other) => {
        const [tokens, names] = [fresh('tokens'), fresh('names')]
        const [here, there, apart] = [await watching(one, tokens), await watching(other, tokens), await watching(other, names)]
        for (let round = 0; round < 5; round++) {
          const before = [here(), there(), apart()]
          await one.invalidations.publish(tokens)
          await expect.poll(() => here() !== before[0] && there() !== before[1], { interval: 5 }).toBe(true)
          expect(apart()).toBe(before[2])
        }
      }))

    test('a stamp stands while nothing is invalidated, and never comes again', () =>
      withProcesses(async (one, other) => {
        const topic = fresh('tokens')
        const stamp = await watching(other, topic)
        const seen = new Set([stamp()])
        for (let round = 0; round < 20; round++) {
          const before = stamp()
          expect(stamp()).toBe(before)
          await one.invalidations.publish(topic)
          await expect.poll(stamp, { interval: 5 }).not.toBe(before)
          expect(seen.has(stamp())).toBe(false)
          seen.add(stamp())
        }
      }))

    test('there is no stamp once a process is closed', async () => {
      let stamp: () => number | undefined = () => 0
      await withProcesses(async (one) => {
        stamp = await watching(one, fresh('tokens'))
      })
      expect(stamp()).toBeUndefined()
    })

    test('says that all is well when it is', () =>
      withProcesses(async (one) => {
        await one.live.subscribe({ read() {} })
        expect(one.live.fault()).toBeUndefined()
      }))
  })
}
