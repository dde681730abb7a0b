/** Things on their way from their preparation to their delivery. */
type OrderedQueue<Message> = {
  /** False when too many wait already: the message is not taken. */
  push(message: Message): boolean
}

/** How many are prepared side by side, and how many may wait behind them. */
const MAX_AT_ONCE = 32
const MAX_WAITING = 5000

/** Prepares messages concurrently and delivers them one after the other, in their order. Neither step may throw. */
export const orderedQueue = <Message, Ready>(given: {
  prepare(message: Message): Promise<Ready>
  deliver(ready: Ready): Promise<void>
}): OrderedQueue<Message> => {
  const waiting: Message[] = []
  const begun: Promise<Ready>[] = []
  let isRunning = false

  const begin = () => {
    while (begun.length < MAX_AT_ONCE && waiting.length > 0) begun.push(given.prepare(waiting.shift()!))
  }

  const run = async () => {
    isRunning = true
    for (let first = begun[0]; first; first = begun[0]) {
      const ready = await first
      void begun.shift()
      begin()
      await given.deliver(ready)
    }
    isRunning = false
  }

  return {
    push(message) {
      if (waiting.length >= MAX_WAITING) return false
      waiting.push(message)
      begin()
      if (!isRunning) void run()
      return true
    },
  }
}
