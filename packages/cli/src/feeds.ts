import { type FeedDifference, FeedOperatorDefinition } from '@rookery/contracts/statuses'
import { operatorCall } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

/** Homes compared per call. */
const PAGE = 50

const lineOf = ({ accountId, missing, unwanted }: FeedDifference) => `${accountId}\t${missing} missing\t${unwanted} unwanted`

const compare: Subcommand = {
  usage: 'compare',
  summary: 'Compares home feeds with what they should hold, and with --repair makes those that differ again.',
  options: { '--repair': 'rebuild the home feeds that differ', '--account <name>': 'only the home feed of this account' },
  async run(servers, typed) {
    const operator = await servers.of('statuses', FeedOperatorDefinition)
    const request = { username: textOf(typed, 'account'), limit: PAGE, repair: typed.options['repair'] === true }
    const differences: FeedDifference[] = []
    let compared = 0
    for (let afterId = ''; ; ) {
      const page = await operator.compare(operatorCall(), { ...request, afterId })
      differences.push(...page.differences)
      compared += page.compared
      if (page.compared < PAGE) break
      afterId = page.lastId
    }
    const end = request.repair && differences.length > 0 ? ', and were mended.' : '.'
    const lines = [...differences.map(lineOf), `${compared} compared, ${differences.length} differ${end}`]
    return { lines, json: { compared, differences }, hasFailed: differences.length > 0 && !request.repair }
  },
}

export const FEED_COMMANDS: readonly Subcommand[] = [compare]
