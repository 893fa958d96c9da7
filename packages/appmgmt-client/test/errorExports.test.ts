/** All error classes are exported by this package. */
import type { FileSystem } from "@effect/platform"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import {
  type AppManagement,
  type AppManagementError,
  type HttpError,
  type ServiceError,
  SettingsError,
  type TokenFile,
} from "@vigil/appmgmt-client"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { anyLayer, connect } from "./harness.js"

/** The instances of the classes of a module. */
type Instances<M> = { [K in keyof M]: M[K] extends new (...args: never) => infer E ? E : never }[keyof M]

type Exported =
  | Instances<typeof AppManagementError>
  | Instances<typeof HttpError>
  | Instances<typeof ServiceError>
  | Instances<typeof SettingsError>
  | Instances<typeof TokenFile>

type Failure =
  | AppManagementError.CustomError
  | AppManagementError.RemoveUserError
  | Layer.Layer.Error<ReturnType<typeof AppManagement.layer>>
  | (ReturnType<typeof TokenFile.read> extends Effect.Effect<unknown, infer E, FileSystem.FileSystem> ? E : never)

describe("the error classes", () => {
  it("are exported for all errors of calls, layers and token files", () => {
    expectTypeOf<Exclude<Failure, Exported>>().toEqualTypeOf<never>()
  })

  it.scoped("are the classes of the actual errors", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(connect("nowhere"))
      expect(error).toBeInstanceOf(SettingsError.InvalidBaseUrl)
    }).pipe(Effect.provide(anyLayer)),
  )
})
