import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The cost of a request until its answer was sent: sequential calls between services, and SQL statements. */
export type Cost = { hops: number; statements: number }

/** Counts the cost of each request. Only tests pay for it: the modules only know two observers. */
export const createCosts = () => {
  const running = new AsyncLocalStorage<Cost>()
  const last = { cost: { hops: 0, statements: 0 } }
  return {
    observeCall: () => {
      const cost = running.getStore()
      if (cost) cost.hops++
    },
    observeStatement: (text: string) => {
      const cost = running.getStore()
      if (cost && !/^(begin|commit|rollback|start transaction)/i.test(text)) cost.statements++
    },
    around:
      (answer: (request: IncomingMessage, response: ServerResponse) => void) => (request: IncomingMessage, response: ServerResponse) => {
        const cost = { hops: 0, statements: 0 }
        response.once('finish', () => {
          last.cost = { ...cost }
        })
        running.run(cost, () => answer(request, response))
      },
    last: () => last.cost,
    /** The cost of work. */
    of: async (work: () => Promise<unknown>): Promise<Cost> => {
      const cost = { hops: 0, statements: 0 }
      await running.run(cost, work)
      return { ...cost }
    },
  }
}
