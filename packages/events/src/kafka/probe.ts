import { sleep } from '@rookery/handles'
import type { Admin } from 'kafkajs'
import { bounded, disconnectOrCut } from './bounded.ts'
import { type KafkaOptions, openKafka } from './client.ts'

export type Probe = { fault(): string | undefined; close(): Promise<void> }

const EVERY = 1000
const ANSWER_MILLISECONDS = 2000

/** Probes the brokers at an interval, because kafkajs does not report when it lost them. `onReturn` is called when they answer again. */
export const startProbe = (options: KafkaOptions, { onReturn }: { onReturn: () => void }): Probe => {
  const { kafka, dropConnections, close } = openKafka(options, 'none')
  const closing = new AbortController()
  let fault: string | undefined = 'the brokers have not answered yet'
  let hasAnswered = false
  let admin: Admin | undefined

  const request = async (asked: Admin) => {
    if (asked !== admin) await asked.connect()
    await asked.describeCluster()
  }
  const ask = async () => {
    const asked = admin ?? kafka.admin()
    try {
      await bounded(request(asked), ANSWER_MILLISECONDS, dropConnections)
      admin = asked
      const isBack = hasAnswered && fault !== undefined
      fault = undefined
      hasAnswered = true
      if (isBack) onReturn()
    } catch (error) {
      fault = `the brokers do not answer: ${(error as Error).message}`
      admin = undefined
      void asked.disconnect().catch(() => {})
    }
  }
  const keepAsking = async () => {
    while (!closing.signal.aborted) {
      await ask()
      await sleep(EVERY, closing.signal)
    }
  }
  const asking = keepAsking()

  return {
    fault: () => fault,
    close: async () => {
      closing.abort()
      await asking
      await disconnectOrCut(Promise.resolve(admin?.disconnect()), close)
    },
  }
}
