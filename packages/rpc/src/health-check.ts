import {
  type Client,
  type Metadata,
  type MethodDefinition,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'

const DEADLINE_MILLISECONDS = 2000
const PATH = '/grpc.health.v1.Health/Check'
const NOTHING = Buffer.alloc(0)
/** The field `status` with SERVING, as grpc.health.v1.HealthCheckResponse encodes it (gRPC health checking protocol). */
const SERVING = Buffer.from([0x08, 0x01])

const bytes = (message: Buffer) => message

/** The health check that every server answers. */
export const HEALTH: { methods: Record<string, MethodDefinition<Buffer, Buffer>>; calls: UntypedServiceImplementation } = {
  methods: {
    check: {
      path: PATH,
      requestStream: false,
      responseStream: false,
      requestSerialize: bytes,
      requestDeserialize: bytes,
      responseSerialize: bytes,
      responseDeserialize: bytes,
    },
  },
  calls: {
    check: (_call: unknown, reply: (error: null, answer: Buffer) => void) => reply(null, SERVING),
  },
}

/** Checks whether the server answers calls; resolves to the reason if not, or undefined. */
export const checkHealth = (client: Client, metadata: Metadata): Promise<string | undefined> =>
  new Promise((resolve) => {
    const deadline = Date.now() + DEADLINE_MILLISECONDS
    client.makeUnaryRequest(PATH, bytes, bytes, NOTHING, metadata, { deadline }, (error: ServiceError | null) =>
      resolve(error ? `it does not answer: ${status[error.code]}` : undefined),
    )
  })
