import type { IpBlockSettings } from '@rookery/contracts/auth'
import { invalid } from '@rookery/failures'
import type { IpBlockRow } from '../database/tables/address-block.ts'
import { contains, networkOf, severityOf } from './address.rules.ts'

/** The maximum duration of a block, in seconds, so that its end stays within what Postgres can store. */
const MAX_SECONDS = 100 * 366 * 86_400

/** The columns of given settings; `now` in milliseconds since 1970. @throws Failure invalid with all faults */
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

/** @throws Failure invalid for a block that would lock out its author, who could not delete it then */
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
