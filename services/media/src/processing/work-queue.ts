import { unavailable } from '@rookery/failures'

/** Runs work with limited concurrency. Owners take turns, so that one with much work does not block the others. */
export type WorkQueue = {
  /**
   * Runs `work` when it is the owner's turn. Work that is still queued when `signal` aborts never runs.
   * @throws Failure unavailable when the queue is full, or the caller disconnected
   */
  run<Result>(asked: { owner: string; signal: AbortSignal }, work: () => Promise<Result>): Promise<Result>
  /** How much is queued. */
  waiting(): number
}

/** The limits of running and queued work, in total and per owner. */
type QueueLimits = { running: number; runningPerOwner: number; waiting: number; waitingPerOwner: number }

type Turn = { start(): void }

/** Counts running work, in total and per owner. */
const countRunning = (max: QueueLimits) => {
  let running = 0
  const runningOf = new Map<string, number>()
  return {
    mayStart: (owner: string) => running < max.running && (runningOf.get(owner) ?? 0) < max.runningPerOwner,
    begin: (owner: string) => {
      running++
      runningOf.set(owner, (runningOf.get(owner) ?? 0) + 1)
    },
    end: (owner: string) => {
      running--
      const left = runningOf.get(owner)! - 1
      if (left > 0) runningOf.set(owner, left)
      else runningOf.delete(owner)
    },
  }
}

/** A queue within these limits. */
export const workQueue = (max: QueueLimits): WorkQueue => {
  const running = countRunning(max)
  let waiting = 0
  /** Queued work by owner, the owner whose turn it is first. */
  const turns = new Map<string, Turn[]>()

  /** Removes queued work; the owner's next turn comes after everyone else's. */
  const leave = (owner: string, turn: Turn) => {
    const rest = (turns.get(owner) ?? []).filter((each) => each !== turn)
    turns.delete(owner)
    if (rest.length > 0) turns.set(owner, rest)
    waiting--
  }

  const startNext = () => {
    const owner = turns.keys().find(running.mayStart)
    const turn = owner === undefined ? undefined : turns.get(owner)![0]!
    if (owner === undefined || !turn) return
    leave(owner, turn)
    running.begin(owner)
    turn.start()
  }

  const turnOf = (owner: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const gone = () => {
        leave(owner, turn)
        reject(unavailable('the caller has gone'))
      }
      const turn = {
        start: () => {
          signal.removeEventListener('abort', gone)
          resolve()
        },
      }
      signal.addEventListener('abort', gone, { once: true })
      turns.set(owner, [...(turns.get(owner) ?? []), turn])
      waiting++
    })

  return {
    async run({ owner, signal }, work) {
      if (signal.aborted) throw unavailable('the caller has gone')
      if (running.mayStart(owner)) running.begin(owner)
      else if (waiting >= max.waiting || (turns.get(owner)?.length ?? 0) >= max.waitingPerOwner) {
        throw unavailable('too many pictures are waiting')
      } else await turnOf(owner, signal)
      try {
        return await work()
      } finally {
        running.end(owner)
        startNext()
      }
    },
    waiting: () => waiting,
  }
}
