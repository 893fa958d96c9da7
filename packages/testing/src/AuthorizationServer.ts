/** An OAuth authorization server for tests: the package `oidc-provider` on loopback. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type Provider from "oidc-provider"
import type { Configuration } from "oidc-provider"
import { vi } from "vitest"

export interface Server {
  readonly origin: string
  readonly tokenUrl: string
  /** Whether the server issued this token, and the token has not expired. */
  readonly isValid: (token: string) => Effect.Effect<boolean>
}

/** Lifetimes in seconds. The provider prints a notice for each missing one. */
const ttl = { AccessToken: 600, ClientCredentials: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 }

const makeKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" })

const jwkOf = (key: KeyObject) => ({ ...key.export({ format: "jwk" }), alg: "ES256", use: "sig" })

/** Suppresses the provider's warnings that the setup is not for production and that it is not tested with Node.js 20. */
const quietly = async (make: () => Promise<Provider>): Promise<Provider> => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
  try {
    return await make()
  } finally {
    warn.mockRestore()
  }
}

/** Starts an authorization server, which stops when the scope closes. */
export const start = (configuration: Configuration): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = createServer()
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        }),
    )
    const address = server.address()
    if (address === null || typeof address === "string") return yield* Effect.die("The server has no port.")
    const origin = `http://127.0.0.1:${address.port}`
    const provider = yield* Effect.promise(() =>
      quietly(async () => {
        const { default: Provider } = await import("oidc-provider")
        const clientDefaults = { id_token_signed_response_alg: "ES256" } as const
        return new Provider(origin, {
          jwks: { keys: [jwkOf(makeKey().privateKey)] },
          clientDefaults,
          ttl,
          ...configuration,
        })
      }),
    )
    server.on("request", provider.callback())
    return {
      origin,
      tokenUrl: `${origin}/token`,
      isValid: (token) =>
        Effect.promise(async () => {
          const [own, granted] = await Promise.all([
            provider.ClientCredentials.find(token),
            provider.AccessToken.find(token),
          ])
          return (own ?? granted)?.isValid ?? false
        }),
    }
  })

export interface ClientKey {
  readonly publicJwk: object
  readonly privateKey: KeyObject
}

/** Makes the key of a client that authenticates by assertions. */
export const makeClientKey = (): ClientKey => {
  const { privateKey, publicKey } = makeKey()
  return { publicJwk: jwkOf(publicKey), privateKey }
}

const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url")

/** Signs a client assertion (RFC 7523, section 3), which the server accepts once per `jti`. */
export const signAssertion = (
  { privateKey }: ClientKey,
  { audience, clientId, jti }: { readonly audience: string; readonly clientId: string; readonly jti: string },
): string => {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: clientId, sub: clientId, aud: audience, jti, iat: now, exp: now + 60 }
  const text = `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}`
  return `${text}.${sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`
}
