import { TokensDefinition } from '@rookery/contracts/auth'
import { type Handler, handler } from '@rookery/rpc'
import type { Tokens } from './index.ts'

/** The service Tokens of the contract. */
export const createTokensRpc = (tokens: Tokens): Handler =>
  handler(TokensDefinition, {
    check: async (_call, { digests }) => ({ holders: await tokens.check(digests) }),
  })
