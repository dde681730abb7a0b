import { ECDH } from 'node:crypto'
import type { SubscribeRequest } from '@rookery/contracts/notifications'
import { invalid } from '@rookery/failures'

/** Whose notifications alert (spec, Push alerts): everyone's, of those the recipient follows, of those who follow the recipient, no one's. */
export const POLICIES = ['all', 'followed', 'follower', 'none'] as const
export type Policy = (typeof POLICIES)[number]

/** Longer than any push service's. */
const MAX_ENDPOINT_LENGTH = 2048
const MAX_ALERTS = 100
const MAX_ALERT_LENGTH = 40
const AUTH_BYTES = 16
const POINT_BYTES = 65

/** The bytes of a key in base64 or base64url, padded or not. */
const bytesOf = (text: string) => Buffer.from(text, 'base64')

const isEndpoint = (text: string) => {
  // A URL would be read without them, and is stored as it was sent.
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

/** @throws Failure invalid naming the policy when there is none like it */
const policyOf = (policy: string): Policy => {
  const known = POLICIES.find((each) => each === (policy || 'all'))
  if (!known) throw invalid('Policy is not included in the list')
  return known
}

/** What a client wants to be alerted of. @throws Failure invalid for an unknown policy or more alerts than there are types */
export const preferencesOf = (wanted: { alerts: Record<string, boolean>; policy: string }) => {
  const names = Object.keys(wanted.alerts)
  if (names.length > MAX_ALERTS || names.some((name) => name.length > MAX_ALERT_LENGTH)) throw invalid('Alerts are invalid')
  return { alerts: wanted.alerts, policy: policyOf(wanted.policy) }
}

/** Where and with which keys a client is reached (beyond-the-spec 1.8). @throws Failure invalid naming everything that is wrong */
export const addressOf = ({ endpoint, p256dh, auth }: Pick<SubscribeRequest, 'endpoint' | 'p256dh' | 'auth'>) => {
  const faults = [
    ...(endpoint === '' ? ["Endpoint can't be blank"] : isEndpoint(endpoint) ? [] : ['Endpoint is invalid']),
    ...(isPublicKey(p256dh) ? [] : ['Key p256dh is invalid']),
    ...(isAuth(auth) ? [] : ['Key auth is invalid']),
  ]
  if (faults.length > 0) throw invalid(...faults)
  return { endpoint, p256dh: bytesOf(p256dh).toString('base64url'), auth: bytesOf(auth).toString('base64url') }
}

/** Whether a policy lets a sender through, by how recipient and sender stand to each other. */
export const allows = (policy: string, relation: { following: boolean; followedBy: boolean }): boolean => {
  if (policy === 'followed') return relation.following
  if (policy === 'follower') return relation.followedBy
  return policy !== 'none'
}
