import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Failure, invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, text, textList } from '../../http/fields.ts'

/** Reports that one form handles at most. */
const MAX_HANDLED = 200

const isGone = (error: unknown) => error instanceof Failure && error.kind === 'not_found'

/** Handles several reports at once. The API of clients does so one by one, so this is on no public route. */
export const handleReports = endpoint({
  method: 'POST',
  path: '/admin/reports',
  access: Staff(PERMISSIONS.manageReports, 'admin:write:reports'),
  summary: 'Takes or resolves several reports.',
  input: form({ report_ids: textList(), decision: text() }),
  handle: async ({ call, input, viewerId: staffId }, { staffReports }) => {
    const ids = [...new Set(input.report_ids.filter(isId))].slice(0, MAX_HANDLED)
    if (ids.length === 0) throw invalid("Report ids can't be blank")
    if (input.decision !== 'resolve' && input.decision !== 'assign') throw invalid('Decision is not included in the list')
    for (const id of ids) {
      const handled =
        input.decision === 'resolve'
          ? staffReports.setResolved(call, { id, staffId, isResolved: true })
          : staffReports.assign(call, { id, staffId, isUnassigned: false })
      await handled.catch((error: unknown) => {
        if (!isGone(error)) throw error
      })
    }
    return {}
  },
})
