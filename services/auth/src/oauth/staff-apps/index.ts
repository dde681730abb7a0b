import { deleteApp } from './delete-app.job.ts'
import { createStaffAppsRpc } from './staff-apps.rpc.ts'

/** Apps, for staff: listing and removal. */
export const createStaffApps = (deps: Parameters<typeof createStaffAppsRpc>[0] & Parameters<typeof deleteApp>[0]) => ({
  rpc: [createStaffAppsRpc(deps)],
  jobs: [deleteApp(deps)],
})
