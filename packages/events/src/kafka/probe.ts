import { setTimeout as pause } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import { type KafkaOptions, openKafka } from './client.ts'

export type Probe = { fault(): string | undefined; close(): Promise<void> }

const EVERY = 1000

/** Asks the brokers something small again and again, because kafkajs does not tell when it lost them. */
export const startProbe = (options: KafkaOptions): Probe => {
  const kafka = openKafka(options, 'none')
  const closing = new AbortController()
  let fault: string | undefined = 'the brokers have not answered yet'
  let admin: Admin | undefined

  const ask = async () => {
    const asked = admin ?? kafka.admin()
    try {
      if (!admin) await asked.connect()
      admin = asked
      await asked.describeCluster()
      fault = undefined
    } catch (error) {
      fault = `the brokers do not answer: ${(error as Error).message}`
      admin = undefined
      await asked.disconnect().catch(() => {})
    }
  }
  const keepAsking = async () => {
    while (!closing.signal.aborted) {
      await ask()
      await pause(EVERY, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const asking = keepAsking()

  return {
    fault: () => fault,
    close: async () => {
      closing.abort()
      await asking
      await admin?.disconnect()
    },
  }
}
