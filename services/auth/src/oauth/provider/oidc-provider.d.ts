// The two modules behind the library's entry point, which also warns about Node releases that are not yet LTS (docs/decisions/0023).
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider'
}
declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import { interactionPolicy } from 'oidc-provider'
  export const Check: typeof interactionPolicy.Check
  export const Prompt: typeof interactionPolicy.Prompt
}
