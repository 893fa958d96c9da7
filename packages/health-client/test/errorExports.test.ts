/** Applications import all error classes from this package. */
import { describe, expectTypeOf, it } from "@effect/vitest"
import type { HealthClient, SettingsError } from "@vigil/health-client"
import {
  type CheckpointMismatch,
  type HttpError,
  type InvalidEvent,
  type Listing,
  type PagingError,
  type ServiceError,
} from "@vigil/health-client"
import type * as Layer from "effect/Layer"

/** The instances of the classes of a module. */
type Instances<M> = { [K in keyof M]: M[K] extends new (...args: never) => infer E ? E : never }[keyof M]

type Exported =
  | Instances<typeof HttpError>
  | Instances<typeof CheckpointMismatch>
  | Instances<typeof InvalidEvent>
  | Instances<typeof PagingError>
  | Instances<typeof ServiceError>
  | Instances<typeof SettingsError>

type Failure = Listing.ListError | Layer.Error<ReturnType<typeof HealthClient.layer>>

describe("the error classes", () => {
  it("of lists and layers are all exported", () => {
    expectTypeOf<Exclude<Failure, Exported>>().toEqualTypeOf<never>()
  })
})
