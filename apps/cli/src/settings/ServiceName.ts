/** The two services: their names, their settings, and what to do without a token. */
import * as Flag from "../flags/Flag.js"
import type * as Settings from "./Settings.js"

export const all = ["health", "apps"] as const

export type ServiceName = (typeof all)[number]

export const facts = {
  health: {
    title: "the health events service",
    baseUrlKey: "healthBaseUrl",
    tokenVariable: "HEALTH_ACCESS_TOKEN",
    signIn: "Run vigil auth login, set HEALTH_ACCESS_TOKEN, or set a token command with vigil init.",
  },
  apps: {
    title: "the app management service",
    baseUrlKey: "appmgmtBaseUrl",
    tokenVariable: "APPMGMT_API_TOKEN",
    signIn: "Run vigil auth login --service apps --token-stdin, or set APPMGMT_API_TOKEN.",
  },
} as const satisfies Record<ServiceName, { readonly baseUrlKey: Settings.Key; readonly [fact: string]: string }>

export const value = Flag.oneOf(all, "name")

export const flag = Flag.optional(value, "health or apps (default: both)")

export const select = (service: ServiceName | undefined): ReadonlyArray<ServiceName> =>
  service === undefined ? all : [service]
