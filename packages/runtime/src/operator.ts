import { LONG_STATEMENT, withStatementLimit } from '@rookery/database'
import type { Handler } from '@rookery/rpc'

type Run = (...input: unknown[]) => unknown

/** Handlers of the operator's calls, whose statements have the timeout of background work. */
export const operatorHandlers = (handlers: readonly Handler[]): Handler[] =>
  handlers.map(({ definition, implementation }) => {
    const patient = Object.entries(implementation).map(([name, run]) => {
      const patiently: Run = (...input) => withStatementLimit(LONG_STATEMENT, () => (run as Run).apply(implementation, input))
      return [name, patiently]
    })
    return { definition, implementation: Object.fromEntries(patient) }
  })
