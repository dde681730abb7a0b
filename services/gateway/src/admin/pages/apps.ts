import type { StaffApp, StaffAppPage } from '@rookery/contracts/auth'
import { html, inReadingOrder } from '@rookery/pages'
import { listApps, removeApp } from '../endpoints/staff-apps.ts'
import type { AdminPage } from '../page.ts'
import { actPart, filtered, filterPart, numberOf, pagerPart, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { read, type Visit } from '../visit.ts'

const PAGE = 50

const appRecord = (app: StaffApp, visit: Visit): RecordParts => {
  const { apps } = visit.texts
  const counted = numberOf(visit, app.tokens)
  return {
    title: inReadingOrder(app.name),
    marks: [app.isOperators && apps.operators],
    facts: [
      inReadingOrder(app.website),
      html`${apps.registered}: ${timePart(visit, app.createdAtMilliseconds)}`,
      `${apps.tokens}: ${app.hasMoreTokens ? apps.moreThan(counted) : counted}`,
      `${apps.scopes}: ${app.scopes.join(' ')}`,
      app.redirectUris.length > 0 && `${apps.redirectUris}: ${inReadingOrder(app.redirectUris.join(' '))}`,
      app.isOperators && apps.operatorsHint,
    ],
    acts: [
      !app.isOperators && actPart(visit, { form: 'remove', label: apps.remove, kind: 'danger', values: { id: app.id }, about: app.name }),
    ],
  }
}

/** GET /admin/apps: all registered apps. */
export const appsPage: AdminPage = {
  path: '/admin/apps',
  section: 'apps',
  isFirst: true,
  access: listApps.access,
  async read(visit) {
    const { texts } = visit
    const { apps, cursors } = await read<StaffAppPage>(visit, listApps, { ...filtered(visit, ['query']), limit: String(PAGE) })
    return {
      title: texts.sections.apps,
      lead: texts.apps.lead,
      body: html`${filterPart(visit, [{ name: 'query', label: texts.apps.query, kind: 'search' }], texts.filter)}
${recordsPart(
  apps.map((app) => appRecord(app, visit)),
  texts.none,
)}${pagerPart(visit, { cursors, style: { newer: 'min_id', whenever: 'full' } })}`,
    }
  },
  forms: { remove: { endpoint: removeApp, done: 'appRemoved', final: () => 'removeApp', isDangerous: () => true } },
}
