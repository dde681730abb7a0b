export { InteractionWriter } from './interaction.store.ts'
export { createInteractionsRpc } from './interactions.rpc.ts'
