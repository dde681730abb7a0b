import { FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import webPush from 'web-push'
import { LIFETIME } from './delivery.rules.ts'
import type { VapidKeys } from './server-keys.ts'

/** Push services answer quickly, or the alert is retried. */
const TIMEOUT = 10_000
const MAX_ANSWER_BYTES = 64 * 1024

/** A subscription's endpoint and encryption keys. */
type PushAddress = { endpoint: string; p256dh: string; auth: string; standard: boolean }

/** The answer of a push service. */
export type PushAnswer = { status: number; retryAfter: string | undefined }

/**
 * Sends an encrypted alert to a push service (RFC 8030, 8291, 8292; drafts of both if the client uses them). Alerts of one topic replace
 * each other while the push service holds them. An endpoint that may not be fetched counts as gone.
 * @throws FetchError without an answer
 */
export const pushService =
  ({ fetch, subject }: { fetch: GuardedFetch; subject: string }) =>
  async (address: PushAddress, alert: { body: Buffer; topic: string; keys: VapidKeys }): Promise<PushAnswer> => {
    const { endpoint, p256dh, auth, standard } = address
    const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, alert.body, {
      vapidDetails: { subject, ...alert.keys },
      TTL: LIFETIME / 1000,
      urgency: 'normal',
      topic: alert.topic,
      contentEncoding: standard ? 'aes128gcm' : 'aesgcm',
    })
    try {
      const post = { headers: details.headers as Record<string, string | number>, body: details.body }
      const { status, headers } = await fetch({ url: endpoint, post, milliseconds: TIMEOUT, maxBytes: MAX_ANSWER_BYTES })
      return { status, retryAfter: headers['retry-after'] }
    } catch (error) {
      if (error instanceof FetchError && error.fault === 'refused') return { status: 403, retryAfter: undefined }
      throw error
    }
  }
