/** The two services and their names. */
import * as Flag from "../Flag.js"
import type * as ConfigFile from "./ConfigFile.js"

export const all = ["health", "apps"] as const

export type ServiceName = (typeof all)[number]

export interface Facts {
  /** The name in messages. */
  readonly title: string
  /** The key of its base URL. */
  readonly address: ConfigFile.Key
  /** The variable of its token. */
  readonly token: string
  /** The command that stores its token. */
  readonly login: string
}

export const facts: { readonly [Name in ServiceName]: Facts } = {
  health: {
    title: "the health events service",
    address: "healthBaseUrl",
    token: "HEALTH_ACCESS_TOKEN",
    login: "vigil auth login",
  },
  apps: {
    title: "the app management service",
    address: "appmgmtBaseUrl",
    token: "APPMGMT_API_TOKEN",
    login: "vigil auth login --service apps --token-stdin",
  },
}

export const value = Flag.oneOf(all)
