import type { IpBlockSettings } from '@rookery/contracts/auth'
import { invalid } from '@rookery/failures'
import type { IpBlockRow } from '../database/tables/address-block.ts'
import { contains, networkOf, severityOf } from './address.rules.ts'

/** Later than any block is meant to last, and a moment that Postgres knows. */
const MAX_SECONDS = 100 * 366 * 86_400

/** The columns that settings change; `now` in milliseconds since 1970. @throws Failure invalid naming every fault */
export const ipBlockColumns = (settings: Omit<IpBlockSettings, 'callerAddress' | 'staffId'>, now: number): Partial<IpBlockRow> => {
  const network = settings.network === undefined ? undefined : networkOf(settings.network)
  const severity = settings.severity === undefined ? undefined : severityOf(settings.severity)
  const faults = [
    ...(settings.network !== undefined && !network ? ['Ip is invalid'] : []),
    ...(settings.severity !== undefined && !severity ? ['Severity is not included in the list'] : []),
  ]
  if (faults.length > 0) throw invalid(...faults)
  const seconds = settings.expiresInSeconds
  return {
    ...(network && { network }),
    ...(severity && { severity }),
    ...(settings.comment !== undefined && { comment: settings.comment }),
    ...(seconds !== undefined && { expiresAt: seconds > 0 ? new Date(now + Math.min(seconds, MAX_SECONDS) * 1000) : null }),
  }
}

/** @throws Failure invalid for a block that shuts out the person who makes it, and with them the way to end it */
export const refuseOwnAddress = ({ network, severity }: Pick<IpBlockRow, 'network' | 'severity'>, callerAddress: string): void => {
  if (severity === 'no_access' && contains(network, callerAddress)) throw invalid('Ip contains your own address')
}

/** A new block; `now` in milliseconds since 1970. @throws Failure invalid */
export const newIpBlock = (settings: IpBlockSettings, now: number) => {
  const named = { ...settings, network: settings.network ?? '', severity: settings.severity ?? '' }
  const { network, severity, ...columns } = ipBlockColumns(named, now)
  if (!network || !severity) throw invalid('Ip is invalid')
  refuseOwnAddress({ network, severity }, settings.callerAddress)
  return { expiresAt: null, ...columns, network, severity, createdAt: new Date(now) }
}
