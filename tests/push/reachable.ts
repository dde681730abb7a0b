import { pathToFileURL } from 'node:url'
import type { Person } from '@rookery/test-world'
import { openBrowser, openPushService } from '@rookery/test-world/push-service'
import { expect } from 'vitest'

/** A public address to the product; nothing is ever sent there. */
const PUSH_ADDRESS = '1.2.3.4'

/** A push service that processes started with `environment` reach, at what they take for a public address. */
export const openReachablePush = async () => {
  const service = await openPushService()
  const preload = pathToFileURL(`${import.meta.dirname}/local-push-process.ts`).href
  return {
    ...service,
    environment: { NODE_OPTIONS: `--import=${preload}`, PUSH_ADDRESS, PUSH_PORT: String(service.port) },
    /** Has a device of someone alerted of mentions, at a path of its own. */
    async subscribe(person: Person, path: string) {
      const browser = openBrowser()
      const subscription = { endpoint: `http://${PUSH_ADDRESS}${path}`, keys: browser.keys, standard: true }
      const { status } = await person.post('/api/v1/push/subscription', { subscription, data: { alerts: { mention: true } } })
      expect(status).toBe(200)
      return browser
    },
  }
}
