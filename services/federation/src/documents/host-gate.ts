import { DocumentError } from '../contract.ts'

/** Maximum concurrent fetches of one host, and of those waiting for them. */
const AT_ONCE = 4
const MAX_WAITING = 64

type Gate = { running: number; waiting: (() => void)[] }

/** Limits the concurrent fetches of one host; when the queue is full, further ones are refused. */
export const hostGates = () => {
  const gates = new Map<string, Gate>()

  const enter = async (host: string): Promise<Gate> => {
    const gate = gates.get(host) ?? { running: 0, waiting: [] }
    gates.set(host, gate)
    if (gate.running < AT_ONCE) gate.running++
    else {
      if (gate.waiting.length >= MAX_WAITING) throw new DocumentError('busy', 'too many fetches of one host')
      await new Promise<void>((resolve) => gate.waiting.push(resolve))
    }
    return gate
  }
  const leave = (host: string, gate: Gate) => {
    const next = gate.waiting.shift()
    if (next) return next()
    gate.running--
    if (gate.running === 0) gates.delete(host)
  }

  /** Runs work when the host has a free slot. @throws DocumentError busy when the queue is full */
  return async <Value>(host: string, work: () => Promise<Value>): Promise<Value> => {
    const gate = await enter(host)
    try {
      return await work()
    } finally {
      leave(host, gate)
    }
  }
}
