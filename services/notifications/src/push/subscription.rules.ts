import { ECDH } from 'node:crypto'
import type { SubscribeRequest } from '@rookery/contracts/notifications'
import { invalid } from '@rookery/failures'

/**
 * Whose notifications are pushed (spec, Push alerts): everyone's, of those the recipient follows, of the recipient's followers, no one's.
 */
export const POLICIES = ['all', 'followed', 'follower', 'none'] as const
export type Policy = (typeof POLICIES)[number]

/** Limits that no real subscription reaches. */
const MAX_ENDPOINT_LENGTH = 2048
const MAX_ALERTS = 100
const MAX_ALERT_LENGTH = 40
const AUTH_BYTES = 16
const POINT_BYTES = 65

/** Decodes a key in base64 or base64url, padded or not. */
const bytesOf = (text: string) => Buffer.from(text, 'base64')

const isEndpoint = (text: string) => {
  // A URL parser would strip these, but the endpoint is stored as it was sent.
  if (text.length > MAX_ENDPOINT_LENGTH || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && !username && !password
}

/** Whether it is an uncompressed point of P-256. */
const isPublicKey = (text: string) => {
  if (bytesOf(text).length !== POINT_BYTES) return false
  try {
    return ECDH.convertKey(bytesOf(text), 'prime256v1').length === POINT_BYTES
  } catch {
    return false
  }
}

const isAuth = (text: string) => bytesOf(text).length === AUTH_BYTES

/** @throws Failure invalid for an unknown policy */
const policyOf = (policy: string): Policy => {
  const known = POLICIES.find((each) => each === (policy || 'all'))
  if (!known) throw invalid('Policy is not included in the list')
  return known
}

/** The alerts and policy that a client wants. @throws Failure invalid for an unknown policy or too many alerts */
export const preferencesOf = (wanted: { alerts: Record<string, boolean>; policy: string }) => {
  const names = Object.keys(wanted.alerts)
  if (names.length > MAX_ALERTS || names.some((name) => name.length > MAX_ALERT_LENGTH)) throw invalid('Alerts are invalid')
  return { alerts: wanted.alerts, policy: policyOf(wanted.policy) }
}

/** The endpoint and keys of a client (beyond-the-spec 1.8). @throws Failure invalid naming every fault */
export const addressOf = ({ endpoint, p256dh, auth }: Pick<SubscribeRequest, 'endpoint' | 'p256dh' | 'auth'>) => {
  const faults = [
    ...(endpoint === '' ? ["Endpoint can't be blank"] : isEndpoint(endpoint) ? [] : ['Endpoint is invalid']),
    ...(isPublicKey(p256dh) ? [] : ['Key p256dh is invalid']),
    ...(isAuth(auth) ? [] : ['Key auth is invalid']),
  ]
  if (faults.length > 0) throw invalid(...faults)
  return { endpoint, p256dh: bytesOf(p256dh).toString('base64url'), auth: bytesOf(auth).toString('base64url') }
}

/** Whether a policy allows a sender, by the relationship of recipient and sender. */
export const allows = (policy: string, relation: { following: boolean; followedBy: boolean }): boolean => {
  if (policy === 'followed') return relation.following
  if (policy === 'follower') return relation.followedBy
  return policy !== 'none'
}
