/** A bounded queue whose messages are prepared and delivered. */
type OrderedQueue<Message> = {
  /** False if the queue is full and the message was dropped. */
  push(message: Message): boolean
}

/** Maximum messages prepared concurrently, and waiting behind them. */
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
