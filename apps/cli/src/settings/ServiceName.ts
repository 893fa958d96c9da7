/** The two services and their names. */
import * as Flag from "../Flag.js"
import type * as ConfigFile from "./ConfigFile.js"

export const all = ["health", "apps"] as const

export type ServiceName = (typeof all)[number]

export const facts = {
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
} as const satisfies Record<ServiceName, { readonly baseUrlKey: ConfigFile.Key; readonly [fact: string]: string }>

/** What to do without a token. */
export const signIn = (service: ServiceName): string =>
  `Run ${facts[service].loginCommand}, or set ${facts[service].tokenVariable}.`

export const value = Flag.oneOf(all, "name")

export const flag = Flag.optional(value, "health or apps (default: both)")

export const select = (service: ServiceName | undefined): ReadonlyArray<ServiceName> =>
  service === undefined ? all : [service]
