import type { MigrationSet } from '@rookery/database'
import { instance } from './0001-instance.ts'
import { configuredTexts } from './0002-configured-texts.ts'

/** From an empty schema to this service's tables. */
export const migrations: MigrationSet = {
  name: 'federation',
  steps: { '0001-instance': instance, '0002-configured-texts': configuredTexts },
}
