export { InteractionWriter } from './interaction.store.ts'
