import type { InstanceCard } from '@rookery/contracts/federation'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'

/** The numbers of recently active people. */
type ActivePeople = { month: number; halfYear: number }

/** People who used a token or signed in, as counted by auth; while auth is unavailable, those who posted. */
export const activePeople = async (call: Call, card: InstanceCard, { registrations, clock }: Clients): Promise<ActivePeople> => {
  const seen = await registrations.readActivity(call, { sinceSeconds: Math.floor(clock.now() / 1000) }).catch(() => undefined)
  if (!seen) return { month: card.activeMonth, halfYear: card.activeHalfYear }
  return { month: seen.activeMonth, halfYear: seen.activeHalfYear }
}
