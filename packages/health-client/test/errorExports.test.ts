/** Applications import all error classes from this package. */
import { FetchHttpClient } from "@effect/platform"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import {
  type Checkpoint,
  type CheckpointMismatch,
  Credential,
  HealthClient,
  type HttpError,
  type InvalidEvent,
  type Listing,
  type PagingError,
  type ServiceError,
  SettingsError,
} from "@vigil/health-client"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"

/** The instances of the classes of a module. */
type Instances<M> = { [K in keyof M]: M[K] extends new (...args: never) => infer E ? E : never }[keyof M]

type Exported =
  | Instances<typeof HttpError>
  | Instances<typeof CheckpointMismatch>
  | Instances<typeof InvalidEvent>
  | PagingError.PageLimit<Checkpoint.Checkpoint>
  | Instances<typeof PagingError>
  | Instances<typeof ServiceError>
  | Instances<typeof SettingsError>

type Failure = Listing.ListError | Layer.Layer.Error<ReturnType<typeof HealthClient.layer>>

describe("the error classes", () => {
  it("of lists and layers are all exported", () => {
    expectTypeOf<Exclude<Failure, Exported>>().toEqualTypeOf<never>()
  })

  it.scoped("are the classes of the errors that the client fails with", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(HealthClient.make({ baseUrl: "nowhere", credential: Credential.none }))
      expect(error).toBeInstanceOf(SettingsError.InvalidBaseUrl)
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})
