export { createSuggestionOperatorRpc, createSuggestionsRpc } from './suggestions.rpc.ts'
