import { changeInPieces, type MigrationStep } from '@rookery/database'

/** Numbers for the apps that were there before they had any. */
export const numbersOfKnownApps: MigrationStep = {
  phase: 'expand',
  isTransactional: false,
  up: (db) =>
    changeInPieces(
      db,
      `update app set number = nextval('app_number') where id in (select id from app where number is null limit 1000) and number is null`,
    ),
}
