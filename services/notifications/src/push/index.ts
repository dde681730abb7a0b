export { alertMetrics, noAlerts } from './alert.metrics.ts'
export { addDueAlerts } from './due-alerts.ts'
export { pushService } from './push-service.ts'
export { serverKeys } from './server-keys.ts'
