import type { MigrationSet } from '@rookery/database'
import { attachments } from './0001-attachments.ts'

/** From an empty schema to this service's tables. */
export const migrations: MigrationSet = { name: 'media', steps: { '0001-attachments': attachments } }
