/** The two services and their names. */
import * as Option from "effect/Option"
import * as Flag from "../Flag.js"
import type * as ConfigFile from "./ConfigFile.js"

export const all = ["health", "apps"] as const

export type ServiceName = (typeof all)[number]

export interface Facts {
  readonly title: string
  readonly baseUrlKey: ConfigFile.Key
  readonly tokenVariable: string
  readonly loginCommand: string
}

export const facts: { readonly [Name in ServiceName]: Facts } = {
  health: {
    title: "the health events service",
    baseUrlKey: "healthBaseUrl",
    tokenVariable: "HEALTH_ACCESS_TOKEN",
    loginCommand: "vigil auth login",
  },
  apps: {
    title: "the app management service",
    baseUrlKey: "appmgmtBaseUrl",
    tokenVariable: "APPMGMT_API_TOKEN",
    loginCommand: "vigil auth login --service apps --token-stdin",
  },
}

export const value = Flag.oneOf(all, "name")

export const flag = Flag.optional(value, "health or apps (default: both)")

export const select = Option.match({
  onNone: (): ReadonlyArray<ServiceName> => all,
  onSome: (service: ServiceName): ReadonlyArray<ServiceName> => [service],
})
