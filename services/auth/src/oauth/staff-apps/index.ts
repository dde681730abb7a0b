import { deleteApp } from './delete-app.job.ts'
import { staffAppsRpc } from './staff-apps.rpc.ts'

/** Apps as staff list and remove them. */
export const createStaffApps = (deps: Parameters<typeof staffAppsRpc>[0] & Parameters<typeof deleteApp>[0]) => ({
  rpc: [staffAppsRpc(deps)],
  jobs: [deleteApp(deps)],
})
